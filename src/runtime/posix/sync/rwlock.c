/* SPDX-License-Identifier: MIT */
/*
 * Reader-writer locks and spin locks: as mutex.c, with the real lock taken by a try. The last
 * unlock of a reader-writer lock wakes all that wait, since one writer or many readers may go on;
 * the others wait again.
 */
#include <errno.h>

#include "runtime/core/turns/replay.h"
#include "runtime/posix/streams/lingering.h"
#include "runtime/posix/sync/sync.h"

enum {
    READERS_SHIFT = 3,      /* of the C library's __readers: their number stands from this bit on */
    ROUNDS_FOR_WRITERS = 2, /* turns of each thread that a reader waits for, at most */
};

typedef int try_function(pthread_rwlock_t *);

/* One attempt to get the lock for reading or writing. */
typedef struct request {
    pthread_rwlock_t *lock;
    try_function *try_it;
    int op; /* of success */
    const ser_deadline *deadline;
} request;

static request for_reading(pthread_rwlock_t *lock)
{
    return (request){lock, ser_real.pthread_rwlock_tryrdlock, SER_OP_SHARED_ACQUIRE, 0};
}

static request for_writing(pthread_rwlock_t *lock)
{
    return (request){lock, ser_real.pthread_rwlock_trywrlock, SER_OP_ACQUIRE, 0};
}

static int attempt(ser_thread *me, const request *wish)
{
    int result = wish->try_it(wish->lock);
    if (result == 0)
        ser_put(me, wish->op, wish->lock, 0);
    return result;
}

static bool is_writer(const ser_thread *me, const pthread_rwlock_t *lock)
{
    return (uint32_t)lock->__data.__cur_writer == me->tid;
}

static void refuse(ser_thread *me, const pthread_rwlock_t *lock)
{
    ser_put(me, SER_OP_TRY_FAILED, lock, 0);
    ser_object_refuse(me, SER_KIND_RWLOCK, lock);
}

/* Overlapping readers can starve a writer. When it has lost too often, a new reader lets other
 * threads run first, which may unlock; but not for ever: those may wait for this very reader. */
static void let_others_out(ser_thread *me, const request *wish)
{
    bool reads = wish->op == SER_OP_SHARED_ACQUIRE;
    uint32_t rounds = reads ? ROUNDS_FOR_WRITERS * ser_the_world.living : 0;
    for (; rounds > 0 && ser_object_starves(SER_KIND_RWLOCK, wish->lock); rounds--)
        ser_token_yield(me);
}

/* While readers have it, those that wait for it cannot go on: they want to write, or will be woken
 * by the writer that kept them out. */
static bool is_free(const pthread_rwlock_t *lock)
{
    return lock->__data.__readers >> READERS_SHIFT == 0;
}

/* Readers that do not wait, or not for ever, get the lock as if the writer came later: that they
 * failed would be recorded, and with it that a thread waited, which is no operation. */
static bool has_preference(const request *wish)
{
    return wish->op == SER_OP_SHARED_ACQUIRE && !wish->deadline &&
           wish->lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

/* A lock that prefers writers lets no reader in while one waits: a thread that reads already and
 * wants to once more then waits for ever, as it would without us. */
static bool must_let_writer_pass(const request *wish)
{
    const ser_runtime_object *object =
        has_preference(wish) ? ser_object_find(SER_KIND_RWLOCK, wish->lock) : 0;
    const ser_thread *waiting = object ? object->first : 0;
    while (waiting && !(waiting->state == SER_WAITS && waiting->how.writes))
        waiting = waiting->behind;
    return waiting;
}

/* To wait for a lock is no event. So the end of a schedule that leads to a deadlock of a writer
 * with the reader that keeps it out does not have the writer's wait: it has to come about before
 * the reader asks again. Any order is a right one there. */
static void let_writers_wait(ser_thread *me, const request *wish)
{
    uint32_t rounds = ser_replay_was_followed() && has_preference(wish) && !is_free(wish->lock)
                          ? ROUNDS_FOR_WRITERS * ser_the_world.living
                          : 0;
    for (; rounds > 0 && !must_let_writer_pass(wish); rounds--)
        ser_token_yield(me);
}

static int get(ser_thread *me, const request *wish)
{
    ser_claim claim = {0};
    let_others_out(me, wish);
    let_writers_wait(me, wish);
    for (;;) {
        int result = must_let_writer_pass(wish) ? EBUSY : attempt(me, wish);
        if (result != EBUSY)
            return result;
        if (is_writer(me, wish->lock))
            return EDEADLK;
        ser_runtime_wait how = {.deadline = wish->deadline,
                                .foreign = wish->lock->__data.__shared,
                                .writes = wish->op == SER_OP_ACQUIRE};
        if (ser_object_await(me, SER_KIND_RWLOCK, wish->lock, how, &claim) != SER_TIMED_OUT)
            continue;
        result = attempt(me, wish);
        if (how.writes) /* readers that let this one pass may go on */
            ser_object_wake(SER_KIND_RWLOCK, wish->lock, UINT32_MAX);
        if (result == EBUSY)
            refuse(me, wish->lock);
        return result == EBUSY ? ETIMEDOUT : result;
    }
}

static int get_until(ser_thread *me, request wish, clockid_t clock, const struct timespec *time)
{
    ser_deadline deadline;
    int result = ser_deadline_read(&deadline, clock, time);
    wish.deadline = &deadline;
    return result ? result : get(me, &wish);
}

static int try_once(ser_thread *me, const request *wish)
{
    let_others_out(me, wish);
    int result = attempt(me, wish);
    if (result == EBUSY)
        refuse(me, wish->lock);
    return result;
}

SER_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_rwlock_rdlock(lock);
    request wish = for_reading(lock);
    int result = get(me, &wish);
    ser_leave_sync(me);
    return result;
}

