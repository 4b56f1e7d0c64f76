/* SPDX-License-Identifier: MIT */
/*
 * Critical constructs, and the locks of omp.h.
 */
#include "runtime/posix/openmp/openmp.h"
#include "runtime/posix/sync/owned.h"

SER_EXPORT void __kmpc_critical(void *place, int32_t global, void *name)
{
    ser_thread *me = ser_enter_sync();
    if (me)
        ser_owned_acquire(me, name, false);
    ser_omp_real()->__kmpc_critical(place, global, name);
    if (me)
        ser_leave_sync(me);
}

SER_EXPORT void __kmpc_critical_with_hint(void *place, int32_t global, void *name, uint32_t hint)
{
    ser_thread *me = ser_enter_sync();
    if (me)
        ser_owned_acquire(me, name, false);
    ser_omp_real()->__kmpc_critical_with_hint(place, global, name, hint);
    if (me)
        ser_leave_sync(me);
}

SER_EXPORT void __kmpc_end_critical(void *place, int32_t global, void *name)
{
    ser_thread *me = ser_enter_sync();
    ser_omp_real()->__kmpc_end_critical(place, global, name);
    if (!me)
        return;
    ser_owned_release(me, name);
    ser_leave_sync(me);
}

static void set(void *lock, bool nests, void (*real)(void *))
{
    ser_thread *me = ser_enter_sync();
    if (me)
        ser_owned_acquire(me, lock, nests);
    real(lock);
    if (me)
        ser_leave_sync(me);
}

static void unset(void *lock, void (*real)(void *))
{
    ser_thread *me = ser_enter_sync();
    real(lock);
    if (!me)
        return;
    ser_owned_release(me, lock);
    ser_leave_sync(me);
}

/* 0, or how often the thread has it now. */
static int test(void *lock, bool nests, int (*real)(void *))
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return real(lock);
    int result = ser_owned_try(me, lock, nests) ? real(lock) : 0;
    ser_leave_sync(me);
    return result;
}

SER_EXPORT void omp_set_lock(void *lock)
{
    set(lock, false, ser_omp_real()->omp_set_lock);
}

SER_EXPORT void omp_unset_lock(void *lock)
{
    unset(lock, ser_omp_real()->omp_unset_lock);
}

SER_EXPORT int omp_test_lock(void *lock)
{
    return test(lock, false, ser_omp_real()->omp_test_lock);
}

SER_EXPORT void omp_set_nest_lock(void *lock)
{
    set(lock, true, ser_omp_real()->omp_set_nest_lock);
}

SER_EXPORT void omp_unset_nest_lock(void *lock)
{
    unset(lock, ser_omp_real()->omp_unset_nest_lock);
}

SER_EXPORT int omp_test_nest_lock(void *lock)
{
    return test(lock, true, ser_omp_real()->omp_test_nest_lock);
}
