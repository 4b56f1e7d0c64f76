/* SPDX-License-Identifier: MIT */
/*
 * Cancellation.
 *
 * Deferred cancellation is left to the C library, except in waits: these are ours, so that our
 * pthread_cancel ends them.
 *
 * Asynchronous cancellation would end a thread inside the runtime, with the token or a lock. So the
 * C library believes that all threads are cancelled deferred, and `async` keeps what the program
 * wants. A thread that wants it can end where it enters the runtime on the slow path; where it
 * waits; and, since it may do neither, by the C library's own signal for this purpose. Our handler
 * comes before the C library's: it lets the thread end unless it is inside or waits. In that case
 * nothing happens, and the watchdog sends the signal again.
 */
#include "runtime/posix/cancel.h"

#include <errno.h>

#include "runtime/core/turns/watchdog.h"
#include "runtime/posix/thread.h"

enum { CANCEL_SIGNAL = 32 }; /* of the C library */

static ser_runtime_world *const world = &ser_the_world;
static bool has_asynchronous; /* some thread was, at some time */

/* As the kernel has it: the C library does not give this signal to programs. */
typedef struct kernel_action {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
} kernel_action;

static kernel_action of_library;

static bool is_recorded(const ser_thread *thread)
{
    return thread != &ser_nobody && thread != &ser_stranger;
}

static bool is_away(const ser_thread *me)
{
    uint32_t inside = __atomic_load_n(&me->inside, __ATOMIC_RELAXED);
    return (inside == SER_AWAY || inside == SER_PENDING) && !me->waits;
}

/* Ends the thread if it was cancelled, unless that is disabled. A later pthread_cancel counts
 * again. */
static void ask(ser_thread *me)
{
    me->cancelled = false;
    pthread_testcancel();
}

static void end_here(int number, siginfo_t *info, void *context)
{
    ser_thread *me = ser_self;
    int saved = errno;
    of_library.handler(number, info, context);
    if (is_recorded(me) && me->async && is_away(me))
        ask(me);
    errno = saved;
}

/* After the C library's has been set, by the first pthread_cancel. */
static void set_handler(void)
{
    static ser_lock lock;
    kernel_action action = {0};
    ser_lock_take(&lock);
    if (ser_sys(SYS_rt_sigaction, CANCEL_SIGNAL, 0, (long)&action, sizeof action.mask, 0, 0) == 0 &&
        action.handler != end_here && (uintptr_t)action.handler > 1 /* SIG_IGN */) {
        of_library = action;
        action.handler = end_here;
        ser_sys(SYS_rt_sigaction, CANCEL_SIGNAL, (long)&action, 0, sizeof action.mask, 0, 0);
    }
    ser_lock_give(&lock);
}

static void send_signal(const ser_thread *thread)
{
    if (__atomic_load_n(&of_library.handler, __ATOMIC_ACQUIRE))
        ser_sys(SYS_tgkill, world->process, thread->tid, CANCEL_SIGNAL, 0, 0, 0);
}

void ser_cancel_look(void)
{
    if (!__atomic_load_n(&has_asynchronous, __ATOMIC_RELAXED))
        return;
    uint32_t count = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++) {
        const ser_thread *thread = world->threads[i];
        if (thread->async && __atomic_load_n(&thread->cancelled, __ATOMIC_RELAXED) &&
            thread->state != SER_ENDED)
            send_signal(thread);
    }
}

static void want(ser_thread *me, bool async)
{
    if (async)
        __atomic_store_n(&has_asynchronous, true, __ATOMIC_RELAXED);
    me->async = async;
}

void ser_cancel_begin(ser_thread *me)
{
    int before = PTHREAD_CANCEL_DEFERRED;
    ser_real.pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before);
    want(me, before == PTHREAD_CANCEL_ASYNCHRONOUS);
}

void ser_cancel_hand_back(ser_thread *me)
{
    if (is_recorded(me) && me->async)
        ser_real.pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
}

bool ser_cancel_is_enabled(void)
{
    int before = PTHREAD_CANCEL_ENABLE;
    ser_real.pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    ser_real.pthread_setcancelstate(before, 0);
    return before == PTHREAD_CANCEL_ENABLE;
}

bool ser_cancel_point(ser_thread *me)
{
    if (!me->cancelled)
        return false;
    ser_leave_sync(me);
    ask(me);
    ser_enter_sync();
    return true;
}

void ser_cancel_at_entry(ser_thread *me)
{
    while (me->async && me->cancelled) {
        ser_leave(me);
        ask(me);
        me->inside = SER_INSIDE;
        ser_compiler_barrier();
        ser_enter_slowly_in_turn(me);
    }
}

/* The thread lives, so that its handle belongs to no other thread. */
static ser_thread *find(pthread_t handle)
{
    uint32_t count = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++)
        if (world->threads[i]->state != SER_ENDED &&
            pthread_equal(world->threads[i]->handle, handle))
            return world->threads[i];
    return 0;
}

SER_EXPORT int pthread_cancel(pthread_t handle)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_cancel(handle);
    ser_thread *other = find(handle);
    ser_call_place kept = ser_step_out(me); /* the first one loads a library */
    int code = ser_real.pthread_cancel(handle);
    ser_step_in(me, kept);
    bool at_once = other && code == 0 && other->async;
    if (other && code == 0)
        ser_token_cancel(other);
    if (at_once) {
        ser_watchdog_start();
        set_handler();
        if (other != me)
            send_signal(other);
    }
    ser_leave_sync(me);
    if (at_once && other == me)
        ask(me);
    return code;
}

/* It is safe here: for a moment the C library gets the cancellation type that the program
 * wants, and does what it does for other programs. False if that was not needed. */
static bool set_library(const ser_thread *me)
{
    if (!is_recorded(me) || !me->async || !is_away(me))
        return false;
    ser_real.pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
    return true;
}

static void unset_library(void)
{
    ser_real.pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, 0);
}

SER_EXPORT int pthread_setcanceltype(int type, int *before)
{
    ser_thread *me = ser_self;
    ser_real_find();
    if (!is_recorded(me) ||
        (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS))
        return ser_real.pthread_setcanceltype(type, before);
    if (before)
        *before = me->async ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
    want(me, type == PTHREAD_CANCEL_ASYNCHRONOUS);
    if (set_library(me))
        unset_library();
    return 0;
}

SER_EXPORT int pthread_setcancelstate(int state, int *before)
{
    ser_thread *me = ser_self;
    ser_real_find();
    bool was_set = set_library(me);
    int code = ser_real.pthread_setcancelstate(state, before);
    if (was_set)
        unset_library();
    return code;
}
