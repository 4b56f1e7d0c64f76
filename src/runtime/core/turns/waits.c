/* SPDX-License-Identifier: MIT */
/*
 * Waiting for something other than the token, and ending the waits of others. What a thread waits
 * for does not matter here: that is in objects.c.
 */
#include <errno.h>

#include "runtime/core/log.h"
#include "runtime/core/platform.h"
#include "runtime/core/records/clocks.h"
#include "runtime/core/turns/replay.h"
#include "runtime/core/turns/token.h"
#include "runtime/core/turns/watchdog.h"

static ser_runtime_world *const world = &ser_the_world;

/* The time at which to look again: the deadline, or sooner if there is reason to poll. While
 * a schedule is followed, it says when the time is over. */
static const ser_deadline *next_look(const ser_runtime_wait *how, ser_deadline *soon)
{
    if (how->deadline && __atomic_load_n(&ser_replaying, __ATOMIC_RELAXED)) {
        *soon = ser_deadline_in(how->foreign ? 2000 : 10000);
        return soon;
    }
    if (!how->is_free && !how->foreign)
        return how->deadline;
    *soon = ser_deadline_in(how->foreign ? 2000 : 50000);
    if (!how->deadline)
        return soon;
    struct timespec now;
    ser_now(how->deadline->clock, &now);
    int64_t left = (how->deadline->time.tv_sec - now.tv_sec) * 1000000000 +
                   (how->deadline->time.tv_nsec - now.tv_nsec);
    return left < (how->foreign ? 2000000 : 50000000) ? how->deadline : soon;
}

static uint64_t count_releases(const ser_runtime_wait *how)
{
    return how->releases ? __atomic_load_n(how->releases, __ATOMIC_RELAXED) : 0;
}

/* Serial mode: was another thread woken for it, which has not run since? On a busy machine that may
 * take long. It will take the object, or wake the next one when it gives it back. Without a lock,
 * since handlers of signals may run here: what is seen too late is seen by the next look. */
static bool is_promised(const ser_runtime_wait *how)
{
    uint32_t count = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count && !world->parallel; i++) {
        const ser_thread *thread = world->threads[i];
        if (__atomic_load_n(&thread->waits, __ATOMIC_RELAXED) &&
            __atomic_load_n(&thread->woken, __ATOMIC_RELAXED) &&
            __atomic_load_n(&thread->how.address, __ATOMIC_RELAXED) == how->address)
            return true;
    }
    return false;
}

/* Is there a reason to try again, although nobody has woken the thread? An object that threads of
 * ours release and take is free now and then: whoever looks just then must not depend on the time.
 */
static bool should_retry(const ser_runtime_wait *how, uint64_t *releases)
{
    uint64_t before = *releases;
    *releases = count_releases(how);
    if (!how->is_free || how->foreign)
        return how->is_free ? how->is_free(how->address) : how->foreign;
    return *releases == before && how->is_free(how->address) && !is_promised(how);
}

/* As the kernel does: a wait without time-out is taken up again after a handler, if the program
 * wants that. */
static bool is_interrupted(const ser_thread *me, const ser_runtime_wait *how, long result)
{
    return how->interruptible && (me->interrupted || (how->deadline && result == -EINTR));
}

/* Sleeps until the wake word is set or there is another reason to stop waiting. */
static ser_wakening doze(ser_thread *me, const ser_runtime_wait *how)
{
    uint64_t releases = count_releases(how);
    me->interrupted = false;
    if (how->stays) {
        how->stays();
        return SER_WOKEN;
    }
    for (;;) {
        ser_deadline soon;
        const ser_deadline *until = next_look(how, &soon);
        if (world->ended)
            ser_the_platform.rests();
        long result = ser_futex_wait(&me->wake, 0, until, false);
        uint32_t wake = __atomic_load_n(&me->wake, __ATOMIC_ACQUIRE);
        if (wake == 1)
            return __atomic_load_n(&me->expired, __ATOMIC_RELAXED) ? SER_TIMED_OUT : SER_WOKEN;
        if (result == -ETIMEDOUT && until == how->deadline)
            return SER_TIMED_OUT;
        if (is_interrupted(me, how, result))
            return SER_INTERRUPTED;
        if (wake == SER_WAKE_HANDLED)
            return SER_HANDLED;
        if (should_retry(how, &releases))
            return SER_WOKEN;
    }
}

