/* SPDX-License-Identifier: MIT */
/*
 * lines.h - parallel mode: a lock and a clock for every cache line.
 *
 * A thread holds the lock of the lines it touches over the access itself and
 * takes its clock from them: one more than the largest of its own and theirs.
 * So clocks rise along every line in the order of the accesses. Lines share locks
 * by a hash; private lines of two threads rarely do.
 */
#ifndef SER_RUNTIME_LINES_H
#define SER_RUNTIME_LINES_H

#include "runtime/runtime.h"

/* Locks the one or two lines of an access of at most 64 bytes, and gives the thread
 * the clock of its next event. */
void ser_lines_lock(ser_thread *me, const void *address, size_t size);
void ser_lines_unlock(const void *address, size_t size);
/* An event that touches nothing shared: only the thread's own clock rises. */
void ser_lines_tick(ser_thread *me);
/* Nothing with the clock of the event just written, or less, will come any more. */
static inline void ser_lines_publish(ser_thread *me)
{
    __atomic_store_n(&me->ring->next_clock, me->clock + 1, __ATOMIC_RELEASE);
}
/* At the beginning of every operation: takes over a clock that others raised, and sees
 * to it that there is room in the ring. */
void ser_lines_catch_up(ser_thread *me);
/* Raises the clocks of all threads that are not inside above that of this one. */
void ser_lines_push(ser_thread *me);
/* Claims a ring; null if all are in use. */
ser_ring *ser_lines_claim_ring(ser_thread *thread);
/* Every thread of the process has executed a full barrier when it returns. */
void ser_lines_barrier(void);
/* False if the kernel has no such barrier. */
bool ser_lines_start(void);

#endif
