/* SPDX-License-Identifier: MIT */
/*
 * Threads as the program makes them: birth and end. Joining them is in joins.c.
 *
 * A child is numbered and queued by its parent, which has the token, so that numbers and turns do
 * not depend on how fast the system starts it. It ends in the destructor of a key, in the last
 * round: after the destructors of the program's own thread-local variables, which may still make
 * events.
 */
#include "runtime/posix/thread.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>

#include "runtime/access/access.h"
#include "runtime/core/log.h"
#include "runtime/core/records/clocks.h"
#include "runtime/core/records/elided.h"
#include "runtime/core/turns/watchdog.h"
#include "runtime/elide/happens_before.h"
#include "runtime/posix/cancel.h"
#include "runtime/posix/elsewhere.h"
#include "runtime/posix/signals.h"
#include "runtime/posix/start.h"

static ser_runtime_world *const world = &ser_the_world;
static pthread_key_t end_key;

ser_call_place ser_step_out(ser_thread *me)
{
    ser_call_place kept = {me->at, me->code};
    if (world->foreign_heap)
        ser_leave_sync(me);
    return kept;
}

void ser_step_in(ser_thread *me, ser_call_place kept)
{
    if (!world->foreign_heap)
        return;
    ser_enter_sync();
    me->at = kept.at;
    me->code = kept.code;
}

/* Of any thread but the initial one. The caller need not be inside. */
static void find_stack(ser_thread *me)
{
    pthread_attr_t attributes;
    void *lowest = 0;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &lowest, &size);
        pthread_attr_destroy(&attributes);
    }
    me->stack_low = (uintptr_t)lowest;
    me->stack_size = size;
}

static void record_stack(ser_thread *me)
{
    uintptr_t lowest = me->stack_low;
    size_t size = me->stack_size;
    ser_shadow_renew(lowest, size);
    if (world->parallel)
        ser_clocks_rise_above_all(me);
    ser_clocks_tick(me);
    ser_put_record(me, lowest, size, ser_tag(SER_RAW_THREAD, 0, 0));
    if (world->parallel)
        ser_clocks_publish(me);
}

void ser_thread_begin(ser_thread *me)
{
    me->tid = (uint32_t)ser_sys(SYS_gettid, 0, 0, 0, 0, 0, 0);
    me->handle = pthread_self();
    ser_cancel_begin(me);
    ser_self = me;
    pthread_setspecific(end_key, me);
    ser_log(RUNTIME, INFO, "T%u begins, thread %u of the system", me->number, me->tid);
}

ser_thread *ser_thread_adopt(void)
{
    ser_self = &ser_stranger; /* nothing that this calls is recorded */
    ser_thread *me = ser_thread_create();
    if (!me) {
        ser_lose(1);
        return 0;
    }
    ser_thread_begin(me);
    if (me->number == 0) /* the first of all can be joined; no other thread's creation was missed */
        ser_joinable_add(me);
    ser_token_admit(me);
    ser_token_await_first(me);
    if (me->tid == (uint32_t)world->process)
        ser_stack_of_process(&me->stack_low, &me->stack_size);
    else
        find_stack(me);
    record_stack(me);
    ser_leave(me);
    return me;
}

bool ser_thread_meet(void)
{
    ser_start();
    return ser_self != &ser_nobody || (world->channel && ser_thread_adopt());
}

/* A thread that begins elsewhere. The recorder hears of it when it comes back. */
static void *help(ser_thread *me)
{
    find_stack(me);
    __atomic_store_n(&me->inside, SER_ELSEWHERE, __ATOMIC_RELEASE);
    return me->start(me->argument);
}

void ser_thread_helped(ser_thread *me)
{
    if (!me->helps)
        return;
    me->helps = false;
    if (!ser_enter())
        return;
    record_stack(me);
    ser_leave(me);
}

static void *run(void *argument)
{
    ser_thread *me = argument;
    ser_thread_begin(me);
    pthread_sigmask(SIG_SETMASK, &me->signals, 0);
    if (me->helps)
        return help(me);
    ser_token_await_first(me);
    if (world->foreign_heap)
        ser_leave(me);
    find_stack(me);
    if (world->foreign_heap)
        ser_enter();
    record_stack(me);
    ser_leave(me);
    return me->start(me->argument);
}

static bool starts_detached(const pthread_attr_t *attributes)
{
    int state;
    return attributes && pthread_attr_getdetachstate(attributes, &state) == 0 &&
           state == PTHREAD_CREATE_DETACHED;
}

static int create(ser_thread *me, pthread_t *handle, const pthread_attr_t *attributes,
                  void *(*start)(void *), void *argument)
{
    ser_call_place kept = ser_step_out(me);
    ser_watchdog_start();
    int result = ser_real.pthread_create(handle, attributes, start, argument);
    ser_step_in(me, kept);
    return result;
}

