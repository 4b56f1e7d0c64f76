/* SPDX-License-Identifier: MIT */
/*
 * The watchdog looks every steal_ms. If the turn and the head of the ring are those of the last
 * look, or the turn is over without a switch, another thread waits for the token, and the holder
 * sleeps in the kernel, the token is taken. If the holder runs (a long computation), the token is
 * taken only after spin_ms of its processor time, since a busy machine may not schedule it for
 * long: so that the same seed gives the same run as far as possible.
 */
#include "runtime/core/turns/watchdog.h"

#include "runtime/core/platform.h"
#include "runtime/core/records/clocks.h"
#include "runtime/core/turns/replay.h"
#include "runtime/core/turns/token.h"

static ser_runtime_world *const world = &ser_the_world;
static uint32_t nobody_wakes; /* futex to sleep on */

static void pause_for(uint64_t milliseconds)
{
    ser_deadline deadline = ser_deadline_in(milliseconds * 1000);
    ser_futex_wait(&nobody_wakes, 0, &deadline, false);
}

/* Calls of the heap do not end a turn: a thread that makes nothing else goes beyond its end. */
static bool is_over(void)
{
    return __atomic_load_n(&world->ring->head, __ATOMIC_RELAXED) +
               __atomic_load_n(&world->elided, __ATOMIC_RELAXED) >=
           __atomic_load_n(&world->turn_end, __ATOMIC_RELAXED);
}

/* True iff the same turn has made no event since the last look, or was over then, and a thread
 * waits. */
static bool is_stuck(uint64_t *turn, uint64_t *head)
{
    static bool was_over;
    uint64_t turn_before = *turn, head_before = *head;
    bool stays_over = was_over;
    was_over = is_over();
    *turn = __atomic_load_n(&world->turn, __ATOMIC_RELAXED);
    ser_thread *holder = __atomic_load_n(&world->holder, __ATOMIC_RELAXED);
    *head = __atomic_load_n(&world->ring->head, __ATOMIC_RELAXED) -
            __atomic_load_n(&world->aside, __ATOMIC_RELAXED) +
            (holder ? __atomic_load_n(&holder->stamp, __ATOMIC_RELAXED) : 0);
    /* in a replay a turn that elides is over at once, as what is recorded next must be counted */
    stays_over &= !ser_replays();
    return *turn == turn_before && (*head == head_before || stays_over) &&
           (__atomic_load_n(&world->ready, __ATOMIC_RELAXED) > 0 || ser_replays());
}

/* The processor time that the thread has used, in milliseconds. */
static uint64_t cpu_milliseconds(const ser_thread *thread)
{
    enum { THREADS_CPU = 6 }; /* as the kernel makes the clock of a thread from its number */
    struct timespec used = {0};
    ser_sys(SYS_clock_gettime, (long)(~thread->tid << 3 | THREADS_CPU), (long)&used, 0, 0, 0, 0);
    return (uint64_t)used.tv_sec * 1000 + (uint64_t)used.tv_nsec / 1000000;
}

/* Since when the token is stuck. */
static struct {
    uint64_t milliseconds;
    uint64_t cpu; /* what the holder had used by then */
} stuck;

/* Should the holder, which has the token and makes no event, lose it? One that waits for a disk is
 * given time as one that runs. */
static bool must_lose(const ser_thread *holder)
{
    switch (ser_proc_state("/proc/self/task/", holder->tid)) {
    case 'S':
    case 'T':
        return true;
    case 'R':
        return cpu_milliseconds(holder) - stuck.cpu >= world->options.spin_ms;
    default:
        return stuck.milliseconds >= world->options.spin_ms;
    }
}

/* The same with ser_runtime_world.lock, so that the thread cannot end meanwhile. One that sleeps
 * and will go on by itself is given time, but not for ever: no platform knows all its reasons. */
static bool must_lose_now(const ser_thread *holder)
{
    enum { PATIENCE_MS = 5000 };
    return must_lose(holder) &&
           (stuck.milliseconds >= PATIENCE_MS || !ser_the_platform.goes_on(holder));
}

static void unstick(void)
{
    ser_thread *holder = __atomic_load_n(&world->holder, __ATOMIC_RELAXED);
    if (holder && stuck.milliseconds == 0)
        stuck.cpu = cpu_milliseconds(holder);
    stuck.milliseconds += world->options.steal_ms;
    if (ser_replays())
        ser_token_unstick(stuck.milliseconds);
    if (holder && must_lose(holder))
        ser_token_steal(holder, must_lose_now);
}

/* In parallel mode: what was recorded becomes visible soon, also if another thread sleeps. */
static void push_now_and_then(void)
{
    enum { PUSH_MS = 250 };
    static uint64_t milliseconds;
    milliseconds += world->options.steal_ms;
    if (milliseconds < PUSH_MS)
        return;
    milliseconds = 0;
    ser_clocks_push_idle();
}

static void *watch(void *unused)
{
    uint64_t turn = 0, head = 0;
    (void)unused;
    ser_self = &ser_stranger;
    for (;;) {
        pause_for(world->options.steal_ms);
        if (!__atomic_load_n(&world->living, __ATOMIC_RELAXED))
            return 0; /* as the last thread: the C library ends the process */
        ser_deadlock_look(world->options.steal_ms);
        ser_the_platform.looks();
        ser_pause_look();
        if (world->parallel) {
            ser_token_send_all_wakes();
            push_now_and_then();
        }
        if (world->parallel || !world->can_steal)
            continue;
        if (is_stuck(&turn, &head))
            unstick();
        else
            stuck.milliseconds = 0;
    }
}

void ser_watchdog_start(void)
{
    static bool started;
    if (__atomic_exchange_n(&started, true, __ATOMIC_RELAXED))
        return;
    ser_the_platform.run_aside(watch);
}