SER_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_rwlock_wrlock(lock);
    request wish = for_writing(lock);
    int result = get(me, &wish);
    ser_leave_sync(me);
    return result;
}

SER_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_rwlock_tryrdlock(lock);
    request wish = for_reading(lock);
    int result = try_once(me, &wish);
    ser_leave_sync(me);
    return result;
}

SER_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_rwlock_trywrlock(lock);
    request wish = for_writing(lock);
    int result = try_once(me, &wish);
    ser_leave_sync(me);
    return result;
}

SER_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
                                          const struct timespec *time)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_rwlock_clockrdlock(lock, clock, time);
    int result = get_until(me, for_reading(lock), clock, time);
    ser_leave_sync(me);
    return result;
}

SER_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
                                          const struct timespec *time)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_rwlock_clockwrlock(lock, clock, time);
    int result = get_until(me, for_writing(lock), clock, time);
    ser_leave_sync(me);
    return result;
}

SER_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *time)
{
    return pthread_rwlock_clockrdlock(lock, CLOCK_REALTIME, time);
}

SER_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *time)
{
    return pthread_rwlock_clockwrlock(lock, CLOCK_REALTIME, time);
}

SER_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_rwlock_unlock(lock);
    bool writes = is_writer(me, lock);
    int result = ser_real.pthread_rwlock_unlock(lock);
    if (result == 0) {
        ser_put(me, writes ? SER_OP_RELEASE : SER_OP_SHARED_RELEASE, lock, 0);
        if (is_free(lock))
            ser_object_wake(SER_KIND_RWLOCK, lock, UINT32_MAX);
    }
    ser_leave_sync(me);
    ser_linger_after_unlock(me);
    return result;
}

static const void *address_of(pthread_spinlock_t *lock)
{
    return (const void *)lock; /* it is volatile; only its place matters */
}

static int try_spin(ser_thread *me, pthread_spinlock_t *lock)
{
    int result = ser_real.pthread_spin_trylock(lock);
    if (result == 0)
        ser_put(me, SER_OP_ACQUIRE, address_of(lock), 0);
    return result;
}

SER_EXPORT int pthread_spin_lock(pthread_spinlock_t *lock)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_spin_lock(lock);
    int result;
    ser_claim claim = {0};
    while ((result = try_spin(me, lock)) == EBUSY)
        ser_object_await(me, SER_KIND_SPIN, address_of(lock), (ser_runtime_wait){0}, &claim);
    ser_leave_sync(me);
    return result;
}

SER_EXPORT int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_spin_trylock(lock);
    int result = try_spin(me, lock);
    if (result == EBUSY) {
        ser_put(me, SER_OP_TRY_FAILED, address_of(lock), 0);
        ser_object_refuse(me, SER_KIND_SPIN, address_of(lock));
    }
    ser_leave_sync(me);
    return result;
}

SER_EXPORT int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_spin_unlock(lock);
    int result = ser_real.pthread_spin_unlock(lock);
    ser_put(me, SER_OP_RELEASE, address_of(lock), 0);
    ser_object_wake(SER_KIND_SPIN, address_of(lock), 1);
    ser_leave_sync(me);
    return result;
}