static void note_wait(ser_thread *me, const ser_runtime_wait *how)
{
    me->state = SER_WAITS;
    me->how = *how;
    me->woken = me->expired = false;
    me->timed = how->deadline || how->foreign;
    world->waiting += !me->timed;
}

static void note_wake(ser_thread *me)
{
    world->waiting -= !me->timed;
    me->cancellable = false;
}

/* A thread that is not recorded sets the word without the token. If it looks for waiters before
 * this one waits, the word says so; both look with ser_runtime_world.lock. */
static bool was_set_from_outside(const ser_runtime_wait *how)
{
    return how->word && __atomic_load_n(how->word, __ATOMIC_SEQ_CST) != how->value;
}

/* Those that came just before the thread slept. A wait that a signal ends has begun already, so
 * that it must be asleep when they come. */
static void handle_deferred(ser_thread *me, const ser_runtime_wait *how)
{
    if (ser_unlikely(me->defers) && !how->interruptible)
        ser_the_platform.handles_deferred(me);
}

static ser_wakening wait_serially(ser_thread *me, const ser_runtime_wait *how)
{
    ser_lock_take(&world->lock);
    if (was_set_from_outside(how)) {
        ser_lock_give(&world->lock);
        return SER_WOKEN;
    }
    note_wait(me, how);
    ser_set_limit(me, 0);
    ser_token_hand_over();
    ser_lock_give(&world->lock);
    ser_fall_asleep(me);
    handle_deferred(me, how);
    ser_wakening why = doze(me, how);
    ser_wake_up(me);
    ser_lock_take(&world->lock);
    if (me->wake == SER_WAKE_HANDLED)
        me->wake = 0;
    if (me->state == SER_WAITS) {
        note_wake(me);
        ser_token_make_ready(me, me);
    }
    ser_lock_give(&world->lock);
    ser_token_sleep(me);
    return me->woken ? SER_WOKEN : why;
}

/* With ser_runtime_world.objects. */
static void return_from_wait(ser_thread *me)
{
    ser_clocks_catch_up(me);
    ser_lock_take(&world->objects);
    if (me->state == SER_WAITS)
        note_wake(me);
    me->state = SER_RUNS;
    me->wake = 0;
    ser_set_line_limit(me, me->line_limit);
}

/* Not inside, so that others can push our clock while we sleep. A signal handler elides nothing
 * in the meantime: a thread that sees that we wait relies on it (owners.c). */
static ser_wakening wait_in_parallel(ser_thread *me, const ser_runtime_wait *how)
{
    me->elide_limit = 0;
    ser_compiler_barrier();
    note_wait(me, how);
    ser_lock_give(&world->objects);
    ser_token_send_wakes(me);
    ser_leave(me);
    ser_clocks_follow(me);
    handle_deferred(me, how);
    ser_wakening why = doze(me, how);
    me->inside = 1;
    ser_compiler_barrier();
    return_from_wait(me);
    return me->woken ? SER_WOKEN : why;
}

/* It does not matter where the thread slept: if it was woken it is in the queue or has the
 * token, which its wake word says. */
static void resume_serially(ser_thread *me)
{
    ser_lock_take(&world->lock);
    bool has_token = world->holder == me;
    if (me->wake == SER_WAKE_HANDLED)
        me->wake = 0;
    if (!has_token && me->state != SER_READY) {
        if (me->state == SER_WAITS)
            note_wake(me);
        ser_token_make_ready(me, me);
    }
    bool sleeps = !has_token || me->wake;
    ser_lock_give(&world->lock);
    if (sleeps)
        ser_token_sleep(me);
    ser_handler_wakes_send(me);
}

void ser_token_resume(ser_thread *me)
{
    if (!world->parallel)
        resume_serially(me);
    else if (me->state == SER_WAITS)
        return_from_wait(me);
}

static const char *name_of_wakening(const ser_thread *me, ser_wakening why)
{
    static const char *const names[] = {"woken", "its time is over", "interrupted by a signal",
                                        "cancelled", "a handler has woken others"};
    return names[me->cancelled && !me->woken ? SER_CANCELLED : why];
}

