/* SPDX-License-Identifier: MIT */
/*
 * Plain accesses without records, while nobody looks at them (seriatim watch, detached).
 *
 * A thread that performs one is SER_ALONE, and has seen ser_is_paused since. When recording goes
 * on, the flag is cleared, and after a barrier every access either sees that or has been begun
 * before: once each thread was seen outside of an access, everything is recorded. Threads that
 * sleep inside make no access, and none is waited for: the watchdog looks again next time.
 */
#include "runtime/core/log.h"
#include "runtime/core/records/clocks.h"
#include "runtime/core/turns/watchdog.h"

static ser_runtime_world *const world = &ser_the_world;

/* May the thread be in the middle of an access? */
static bool may_access(const ser_thread *thread)
{
    uint32_t inside = __atomic_load_n(&thread->inside, __ATOMIC_ACQUIRE);
    return inside == SER_ALONE ||
           (inside == SER_INSIDE && __atomic_load_n(&thread->state, __ATOMIC_RELAXED) == SER_RUNS);
}

/* Threads that come later record everything. */
static bool have_all_left(uint32_t *next, uint32_t count)
{
    while (*next < count && !may_access(world->threads[*next]))
        ++*next;
    return *next == count;
}

void ser_pause_look(void)
{
    static uint32_t next, count; /* threads to be seen outside, once recording goes on */
    uint32_t *answer = &world->channel->paused;
    uint32_t wanted = __atomic_load_n(&world->channel->pause, __ATOMIC_ACQUIRE);
    if (wanted == __atomic_load_n(answer, __ATOMIC_RELAXED))
        return;
    if (wanted % 2) {
        __atomic_store_n(&ser_is_paused, true, __ATOMIC_RELAXED);
        __atomic_store_n(answer, wanted, __ATOMIC_RELEASE);
        return;
    }
    if (ser_is_paused) {
        __atomic_store_n(&ser_is_paused, false, __ATOMIC_RELAXED);
        ser_clocks_barrier();
        next = 0;
        count = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE);
    }
    if (have_all_left(&next, count)) {
        ser_log(RUNTIME, INFO, "accesses are recorded again");
        __atomic_store_n(answer, wanted, __ATOMIC_RELEASE);
        ser_ring_kick();
    }
}
