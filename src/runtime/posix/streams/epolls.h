/* SPDX-License-Identifier: MIT */
/*
 * epolls.h - inside of looks.c: which streams an epoll looks at.
 *
 * Follows the program's epoll_ctl calls. The caller is inside, with token or lock.
 */
#ifndef SER_RUNTIME_POSIX_STREAMS_EPOLLS_H
#define SER_RUNTIME_POSIX_STREAMS_EPOLLS_H

#include "runtime/posix/streams/streams.h"

/* Records a look at a descriptor that is a stream, and whether there was something to receive. Of
 * one call those that have found something come first: a replay makes the call at the first. */
void ser_stream_tell_look(ser_thread *me, uint64_t stream, bool is_ready);

/* Records a look at all streams in the epoll. */
void ser_epoll_record(ser_thread *me, int epoll);

#endif
