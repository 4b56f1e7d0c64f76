/* SPDX-License-Identifier: MIT */
/*
 * C11's threads. The C library's own versions call the POSIX ones inside the library, where they
 * are not interposed. The types are the same, so ours call our POSIX functions, and only translate
 * their results.
 */
#include <errno.h>

#include "runtime/posix/sync/condition.h"
#include "runtime/posix/thread.h"

static int translated(int code)
{
    switch (code) {
    case 0:
        return thrd_success;
    case ENOMEM:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    case EBUSY:
        return thrd_busy;
    default:
        return thrd_error;
    }
}

typedef struct beginning {
    thrd_start_t function;
    void *argument;
} beginning;

static void *run(void *argument)
{
    beginning start = *(beginning *)argument;
    ser_real.free(argument);
    return (void *)(intptr_t)start.function(start.argument);
}

SER_EXPORT int thrd_create(thrd_t *handle, thrd_start_t function, void *argument)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.thrd_create(handle, function, argument);
    beginning *start = ser_real.malloc(sizeof *start);
    int code = ENOMEM;
    if (start) {
        *start = (beginning){function, argument};
        code = ser_thread_spawn(me, handle, 0, run, start);
        if (code)
            ser_real.free(start);
    }
    ser_leave_sync(me);
    return translated(code == EAGAIN ? ENOMEM : code);
}

SER_EXPORT int thrd_join(thrd_t handle, int *result)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.thrd_join(handle, result);
    void *value = 0;
    int code = ser_thread_join(me, handle, &value, 0);
    ser_leave_sync(me);
    if (result && code == 0)
        ser_store_result(result, (uint32_t)(intptr_t)value, sizeof *result);
    return translated(code);
}

SER_EXPORT int thrd_detach(thrd_t handle)
{
    return translated(pthread_detach(handle));
}

SER_EXPORT void thrd_yield(void)
{
    sched_yield();
}

SER_EXPORT int thrd_sleep(const struct timespec *time, struct timespec *left)
{
    ser_thread *me = ser_enter();
    if (me) {
        ser_token_release(me);
        ser_leave(me);
    }
    return ser_real.thrd_sleep(time, left);
}

SER_EXPORT int mtx_lock(mtx_t *mutex)
{
    return translated(pthread_mutex_lock((pthread_mutex_t *)mutex));
}

SER_EXPORT int mtx_trylock(mtx_t *mutex)
{
    return translated(pthread_mutex_trylock((pthread_mutex_t *)mutex));
}

SER_EXPORT int mtx_timedlock(mtx_t *mutex, const struct timespec *time)
{
    return translated(pthread_mutex_timedlock((pthread_mutex_t *)mutex, time));
}

SER_EXPORT int mtx_unlock(mtx_t *mutex)
{
    return translated(pthread_mutex_unlock((pthread_mutex_t *)mutex));
}

SER_EXPORT int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    return translated(pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}

SER_EXPORT int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *time)
{
    return translated(
        pthread_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, time));
}

SER_EXPORT int cnd_signal(cnd_t *condition)
{
    return translated(pthread_cond_signal((pthread_cond_t *)condition));
}

SER_EXPORT int cnd_broadcast(cnd_t *condition)
{
    return translated(pthread_cond_broadcast((pthread_cond_t *)condition));
}
