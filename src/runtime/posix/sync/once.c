/* SPDX-License-Identifier: MIT */
/*
 * What runs once: pthread_once, C11's call_once, and the guards of C++'s local
 * static variables.
 *
 * Recorded as a lock and a variable at the object's address: acq, r, then w by the thread that runs
 * it, and rel. While it runs, others wait. If it is left by an exception or by cancellation, the
 * next one runs it.
 */
#include <errno.h>

#include "runtime/posix/sync/sync.h"

/* Begins: true if the caller has to run it. With the lock recorded as taken. */
static bool begin(ser_thread *me, const void *control, bool (*is_done)(const void *))
{
    for (;;) {
        ser_runtime_object *object = ser_object_find(SER_KIND_ONCE, control);
        if (!object || !object->runner)
            break;
        ser_object_wait(me, SER_KIND_ONCE, control, (ser_runtime_wait){0});
    }
    bool done = is_done(control);
    ser_put(me, SER_OP_ACQUIRE, control, done ? SER_ABI_ONCE : SER_ABI_ONCE_RUNS);
    ser_put_sized(me, SER_OP_READ, control, done, 1);
    if (done) {
        ser_put(me, SER_OP_RELEASE, control, SER_ABI_ONCE);
        return false;
    }
    ser_runtime_object *object = ser_object_get(SER_KIND_ONCE, control);
    if (object)
        object->runner = me;
    return true;
}

static void end(ser_thread *me, const void *control, bool done)
{
    if (done)
        ser_put_sized(me, SER_OP_WRITE, control, 1, 1);
    ser_put(me, SER_OP_RELEASE, control, SER_ABI_ONCE_RUNS);
    ser_runtime_object *object = ser_object_find(SER_KIND_ONCE, control);
    if (!object)
        return;
    object->runner = 0;
    ser_object_wake(SER_KIND_ONCE, control, UINT32_MAX);
}

static bool once_is_done(const void *control)
{
    return (__atomic_load_n((const uint32_t *)control, __ATOMIC_ACQUIRE) & 3) == 2;
}

static void do_nothing(void)
{
}

typedef struct running {
    pthread_once_t *control;
    bool done;
} running;

/* However the routine was left. */
static void finish(running *once)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return;
    if (once->done)
        ser_real.pthread_once(once->control, do_nothing);
    end(me, once->control, once->done);
    ser_leave_sync(me);
}

SER_EXPORT int pthread_once(pthread_once_t *control, void (*routine)(void))
{
    ser_thread *me = ser_enter_object(control);
    if (!me)
        return ser_real.pthread_once(control, routine);
    bool mine = begin(me, control, once_is_done);
    ser_leave_sync(me);
    if (mine) {
        running once __attribute__((cleanup(finish))) = {.control = control};
        routine();
        once.done = true;
    }
    return 0;
}

SER_EXPORT void call_once(once_flag *flag, void (*routine)(void))
{
    pthread_once((pthread_once_t *)flag, routine);
}

int __cxa_guard_acquire(void *guard);
void __cxa_guard_release(void *guard);
void __cxa_guard_abort(void *guard);

/* The first byte of a guard says that the variable is there. */
static bool guard_is_done(const void *guard)
{
    return __atomic_load_n((const uint8_t *)guard, __ATOMIC_ACQUIRE) != 0;
}

SER_EXPORT int __cxa_guard_acquire(void *guard)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.__cxa_guard_acquire(guard);
    bool mine = begin(me, guard, guard_is_done);
    ser_leave_sync(me);
    return mine;
}

SER_EXPORT void __cxa_guard_release(void *guard)
{
    ser_thread *me = ser_enter_sync();
    if (!me) {
        ser_real.__cxa_guard_release(guard);
        return;
    }
    __atomic_store_n((uint8_t *)guard, 1, __ATOMIC_RELEASE);
    end(me, guard, true);
    ser_leave_sync(me);
}

SER_EXPORT void __cxa_guard_abort(void *guard)
{
    ser_thread *me = ser_enter_sync();
    if (!me) {
        ser_real.__cxa_guard_abort(guard);
        return;
    }
    end(me, guard, false);
    ser_leave_sync(me);
}
