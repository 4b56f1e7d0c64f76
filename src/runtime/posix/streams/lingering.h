/* SPDX-License-Identifier: MIT */
/*
 * lingering.h - letting requests of a server meet.
 *
 * Threads of a server wait for clients, mostly, and clients for replies: whatever the scheduler
 * does, a request is over before the next one comes. With the setting `linger`, a thread that has
 * received something waits for another thread to receive something, too; with `hold`, it goes on
 * until it has released its locks so many times, and waits there until the other threads receive
 * nothing more: they do their requests in the middle of its own. One thread waits at a time; when
 * some have waited in vain, none does any more. Serial mode only.
 */
#ifndef SER_RUNTIME_POSIX_STREAMS_LINGERING_H
#define SER_RUNTIME_POSIX_STREAMS_LINGERING_H

#include "runtime/core/core.h"

/* The thread has received something from a client, or another thread. Outside of the runtime. */
void ser_linger_received(void);

/* The thread, which is held after some unlocks, holds no lock any more. Outside. */
void ser_linger_unlocked(ser_thread *me);

/* After an unlock, outside of the runtime. */
static inline void ser_linger_after_unlock(ser_thread *me)
{
    if (ser_unlikely(me->unlocks_left) && me->locks == 0)
        ser_linger_unlocked(me);
}

#endif
