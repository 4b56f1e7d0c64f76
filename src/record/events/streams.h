/* SPDX-License-Identifier: MIT */
/*
 * streams.h - inside of events.h: bytes that threads of the program send to each other.
 *
 * A pipe, socket or eventfd whose two ends the program uses orders what its threads do. Each is
 * three semaphores in the trace:
 *   - its messages: each send posts, and the receive that gets the first byte of that takes;
 *   - its senders, its receivers: a chain each, which every operation at that end takes and posts
 *     again, so that in every reordering the same bytes go to the same receives.
 * A look that found something is an operation of a receiver, and takes as a receive would. A look
 * that found nothing is in both chains: it comes after what was received, and before the next send.
 *
 * A semaphore or message queue of the kernel is such a stream while it is one token that threads
 * pass on, as a lock is: with more of them it is not known who got which, and it counts as outside.
 *
 * Streams with an end outside of the program, which the survey finds, are in outside.h. Memory
 * O(streams and messages that were not received yet), and eight bytes an operation. Expected O(1)
 * an operation. Not thread-safe.
 */
#ifndef SER_RECORD_EVENTS_STREAMS_H
#define SER_RECORD_EVENTS_STREAMS_H

#include "base/pairmap.h"
#include "base/vector.h"
#include "contract/channel.h"
#include "record/events/outside.h"

enum { SER_STREAM_MESSAGES, SER_STREAM_SENDERS, SER_STREAM_RECEIVERS, SER_STREAM_PARTS };

typedef struct ser_message_stream {
    bool is_sent, is_received;                 /* by the program, in the whole run */
    bool is_outside;                           /* it stands for other processes */
    uint64_t surveyed_sent, surveyed_received; /* bytes, in the survey so far */
    int64_t most, least;                       /* that were there, in the survey so far */
    uint32_t name[SER_STREAM_PARTS];           /* semaphores, plus one; 0: not asked for yet */
    uint64_t sent, received;                   /* bytes so far */
    SER_VECTOR(uint64_t) starts;               /* of messages, in bytes sent before */
    size_t taken;                              /* so many of them */
} ser_message_stream;

typedef struct ser_message_streams {
    ser_pairmap numbers; /* (identity, 0) to the place in list, plus one */
    SER_VECTOR(ser_message_stream) list;
    ser_outside outside;
} ser_message_streams;

/* Are both ends in the program? Known after the survey. */
static inline bool ser_message_stream_is_inside(const ser_message_stream *stream)
{
    return stream->is_sent && stream->is_received && !stream->is_outside;
}

void ser_message_streams_fini(ser_message_streams *streams);

/* First pass: a record SER_RAW_STREAM. */
void ser_message_streams_survey(ser_message_streams *streams, const ser_record *record);

#endif
