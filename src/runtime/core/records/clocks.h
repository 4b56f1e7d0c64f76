/* SPDX-License-Identifier: MIT */
/*
 * clocks.h - parallel mode: the clocks of threads, by which the recorder merges their rings
 * (contract/channel.h says how).
 */
#ifndef SER_RUNTIME_CORE_RECORDS_CLOCKS_H
#define SER_RUNTIME_CORE_RECORDS_CLOCKS_H

#include "runtime/core/core.h"

static inline void ser_clocks_rise_to(ser_thread *me, uint64_t clock)
{
    if (me->clock < clock)
        me->clock = clock;
}

/* What the thread records next is later than all that was recorded so far, by any thread. It may
 * have lines of memory locked. */
void ser_clocks_rise_above_all(ser_thread *me);
/* An event that touches nothing shared: only the thread's own clock rises. */
void ser_clocks_tick(ser_thread *me);
/* Nothing with the clock of the event just written, or less, will come any more. */
static inline void ser_clocks_publish(ser_thread *me)
{
    __atomic_store_n(&me->ring->next_clock, me->clock + 1, __ATOMIC_RELEASE);
}
/* At the beginning of every operation: takes over a clock that others raised, and sees
 * to it that there is room in the ring. */
void ser_clocks_catch_up(ser_thread *me);
/* Raises the clocks of all threads that are not inside above that of this one. */
void ser_clocks_push(ser_thread *me);
/* Raises them to the largest that was published, if that has changed. Only one thread calls it. */
void ser_clocks_push_idle(void);

/* Before a long sleep, no longer inside: another thread may have pushed while we were still
 * inside, and none may push again. */
void ser_clocks_follow(ser_thread *me);
/* Waits for a while until there is a ring to claim, if one has been left by its thread but
 * not been emptied yet. The thread holds ser_runtime_world.objects, which is free meanwhile. */
void ser_clocks_await_ring(ser_thread *me);
/* Claims a ring, and gives the thread its first clock. Null if all are in use: then the recording
 * ends before what the thread does. */
ser_ring *ser_clocks_claim_ring(ser_thread *thread);
/* The recording ends at a clock that is later than all that was taken so far: that clock. `most`
 * is the thread limit. Callers of these two hold ser_runtime_world.lock. */
uint64_t ser_clocks_end_run(uint64_t most);
/* Every thread of the process has executed a full barrier when it returns. */
void ser_clocks_barrier(void);
/* False if the kernel has no such barrier. */
bool ser_clocks_start(void);

#endif
