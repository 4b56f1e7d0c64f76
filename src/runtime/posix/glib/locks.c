/* SPDX-License-Identifier: MIT */
/*
 * GMutex and GCond.
 */
#include <dlfcn.h>

#include "runtime/posix/glib/glib.h"
#include "runtime/posix/sync/owned.h"

const ser_glib_functions *ser_glib_real(void)
{
    static ser_glib_functions real;
    static uint32_t found;
    if (ser_likely(__atomic_load_n(&found, __ATOMIC_ACQUIRE)))
        return &real;
#define SER_X(result, name, ...) *(void **)&real.name = dlsym(RTLD_NEXT, #name);
    SER_GLIB_REAL(SER_X)
#undef SER_X
    __atomic_store_n(&found, 1, __ATOMIC_RELEASE);
    return &real;
}

static void lock(ser_thread *me, void *mutex)
{
    ser_owned_acquire(me, mutex, false);
    ser_glib_real()->g_mutex_lock(mutex);
}

static void unlock(ser_thread *me, void *mutex)
{
    ser_glib_real()->g_mutex_unlock(mutex);
    ser_owned_release(me, mutex);
}

SER_EXPORT void g_mutex_lock(void *mutex)
{
    const ser_glib_functions *real = ser_glib_real();
    ser_thread *me = ser_enter_sync();
    if (!me) {
        real->g_mutex_lock(mutex);
        return;
    }
    lock(me, mutex);
    ser_leave_sync(me);
}

SER_EXPORT int g_mutex_trylock(void *mutex)
{
    const ser_glib_functions *real = ser_glib_real();
    ser_thread *me = ser_enter_sync();
    if (!me)
        return real->g_mutex_trylock(mutex);
    bool owned = ser_owned_try(me, mutex, false);
    if (owned)
        real->g_mutex_lock(mutex);
    ser_leave_sync(me);
    return owned;
}

SER_EXPORT void g_mutex_unlock(void *mutex)
{
    const ser_glib_functions *real = ser_glib_real();
    ser_thread *me = ser_enter_sync();
    if (!me) {
        real->g_mutex_unlock(mutex);
        return;
    }
    unlock(me, mutex);
    ser_leave_sync(me);
}

/* As condition.c waits. False: its time was over. */
static bool await(ser_thread *me, void *condition, void *mutex, const ser_deadline *deadline)
{
    unlock(me, mutex);
    ser_put(me, SER_OP_WAIT, condition, 0);
    ser_runtime_wait how = {.deadline = deadline, .spurious = true};
    ser_wakening why = ser_object_wait(me, SER_KIND_CONDITION, condition, how);
    lock(me, mutex);
    return why != SER_TIMED_OUT || !deadline;
}

SER_EXPORT void g_cond_wait(void *condition, void *mutex)
{
    const ser_glib_functions *real = ser_glib_real();
    ser_thread *me = ser_enter_sync();
    if (!me) {
        real->g_cond_wait(condition, mutex);
        return;
    }
    await(me, condition, mutex, 0);
    ser_leave_sync(me);
}

SER_EXPORT int g_cond_wait_until(void *condition, void *mutex, int64_t end)
{
    enum { MILLION = 1000000 };
    const ser_glib_functions *real = ser_glib_real();
    struct timespec time = {.tv_sec = end / MILLION, .tv_nsec = end % MILLION * 1000};
    ser_deadline deadline;
    ser_thread *me = ser_enter_sync();
    if (!me)
        return real->g_cond_wait_until(condition, mutex, end);
    int result = ser_deadline_read(&deadline, CLOCK_MONOTONIC, &time) == 0 &&
                 await(me, condition, mutex, &deadline);
    ser_leave_sync(me);
    return result;
}

static void notify(void *condition, bool all, void (*real)(void *))
{
    ser_thread *me = ser_enter_sync();
    if (me) {
        ser_put(me, all ? SER_OP_NOTIFY_ALL : SER_OP_NOTIFY, condition, 0);
        ser_object_wake(SER_KIND_CONDITION, condition, all ? UINT32_MAX : 1);
    }
    real(condition); /* threads that are not recorded may wait there */
    if (me)
        ser_leave_sync(me);
}

SER_EXPORT void g_cond_signal(void *condition)
{
    notify(condition, false, ser_glib_real()->g_cond_signal);
}

SER_EXPORT void g_cond_broadcast(void *condition)
{
    notify(condition, true, ser_glib_real()->g_cond_broadcast);
}
