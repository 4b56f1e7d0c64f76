/* SPDX-License-Identifier: MIT */
/*
 * lock_like.h - semaphores that are used as locks.
 *
 * A thread that takes one puts it back itself, before another thread has it: a semaphore of one, a
 * pipe with one byte in it, an eventfd. The first post of all, which nobody takes back, makes it
 * free. To take such a semaphore is to take a lock, and not to wait for what another thread does.
 *
 * Cost: O(1) per event. Memory: O(semaphores).
 */
#ifndef SER_TRACE_BLOCKS_LOCK_LIKE_H
#define SER_TRACE_BLOCKS_LOCK_LIKE_H

#include "base/vector.h"
#include "trace/event.h"

typedef struct ser_semaphore_use {
    uint32_t holder; /* 1 + the thread that has taken it; 0: none */
    bool was_taken;
    bool is_made_free; /* by a post before anybody took it */
    bool is_put_back;  /* by a thread that had taken it */
    bool has_more;     /* it was free already when it was posted */
    bool is_message;   /* it is not used as a lock */
} ser_semaphore_use;

typedef SER_VECTOR(ser_semaphore_use) ser_semaphore_uses;

/* The next event of the trace. */
void ser_semaphore_uses_see(ser_semaphore_uses *uses, const ser_event *event);

/* When all events were seen: does the event take or post a semaphore that is used as a lock? */
bool ser_semaphore_uses_lock(const ser_semaphore_uses *uses, const ser_event *event);

/* Such an event as that of a lock, whose number no other lock has. */
ser_event ser_semaphore_as_lock(const ser_event *event);

#endif
