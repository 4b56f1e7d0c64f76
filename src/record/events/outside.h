/* SPDX-License-Identifier: MIT */
/*
 * outside.h - inside of events.h: bytes that the program exchanges with other processes.
 *
 * Another process may send something because of anything that the program has sent to it, or to
 * any other one: a client may open its second connection once the first was answered. So who gets
 * something from outside comes after all that any thread had sent there before. Of each other
 * thread its last send is enough. It posts to a semaphore that each thread has for what it gets
 * from outside, and the receive takes. Receives, and sends, of different threads have no order of
 * their own. A send that nobody comes after is not in the trace, nor is a look that finds nothing.
 *
 * Memory: eight bytes per operation of a stream. O(1) per operation and thread that receives.
 */
#ifndef SER_RECORD_EVENTS_OUTSIDE_H
#define SER_RECORD_EVENTS_OUTSIDE_H

#include "base/vector.h"
#include "contract/channel.h"

struct ser_event_maker;

typedef struct ser_stream_operation {
    uint32_t stream; /* its place in the list of streams */
    uint16_t thread;
    uint8_t use;         /* ser_stream_use */
    bool is_from_others; /* it receives what the program has not sent */
} ser_stream_operation;

/* A send, and a thread that comes after it. */
typedef struct ser_outside_post {
    uint32_t operation; /* of those outside */
    uint16_t thread;
} ser_outside_post;

typedef struct ser_outside {
    SER_VECTOR(ser_stream_operation) operations; /* of all streams, from the survey */
    bool is_sorted;                              /* what follows is known */
    SER_VECTOR(ser_outside_post) posts;          /* by operation, the last one first */
    SER_VECTOR(uint8_t) extra;                   /* by operation of any stream inside */
    uint32_t next_inside;                        /* of these */
    uint32_t next;                               /* operation outside */
    SER_VECTOR(uint32_t) semaphores;             /* by thread, plus one; 0: not asked for yet */
    SER_VECTOR(uint32_t) pending;                /* by thread: posts that it has not taken yet */
} ser_outside;

void ser_outside_fini(ser_outside *outside);

/* First pass: an operation of any stream. */
void ser_outside_survey(ser_outside *outside, uint32_t stream, const ser_record *record,
                        bool is_from_others);

/* Second pass: a record SER_RAW_STREAM of a stream with an end outside. */
void ser_outside_add(struct ser_event_maker *maker, const ser_record *record);
/* The same for one with both ends inside, whose events were made: adds to them what it gets from
 * others. */
void ser_outside_add_to(struct ser_event_maker *maker, const ser_record *record);

#endif
