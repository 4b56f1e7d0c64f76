/* SPDX-License-Identifier: MIT */
/*
 * streams.h - bytes that threads of the program send each other through the kernel: pipes,
 * sockets of one machine, eventfds, and connections that are made and accepted.
 *
 * Who receives comes after who sent, and a look that found nothing comes before the next send: a
 * lock made of a pipe is a lock. Each call writes a record SER_RAW_STREAM with the *identity* of
 * the stream, a number that both ends find by themselves. Which streams have both ends in the
 * program is known at the end of the run: the recorder makes events of those (record/events/
 * streams.h) and leaves out the others.
 *
 * What was sent is told before the call, and what was received after it, so that no bytes are
 * received before they were sent, in parallel mode, too. In serial mode a thread that must wait
 * does so without the token and without receiving anything; then it receives with the token. So
 * the order of records is the order in which the bytes were received.
 *
 * Not seen: transfers inside of the C library (fprintf, fgets), sendfile, splice, datagrams, and
 * which of several sockets of the machine a named socket of a file system is connected to.
 */
#ifndef SER_RUNTIME_POSIX_STREAMS_STREAMS_H
#define SER_RUNTIME_POSIX_STREAMS_STREAMS_H

#include <sys/socket.h>

#include "runtime/core/core.h"
#include "runtime/core/turns/objects.h"

/* Identities of the streams that one receives from, and sends to; 0: none. */
typedef struct ser_stream_ends {
    uint64_t in, out;
} ser_stream_ends;

/* ends.c. The caller is inside, with token or lock (ser_enter_sync). */
ser_stream_ends ser_stream_find(int descriptor);
/* Connections to the socket that has this address; 0 if it is not of this machine. */
uint64_t ser_stream_listener(const struct sockaddr *address, socklen_t size);
static inline unsigned ser_stream_kind(uint64_t stream)
{
    return stream >> 56;
}

/* transfers.c: read without a look at what kind of file it is. */
ssize_t ser_stream_read(int descriptor, void *bytes, size_t size);

/* epolls.c: the epolls that the descriptor is in forget it. */
void ser_stream_forget(int descriptor);

/* May streams be told of here? */
static inline bool ser_streams_are_recorded(void)
{
    return ser_the_world.channel && ser_self->inside != SER_INSIDE;
}

/* Enters again after a call that was made with the token: no turn ends in between. */
ser_thread *ser_stream_enter_again(void);
/* Leaves for a call that may take long. */
void ser_stream_leave_for_long(ser_thread *me);

#endif