void ser_store_result(void *address, uint64_t value, uint32_t size)
{
    ser_runtime_access write = {
        .kind = SER_ACCESS_STORE, .size = size, .address = address, .value.word = value};
    ser_access_do(&write, 0);
}

/* A write of the program, as far as others see it, before the new thread does anything. */
static void store_handle(ser_thread *me, pthread_t *to, pthread_t handle)
{
    const ser_call_place kept = {me->at, me->code};
    ser_leave_sync(me);
    ser_store_result(to, handle, sizeof handle);
    ser_enter_sync();
    me->at = kept.at;
    me->code = kept.code;
}

int ser_thread_spawn(ser_thread *me, pthread_t *handle, const pthread_attr_t *attributes,
                     void *(*start)(void *), void *argument)
{
    if (world->parallel)
        ser_clocks_await_ring(me);
    ser_thread *child = ser_thread_create();
    if (!child) {
        ser_stop_for_stranger(me);
        return create(me, handle, attributes, start, argument);
    }
    child->start = start;
    child->argument = argument;
    child->helps = me->makes_helpers;
    child->detached = starts_detached(attributes);
    sigset_t all;
    sigfillset(&all); /* a handler would run in a thread that is not set up yet */
    pthread_sigmask(SIG_SETMASK, &all, &child->signals);
    int result = create(me, &child->handle, attributes, run, child);
    pthread_sigmask(SIG_SETMASK, &child->signals, 0);
    if (result) {
        ser_thread_forget(child);
        return result;
    }
    store_handle(me, handle, child->handle);
    if (!child->detached)
        ser_joinable_add(child);
    ser_put(me, SER_OP_FORK, (void *)(uintptr_t)child->number, 0);
    ser_learn_all(child, me);
    if (me->clock > child->clock)
        child->clock = me->clock;
    if (child->helps)
        ser_token_admit_outside(child);
    else
        ser_token_admit(child);
    return 0;
}

/* When the thread is gone, the kernel marks the mutexes of its robust list as left behind: also
 * one of ours (ser_thread.end), by which others see that it is gone (token.c). */
static void announce_end(ser_thread *me)
{
    struct robust_list_head *head = 0;
    size_t size = 0;
    struct robust_list *entry = (struct robust_list *)&me->end.__data.__list.__next;
    if (ser_sys(SYS_get_robust_list, 0, (long)&head, (long)&size, 0, 0, 0) < 0 || !head ||
        (uintptr_t)entry + (uintptr_t)head->futex_offset != (uintptr_t)&me->end.__data.__lock)
        return;
    me->end.__data.__lock = (int)(me->tid | FUTEX_WAITERS);
    entry->next = head->list.next;
    head->list.next = entry;
}

static void end_thread(ser_thread *me)
{
    if (!world->parallel)
        announce_end(me);
    ser_signals_pass_on(me);
    if (me->detached)
        ser_joinable_remove(me);
    ser_thread_end(me);
}

static void abandon_mutexes(ser_thread *me)
{
    for (uint32_t before = UINT32_MAX, done = 0; done != before && ser_enter_sync();) {
        before = done;
        done = ser_mutex_abandon(me, done);
        ser_leave_sync(me);
    }
}

/* The key's destructor: the last round is the end. */
static void count_round(void *argument)
{
    ser_thread *me = argument;
    if (me != ser_self)
        return;
    ser_come_back();
    if (!world->parallel && me->state == SER_WAITS) { /* it was inside there */
        ser_token_forsake(me);
        me->inside = SER_AWAY;
    }
    if (++me->rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
        pthread_setspecific(end_key, me);
        return;
    }
    ser_thread_finish();
}

void ser_thread_finish(void)
{
    ser_thread *me = ser_enter();
    if (!me)
        return;
    ser_record_rest(me);
    ser_leave(me);
    abandon_mutexes(me);
    if (ser_enter_sync())
        end_thread(me);
}

void ser_thread_key(void)
{
    pthread_key_create(&end_key, count_round);
}

SER_EXPORT int pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
                              void *(*start)(void *), void *argument)
{
    bool elsewhere = ser_come_back();
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_create(handle, attributes, start, argument);
    me->makes_helpers = elsewhere;
    int result = ser_thread_spawn(me, handle, attributes, start, argument);
    me->makes_helpers = false;
    ser_leave_sync(me);
    if (elsewhere)
        ser_go_elsewhere();
    return result;
}

SER_EXPORT int sched_yield(void)
{
    ser_thread *me = ser_enter();
    if (!me)
        return ser_real.sched_yield();
    ser_token_yield(me);
    ser_leave(me);
    return ser_the_world.parallel ? ser_real.sched_yield() : 0;
}