ser_wakening ser_token_wait(ser_thread *me, const ser_runtime_wait *how)
{
    ser_watchdog_start();
    me->waiting_site = ser_here(me);
    bool cancellable = (how->cancellable || me->async) && ser_the_platform.is_cancellable();
    me->waits = true;
    ser_log(WAIT, DEBUG, "T%u waits for %x at site %u, %s", me->number, (uintptr_t)how->address,
            me->waiting_site, ser_log_text(how->deadline ? "with a time-out" : "without time-out"));
    ser_wakening why;
    do {
        me->cancellable = cancellable;
        why = world->parallel ? wait_in_parallel(me, how) : wait_serially(me, how);
    } while (why == SER_HANDLED && !me->expired && !(cancellable && me->cancelled));
    me->waits = false;
    ser_log(WAIT, DEBUG, "T%u goes on: %s", me->number, ser_log_text(name_of_wakening(me, why)));
    if (why == SER_HANDLED)
        return me->expired ? SER_TIMED_OUT : SER_CANCELLED;
    return me->cancelled && cancellable && !me->woken ? SER_CANCELLED : why;
}

static void send_wake(ser_thread *thread)
{
    ser_futex_wake(&thread->wake, 1, false);
}

void ser_token_send_wakes(ser_thread *me)
{
    for (; me->to_wake_count > 0; me->to_wake_count--)
        send_wake(me->to_wake[me->to_wake_count - 1]);
    me->wakes_later = false;
}

void ser_token_send_all_wakes(void)
{
    uint32_t count = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++)
        if (__atomic_load_n(&world->threads[i]->wake, __ATOMIC_RELAXED))
            send_wake(world->threads[i]);
}

void ser_token_send_to_rest(void)
{
    uint32_t count = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++)
        send_wake(world->threads[i]);
}

static void wake_soon(ser_thread *thread)
{
    ser_thread *me = ser_self;
    if (me == &ser_nobody || me == &ser_stranger || me->to_wake_count == SER_TO_WAKE)
        send_wake(thread);
    else
        me->to_wake[me->to_wake_count++] = thread;
}

/* With the lock that protects states. */
static void rouse(ser_thread *thread)
{
    if (thread->state != SER_WAITS)
        return;
    note_wake(thread);
    if (!world->parallel) {
        ser_token_make_ready(thread, 0);
        return;
    }
    thread->state = SER_RUNS;
    __atomic_store_n(&thread->wake, 1, __ATOMIC_RELEASE);
    wake_soon(thread);
}

void ser_token_wake(ser_thread *thread)
{
    if (!world->parallel)
        ser_lock_take(&world->lock);
    thread->woken = true;
    ser_log(WAIT, DEBUG, "T%u is woken%s", thread->number,
            ser_log_text(thread->state == SER_WAITS ? "" : ", but waits no more"));
    if (thread->state == SER_WAITS && thread->how.starved)
        ser_token_be_next(thread);
    rouse(thread);
    if (!world->parallel)
        ser_lock_give(&world->lock);
}

void ser_token_forsake(ser_thread *me)
{
    if (me->state != SER_WAITS)
        return;
    if (!world->parallel)
        ser_lock_take(&world->lock);
    note_wake(me);
    me->state = SER_RUNS;
    if (!world->parallel)
        ser_lock_give(&world->lock);
}

void ser_token_expire(ser_thread *thread)
{
    thread->expired = true;
    rouse(thread);
}

uint32_t ser_token_wake_from_outside(const uint32_t *word, uint32_t most)
{
    ser_lock *lock = world->parallel ? &world->objects : &world->lock;
    uint32_t woken = 0;
    ser_lock_take(lock);
    for (uint32_t i = 0; i < world->thread_count && woken < most; i++) {
        ser_thread *thread = world->threads[i];
        if (thread->state != SER_WAITS || thread->how.word != word)
            continue;
        ser_log(WAIT, DEBUG, "T%u is woken from outside", thread->number);
        rouse(thread);
        woken++;
    }
    ser_lock_give(lock);
    return woken;
}

void ser_token_cancel(ser_thread *thread)
{
    if (!world->parallel)
        ser_lock_take(&world->lock);
    thread->cancelled = true;
    if (thread->cancellable)
        rouse(thread);
    if (!world->parallel)
        ser_lock_give(&world->lock);
}
