/* SPDX-License-Identifier: MIT */
/*
 * Mutexes of all kinds.
 *
 * The real lock is taken too, but only by a try: it keeps the state (owner, depth, robustness),
 * which forked children and code without instrumentation rely on, while waiting is ours. A try that
 * fails means that another thread holds it; its unlock wakes the first that waits, which tries
 * again.
 */
#include <errno.h>
#include <limits.h>

#include "runtime/posix/streams/lingering.h"
#include "runtime/posix/sync/sync.h"

enum { KIND_MASK = 3, ROBUST_BIT = 16, SHARED_BIT = 128 }; /* of the C library's __kind */

/* Free, or left behind by a thread that died (robust mutexes). */
static bool looks_free(const void *address)
{
    uint32_t word = __atomic_load_n((const uint32_t *)address, __ATOMIC_ACQUIRE);
    return word == 0 || (word & FUTEX_OWNER_DIED);
}

static bool is_taken(int result)
{
    return result == 0 || result == EOWNERDEAD;
}

/* A mutex that was destroyed refuses to be locked: that comes after the destruction, as a take
 * comes after a post, in every reordering. */
static void note_refusal(ser_thread *me, const pthread_mutex_t *mutex)
{
    ser_put(me, SER_OP_TAKE, mutex, 0);
    ser_put(me, SER_OP_POST, mutex, 0);
}

int ser_mutex_try(ser_thread *me, pthread_mutex_t *mutex)
{
    int result = ser_real.pthread_mutex_trylock(mutex);
    if (is_taken(result))
        ser_put(me, SER_OP_ACQUIRE, mutex, 0);
    else if (result == EINVAL)
        note_refusal(me, mutex);
    return result;
}

/* Would waiting be an error instead of a deadlock? */
static bool refuses_own(const ser_thread *me, const pthread_mutex_t *mutex)
{
    return (mutex->__data.__kind & KIND_MASK) == PTHREAD_MUTEX_ERRORCHECK &&
           (uint32_t)mutex->__data.__owner == me->tid;
}

/* The C library's try of a mutex that cannot be used any more leaves it locked; its lock does not.
 */
static int lost(const ser_thread *me, pthread_mutex_t *mutex)
{
    uint32_t *word = (uint32_t *)&mutex->__data.__lock;
    if ((__atomic_load_n(word, __ATOMIC_RELAXED) & FUTEX_TID_MASK) == me->tid) {
        __atomic_store_n(word, 0, __ATOMIC_RELEASE);
        ser_futex_wake(word, INT_MAX, mutex->__data.__kind & SHARED_BIT);
    }
    return ENOTRECOVERABLE;
}

/* The lock could not be taken. If another process holds it, that is not in the trace. */
static void note_failure(ser_thread *me, const pthread_mutex_t *mutex)
{
    if (!(mutex->__data.__kind & (SHARED_BIT | ROBUST_BIT)) ||
        ser_thread_by_tid((uint32_t)mutex->__data.__owner))
        ser_put(me, SER_OP_TRY_FAILED, mutex, 0);
    ser_object_refuse(me, SER_KIND_MUTEX, mutex);
}

int ser_mutex_lock(ser_thread *me, pthread_mutex_t *mutex, const ser_deadline *deadline)
{
    ser_claim claim = {0};
    for (;;) {
        int result = ser_mutex_try(me, mutex);
        if (result == ENOTRECOVERABLE)
            return lost(me, mutex);
        if (result != EBUSY)
            return result;
        if (refuses_own(me, mutex))
            return EDEADLK;
        ser_runtime_wait how = {.deadline = deadline,
                                .is_free = looks_free,
                                .foreign =
                                    (mutex->__data.__kind & (SHARED_BIT | ROBUST_BIT)) ||
                                    !ser_thread_last_with_tid((uint32_t)mutex->__data.__owner)};
        if (ser_object_await(me, SER_KIND_MUTEX, mutex, how, &claim) != SER_TIMED_OUT)
            continue;
        result = ser_mutex_try(me, mutex);
        if (result == ENOTRECOVERABLE)
            return lost(me, mutex);
        if (result != EBUSY)
            return result;
        note_failure(me, mutex);
        return ETIMEDOUT;
    }
}

