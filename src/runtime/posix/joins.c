/* SPDX-License-Identifier: MIT */
/*
 * Joining and detaching threads. A thread that can be joined is in a list from its creation on,
 * since its handle may be used again once it was joined.
 */
#include <errno.h>

#include "runtime/elide/happens_before.h"
#include "runtime/posix/cancel.h"
#include "runtime/posix/thread.h"

static ser_thread *unjoined; /* with the token or ser_runtime_world.objects */

void ser_joinable_add(ser_thread *thread)
{
    thread->unjoined = unjoined;
    unjoined = thread;
}

void ser_joinable_remove(ser_thread *thread)
{
    for (ser_thread **link = &unjoined; *link; link = &(*link)->unjoined)
        if (*link == thread) {
            *link = thread->unjoined;
            return;
        }
}

static ser_thread *find_unjoined(pthread_t handle)
{
    ser_thread *thread = unjoined;
    while (thread && !pthread_equal(thread->handle, handle))
        thread = thread->unjoined;
    return thread;
}

/* Waits for the end; 0, or why not. */
static int await_end(ser_thread *me, ser_thread *child, const ser_deadline *deadline)
{
    while (child->state != SER_ENDED) {
        if (ser_cancel_point(me))
            continue;
        ser_runtime_wait how = {.deadline = deadline, .cancellable = true};
        ser_wakening why = ser_object_wait(me, SER_KIND_THREAD, child, how);
        if (why == SER_TIMED_OUT && child->state != SER_ENDED)
            return ETIMEDOUT;
    }
    return 0;
}

/* The thread ends any moment now. The wait cannot be cancelled: the caller is inside. */
static int join_ended(pthread_t handle, void **result)
{
    int before;
    ser_real.pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    int code = ser_real.pthread_join(handle, result);
    ser_real.pthread_setcancelstate(before, 0);
    return code;
}

int ser_thread_join(ser_thread *me, pthread_t handle, void **result, const ser_deadline *deadline)
{
    ser_thread *child = find_unjoined(handle);
    if (!child || child == me) {
        bool timed = deadline;
        ser_token_release(me);
        ser_leave_sync(me);
        int code =
            timed ? ser_real.pthread_clockjoin_np(handle, result, deadline->clock, &deadline->time)
                  : ser_real.pthread_join(handle, result);
        ser_enter_sync();
        return code;
    }
    int code = await_end(me, child, deadline);
    if (code)
        return code;
    ser_call_place kept = ser_step_out(me);
    code = join_ended(handle, result);
    ser_step_in(me, kept);
    if (code == 0) {
        ser_joinable_remove(child);
        ser_put(me, SER_OP_JOIN, (void *)(uintptr_t)child->number, 0);
        ser_learn_all(me, child);
    }
    return code;
}

static int store_joined(int code, void **result, const void *value)
{
    if (code == 0 && result)
        ser_store_result(result, (uintptr_t)value, sizeof *result);
    return code;
}

SER_EXPORT int pthread_join(pthread_t handle, void **result)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_join(handle, result);
    void *value = 0;
    int code = ser_thread_join(me, handle, &value, 0);
    ser_leave_sync(me);
    return store_joined(code, result, value);
}

SER_EXPORT int pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock,
                                    const struct timespec *time)
{
    ser_deadline deadline;
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_clockjoin_np(handle, result, clock, time);
    void *value = 0;
    int code = time ? ser_deadline_read(&deadline, clock, time) : 0;
    if (code == 0)
        code = ser_thread_join(me, handle, &value, time ? &deadline : 0);
    ser_leave_sync(me);
    return store_joined(code, result, value);
}

SER_EXPORT int pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *time)
{
    return pthread_clockjoin_np(handle, result, CLOCK_REALTIME, time);
}

SER_EXPORT int pthread_tryjoin_np(pthread_t handle, void **result)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_tryjoin_np(handle, result);
    ser_thread *child = find_unjoined(handle);
    void *value = 0;
    int code = EBUSY;
    if (!child) {
        ser_call_place kept = ser_step_out(me);
        code = ser_real.pthread_tryjoin_np(handle, &value);
        ser_step_in(me, kept);
    } else if (child->state == SER_ENDED) {
        code = ser_thread_join(me, handle, &value, 0);
    } else {
        ser_token_count(me);
    }
    ser_leave_sync(me);
    return store_joined(code, result, value);
}

SER_EXPORT int pthread_detach(pthread_t handle)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_detach(handle);
    ser_thread *child = find_unjoined(handle);
    ser_call_place kept = ser_step_out(me);
    int code = ser_real.pthread_detach(handle);
    ser_step_in(me, kept);
    if (child && code == 0) {
        child->detached = true;
        ser_joinable_remove(child);
    }
    ser_leave_sync(me);
    return code;
}
