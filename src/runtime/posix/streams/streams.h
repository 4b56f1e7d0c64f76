/* SPDX-License-Identifier: MIT */
/*
 * streams.h - bytes that threads of the program send to each other through the kernel: pipes,
 * sockets of one machine, eventfds, and connections that are made and accepted.
 *
 * A receive comes after its send, and a look that found nothing comes before the next send: a lock
 * made of a pipe is a lock. Each call writes a record SER_RAW_STREAM with the *identity* of the
 * stream, a number that both ends find by themselves. Which streams have both ends in the program
 * is known at the end of the run: the recorder makes events of those (record/events/ streams.h) and
 * drops the others.
 *
 * A send is recorded before the call, and a receive after it, so that no bytes are received before
 * they were sent, also in parallel mode. In serial mode a thread that must wait does so without the
 * token and without receiving anything; then it receives with the token. So the order of records is
 * the order in which the bytes were received.
 *
 * Other calls of the system order threads, too: signals that are sent and awaited, some locks of
 * files, pipes behind a FILE. Of these it is only known that a thread that passes a *gate* may have
 * waited for any of those that have opened it before; so that it comes after all of them.
 *
 * A lock of a file, a semaphore or a message queue of the kernel that is one token is a stream, too
 * (file_locks.c, tokens.c).
 *
 * Objects of the system that are neither are part of the outside, as other processes are
 * (system.c). Not seen: what is in regular files, sendfile, standard streams that were made pipes.
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
/* A named socket (of a file system) is about to be connected to the listener, could not be, or is
 * one that was accepted there. */
void ser_stream_connects(int descriptor, uint64_t listener);
void ser_stream_connects_not(int descriptor, uint64_t listener);
void ser_stream_accepted(int descriptor, uint64_t listener);
static inline unsigned ser_stream_kind_of(uint64_t stream)
{
    return stream >> 56;
}

/* transfers.c: read without a look at what kind of file it is. */
ssize_t ser_stream_read(int descriptor, void *bytes, size_t size);

/* gates.c. Before a call that may let others go on, and after one that may have waited; 0: none. */
void ser_gate_open(uint64_t gate);
void ser_gate_pass(uint64_t gate);
/* The same for any use of a stream, if streams are recorded. */
void ser_stream_put(uint64_t stream, uint64_t amount, unsigned use);
/* Gives up the token for a call that may block. */
void ser_stream_go_outside(void);
/* file_locks.c. Before a descriptor is closed, which releases the locks of its file; and a
 * descriptor was copied (the caller is inside). */
void ser_file_lock_close(int descriptor);
void ser_file_lock_copied(int descriptor, int copy);
static inline uint64_t ser_gate_signals(void)
{
    return (uint64_t)SER_STREAM_SIGNALS << 56;
}

/* Other processes, and objects of the system that are not distinguished. */
static inline uint64_t ser_gate_outside(void)
{
    return (uint64_t)SER_STREAM_OUTSIDE << 56;
}
/* Before a call that may let others go on, there or here; and may it block itself? */
void ser_outside_begin(bool blocks);
/* Before a process is started: what it does comes after all that was done before. */
void ser_outside_meets_child(void);

/* ends.c: a copy of a descriptor is of the same eventfd. */
void ser_stream_copy(int descriptor, int copy);

/* epolls.c: the epolls that the descriptor is in forget it. */
void ser_stream_forget(int descriptor);

/* Are streams recorded? */
static inline bool ser_streams_are_recorded(void)
{
    return ser_the_world.channel && ser_self->inside != SER_INSIDE;
}

/* Enters again after a call that was made with the token: no turn ends in between. */
ser_thread *ser_stream_enter_again(void);
/* Leaves for a call that may take long. */
void ser_stream_leave_for_long(ser_thread *me);

#endif