int ser_mutex_unlock(ser_thread *me, pthread_mutex_t *mutex)
{
    int result = ser_real.pthread_mutex_unlock(mutex);
    if (result == 0) {
        ser_put(me, SER_OP_RELEASE, mutex, 0);
        ser_object_wake(SER_KIND_MUTEX, mutex, 1);
    }
    return result;
}

/* A mutex may be in memory that is not mapped any more. A system call finds out without a fault. */
static bool is_readable(const uint32_t *word)
{
    ser_deadline past = {.clock = CLOCK_MONOTONIC};
    return (uintptr_t)word % sizeof *word == 0 && ser_futex_wait(word, 0, &past, false) != -EFAULT;
}

/* The kernel finds a thread's robust mutexes in a list through their __list members, and
 * releases those that it still holds when the thread is gone: soon after this. */
uint32_t ser_mutex_abandon(ser_thread *me, uint32_t done)
{
    enum { MOST = 2048 /* that the kernel looks at */, AT_ONCE = SER_ROOM / 4 };
    struct robust_list_head *head = 0;
    size_t size = 0;
    if (ser_sys(SYS_get_robust_list, 0, (long)&head, (long)&size, 0, 0, 0) < 0 || !head)
        return done;
    const struct robust_list *entry = head->list.next;
    for (uint32_t i = 0; i < MOST && i < done + AT_ONCE; i++) {
        entry = (const struct robust_list *)((uintptr_t)entry & ~(uintptr_t)1); /* 1: inherits
                                                                                   priority */
        const uint32_t *word = (const uint32_t *)((uintptr_t)entry + (uintptr_t)head->futex_offset);
        if (!entry || entry == &head->list || !is_readable((const uint32_t *)entry) ||
            !is_readable(word))
            return i > done ? i : done;
        if (i >= done && (__atomic_load_n(word, __ATOMIC_RELAXED) & FUTEX_TID_MASK) == me->tid)
            ser_put(me, SER_OP_RELEASE, word, 0);
        entry = entry->next;
    }
    return done + AT_ONCE < MOST ? done + AT_ONCE : MOST;
}

SER_EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    ser_thread *me = ser_enter_object(mutex);
    if (!me)
        return ser_real.pthread_mutex_lock(mutex);
    int result = ser_mutex_lock(me, mutex, 0);
    ser_leave_sync(me);
    return result;
}

SER_EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    ser_thread *me = ser_enter_object(mutex);
    if (!me)
        return ser_real.pthread_mutex_trylock(mutex);
    int result = ser_mutex_try(me, mutex);
    if (result == EBUSY)
        note_failure(me, mutex);
    ser_leave_sync(me);
    return result;
}

SER_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                       const struct timespec *time)
{
    ser_deadline deadline;
    ser_thread *me = ser_enter_object(mutex);
    if (!me)
        return ser_real.pthread_mutex_clocklock(mutex, clock, time);
    int result = ser_deadline_read(&deadline, clock, time);
    if (result == 0)
        result = ser_mutex_lock(me, mutex, &deadline);
    ser_leave_sync(me);
    return result;
}

SER_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time)
{
    return pthread_mutex_clocklock(mutex, CLOCK_REALTIME, time);
}

SER_EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    ser_thread *me = ser_enter_object(mutex);
    if (!me)
        return ser_real.pthread_mutex_unlock(mutex);
    int result = ser_mutex_unlock(me, mutex);
    ser_leave_sync(me);
    ser_linger_after_unlock(me);
    return result;
}

SER_EXPORT int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    ser_thread *me = ser_enter_object(mutex);
    if (!me)
        return ser_real.pthread_mutex_destroy(mutex);
    int result = ser_real.pthread_mutex_destroy(mutex);
    if (result == 0)
        ser_put(me, SER_OP_POST, mutex, 0);
    ser_leave_sync(me);
    return result;
}
