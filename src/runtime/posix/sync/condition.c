/* SPDX-License-Identifier: MIT */
/*
 * Condition variables. Waiting is ours: the real condition never sees a waiter of ours, unless it
 * is shared between processes; then the real wait is done outside. Recorded as three events: the
 * mutex is released, the wait begins, and the mutex is acquired again.
 */
#include "runtime/posix/sync/condition.h"

#include <errno.h>

#include "runtime/posix/cancel.h"

enum { SHARED_BIT = 1, MONOTONIC_BIT = 2 }; /* of the C library's __wrefs */

static bool is_shared(const pthread_cond_t *condition)
{
    return condition->__data.__wrefs & SHARED_BIT;
}

/* The thread is in the real wait, with this mutex. */
typedef struct waiting {
    ser_thread *me;
    const pthread_mutex_t *mutex;
    bool cancelled;
} waiting;

/* Whichever way it ends: a thread that is cancelled there gets its mutex back, too. */
static void note_acquired(waiting *wait)
{
    if (!ser_enter_sync())
        return;
    ser_put(wait->me, SER_OP_ACQUIRE, wait->mutex, 0);
    if (wait->cancelled)
        ser_leave_sync(wait->me);
}

static int wait_for_other_process(ser_thread *me, pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  const ser_deadline *deadline)
{
    ser_put(me, SER_OP_RELEASE, mutex, 0);
    ser_put(me, SER_OP_WAIT, condition, 0);
    ser_object_wake(SER_KIND_MUTEX, mutex, 1);
    ser_token_release(me);
    ser_leave_sync(me);
    waiting wait __attribute__((cleanup(note_acquired))) = {me, mutex, true};
    int result = deadline ? ser_real.pthread_cond_clockwait(condition, mutex, deadline->clock,
                                                            &deadline->time)
                          : ser_real.pthread_cond_wait(condition, mutex);
    wait.cancelled = false;
    return result;
}

static int wait_here(ser_thread *me, pthread_cond_t *condition, pthread_mutex_t *mutex,
                     const ser_deadline *deadline)
{
    int result = ser_mutex_unlock(me, mutex);
    if (result)
        return result;
    ser_put(me, SER_OP_WAIT, condition, 0);
    ser_runtime_wait how = {
        .deadline = deadline, .cancellable = true, .spurious = true, .mutex = mutex};
    ser_wakening why = ser_object_wait(me, SER_KIND_CONDITION, condition, how);
    result = ser_mutex_lock(me, mutex, 0);
    if (why == SER_CANCELLED)
        ser_cancel_point(me);
    return result ? result : why == SER_TIMED_OUT && deadline ? ETIMEDOUT : 0;
}

/* A cancelled thread holds its mutex when its cleanup handlers run: it ends before it releases
 * the mutex or after it has it back, not between, even if it may be cancelled at any place. */
int ser_condition_wait(ser_thread *me, pthread_cond_t *condition, pthread_mutex_t *mutex,
                       const ser_deadline *deadline)
{
    while (ser_cancel_point(me))
        continue;
    bool async = me->async;
    me->async = false;
    int result = is_shared(condition) ? wait_for_other_process(me, condition, mutex, deadline)
                                      : wait_here(me, condition, mutex, deadline);
    me->async = async;
    return result;
}

/* Must the first waiting thread lock a mutex that this thread holds? Until that is free, waking
 * it would be useless. */
static bool waits_for_mutex_of(const ser_thread *me, const pthread_cond_t *condition)
{
    const ser_runtime_object *object = ser_object_find(SER_KIND_CONDITION, condition);
    const ser_thread *first = object ? object->first : 0;
    return first && first->state == SER_WAITS && /* it may have ended in there */
           (uint32_t)first->how.mutex->__data.__owner == me->tid;
}

int ser_condition_signal(ser_thread *me, pthread_cond_t *condition, bool all)
{
    ser_put(me, all ? SER_OP_NOTIFY_ALL : SER_OP_NOTIFY, condition, 0);
    me->wakes_later = waits_for_mutex_of(me, condition);
    ser_object_wake(SER_KIND_CONDITION, condition, all ? UINT32_MAX : 1);
    return all ? ser_real.pthread_cond_broadcast(condition)
               : ser_real.pthread_cond_signal(condition);
}

SER_EXPORT int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    pthread_testcancel();
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_cond_wait(condition, mutex);
    int result = ser_condition_wait(me, condition, mutex, 0);
    ser_leave_sync(me);
    return result;
}

SER_EXPORT int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                      clockid_t clock, const struct timespec *time)
{
    ser_deadline deadline;
    pthread_testcancel();
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_cond_clockwait(condition, mutex, clock, time);
    int result = ser_deadline_read(&deadline, clock, time);
    if (result == 0)
        result = ser_condition_wait(me, condition, mutex, &deadline);
    ser_leave_sync(me);
    return result;
}

SER_EXPORT int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                      const struct timespec *time)
{
    bool monotonic = condition->__data.__wrefs & MONOTONIC_BIT;
    return pthread_cond_clockwait(condition, mutex, monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME,
                                  time);
}

SER_EXPORT int pthread_cond_signal(pthread_cond_t *condition)
{
    ser_thread *me = ser_enter_sync();
    if (!me) {
        ser_handler_wakes(SER_KIND_CONDITION, condition, 1);
        return ser_real.pthread_cond_signal(condition);
    }
    int result = ser_condition_signal(me, condition, false);
    ser_leave_sync(me);
    return result;
}

SER_EXPORT int pthread_cond_broadcast(pthread_cond_t *condition)
{
    ser_thread *me = ser_enter_sync();
    if (!me) {
        ser_handler_wakes(SER_KIND_CONDITION, condition, UINT32_MAX);
        return ser_real.pthread_cond_broadcast(condition);
    }
    int result = ser_condition_signal(me, condition, true);
    ser_leave_sync(me);
    return result;
}
