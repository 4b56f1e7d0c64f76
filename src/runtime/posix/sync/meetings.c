/* SPDX-License-Identifier: MIT */
/*
 * Barriers and semaphores.
 *
 * The count of a barrier is the real one's; arrivals are counted here. A semaphore keeps its value
 * in the real one: so posts from signal handlers and from other processes count, and a waiting
 * thread polls for them. What it is initialised with is recorded as posts (begin_with): so a
 * semaphore of two lets two threads in, whichever of them posts first.
 */
#include <errno.h>
#include <string.h>

#include "runtime/elide/happens_before.h"
#include "runtime/posix/cancel.h"
#include "runtime/posix/sync/sync.h"

/* The C library's barrier: in, current_round, count, shared, out. */
enum { BARRIER_COUNT = 2, BARRIER_SHARED = 3 };
enum { SEMAPHORE_SHARED = 2 }; /* word of a semaphore: not 0 if other processes may use it */

static uint32_t word_of(const void *object, int index)
{
    uint32_t word;
    memcpy(&word, (const uint32_t *)object + index, sizeof word);
    return word;
}

static int meet_other_processes(ser_thread *me, pthread_barrier_t *barrier)
{
    ser_put(me, SER_OP_ARRIVE, barrier, 0);
    ser_token_release(me);
    ser_leave_sync(me);
    int result = ser_real.pthread_barrier_wait(barrier);
    ser_enter_sync();
    ser_put(me, SER_OP_DEPART, barrier, 0);
    return result;
}

void ser_barrier_join_clocks(ser_thread *me, const ser_runtime_object *object)
{
    for (const ser_thread *other = object->first; other; other = other->behind)
        ser_learn_all(me, other);
    for (ser_thread *other = object->first; other; other = other->behind)
        ser_learn_all(other, me);
}

static int meet(ser_thread *me, pthread_barrier_t *barrier)
{
    ser_runtime_object *object = ser_object_get(SER_KIND_BARRIER, barrier);
    if (!object || word_of(barrier, BARRIER_SHARED))
        return meet_other_processes(me, barrier);
    ser_put(me, SER_OP_ARRIVE, barrier, 0);
    if (++object->count < word_of(barrier, BARRIER_COUNT)) {
        while (ser_object_wait(me, SER_KIND_BARRIER, barrier, (ser_runtime_wait){0}) != SER_WOKEN)
            continue;
        ser_put(me, SER_OP_DEPART, barrier, 0);
        return 0;
    }
    object->count = 0;
    ser_barrier_join_clocks(me, object);
    ser_put(me, SER_OP_DEPART, barrier, 0);
    ser_object_wake(SER_KIND_BARRIER, barrier, UINT32_MAX);
    return PTHREAD_BARRIER_SERIAL_THREAD;
}

SER_EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.pthread_barrier_wait(barrier);
    int result = meet(me, barrier);
    ser_leave_sync(me);
    return result;
}

/* How many of the recorded posts nobody has taken, which is the object's count. */
static void note_post(const void *semaphore)
{
    ser_runtime_object *object = ser_object_get(SER_KIND_SEMAPHORE, semaphore);
    if (object)
        object->count++;
}

static void note_take(const void *semaphore)
{
    ser_runtime_object *object = ser_object_find(SER_KIND_SEMAPHORE, semaphore);
    if (object && object->count && --object->count == 0)
        ser_object_drop(object);
}

static bool has_value(const void *semaphore)
{
    int value;
    return sem_getvalue((sem_t *)(uintptr_t)semaphore, &value) == 0 && value > 0;
}

static int take(ser_thread *me, sem_t *semaphore)
{
    int saved = errno;
    if (ser_real.sem_trywait(semaphore) == 0) {
        errno = saved;
        ser_put(me, SER_OP_TAKE, semaphore, 0);
        note_take(semaphore);
        return 0;
    }
    int code = errno;
    errno = saved;
    return code == EINTR ? EAGAIN : code;
}

/* The same, of a thread that does not wait. */
static int try_to_take(ser_thread *me, sem_t *semaphore)
{
    int code = take(me, semaphore);
    if (code != EAGAIN)
        return code;
    ser_token_count(me);
    ser_object_refuse(me, SER_KIND_SEMAPHORE, semaphore);
    return code;
}

/* 0 or an error number. */
static int await_post(ser_thread *me, sem_t *semaphore, const ser_deadline *deadline)
{
    int code;
    ser_claim claim = {0};
    while ((code = take(me, semaphore)) == EAGAIN) {
        if (ser_cancel_point(me))
            continue;
        ser_runtime_wait how = {.deadline = deadline,
                                .is_free = has_value,
                                .foreign =
                                    word_of(semaphore, SEMAPHORE_SHARED) || ser_has_handlers(),
                                .interruptible = true,
                                .cancellable = true};
        ser_wakening why = ser_object_await(me, SER_KIND_SEMAPHORE, semaphore, how, &claim);
        if (why == SER_INTERRUPTED)
            return EINTR;
        if (why == SER_TIMED_OUT)
            return try_to_take(me, semaphore) == 0 ? 0 : ETIMEDOUT;
    }
    return code;
}

static int with_errno(int code)
{
    if (code == 0)
        return 0;
    errno = code;
    return -1;
}

/* Posts of an earlier semaphore at the same address serve nobody any more: they are taken here. */
static void take_leftovers(ser_thread *me, const void *semaphore)
{
    const ser_runtime_object *object = ser_object_find(SER_KIND_SEMAPHORE, semaphore);
    for (uint32_t left = object ? object->count : 0; left > 0; left--) {
        ser_put(me, SER_OP_TAKE, semaphore, 0);
        note_take(semaphore);
    }
}

/* A larger stock than this is hardly meant to keep anybody waiting: the rest is not recorded. */
enum { MOST_INITIAL_POSTS = 64 };

static void begin_with(ser_thread *me, const void *semaphore, uint64_t count)
{
    take_leftovers(me, semaphore);
    for (uint64_t i = 0; i < count && i < MOST_INITIAL_POSTS; i++) {
        ser_put(me, SER_OP_POST, semaphore, 0);
        note_post(semaphore);
    }
}

SER_EXPORT int sem_init(sem_t *semaphore, int is_shared, unsigned value)
{
    int result = ser_real.sem_init(semaphore, is_shared, value);
    ser_thread *me = result == 0 && !is_shared ? ser_enter_sync() : 0;
    if (!me)
        return result;
    begin_with(me, semaphore, value);
    ser_leave_sync(me);
    return result;
}

SER_EXPORT int sem_wait(sem_t *semaphore)
{
    pthread_testcancel();
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.sem_wait(semaphore);
    int code = await_post(me, semaphore, 0);
    ser_leave_sync(me);
    return with_errno(code);
}

SER_EXPORT int sem_trywait(sem_t *semaphore)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.sem_trywait(semaphore);
    int code = try_to_take(me, semaphore);
    ser_leave_sync(me);
    return with_errno(code);
}

SER_EXPORT int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *time)
{
    ser_deadline deadline;
    pthread_testcancel();
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.sem_clockwait(semaphore, clock, time);
    int code = ser_deadline_read(&deadline, clock, time);
    if (code == 0)
        code = await_post(me, semaphore, &deadline);
    ser_leave_sync(me);
    return with_errno(code);
}

SER_EXPORT int sem_timedwait(sem_t *semaphore, const struct timespec *time)
{
    return sem_clockwait(semaphore, CLOCK_REALTIME, time);
}

SER_EXPORT int sem_post(sem_t *semaphore)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return ser_real.sem_post(semaphore);
    int result = ser_real.sem_post(semaphore);
    if (result == 0) {
        ser_put(me, SER_OP_POST, semaphore, 0);
        note_post(semaphore);
        ser_object_wake(SER_KIND_SEMAPHORE, semaphore, 1);
    }
    ser_leave_sync(me);
    return result;
}

SER_EXPORT void __seriatim_semaphore_taken(void *semaphore, ser_abi_u32 taken)
{
    ser_thread *me = taken ? ser_enter_sync() : 0;
    if (!me)
        return;
    ser_put(me, SER_OP_TAKE, semaphore, 0);
    note_take(semaphore);
    ser_leave_sync(me);
}

SER_EXPORT void __seriatim_semaphore_made(void *semaphore, ser_abi_u64 count)
{
    ser_thread *me = ser_enter_sync();
    if (!me)
        return;
    begin_with(me, semaphore, count);
    ser_leave_sync(me);
}

SER_EXPORT void __seriatim_semaphore_posted(void *semaphore, ser_abi_u64 times)
{
    for (ser_abi_u64 i = 0; i < times; i++) {
        ser_thread *me = ser_enter_sync();
        if (!me)
            return;
        ser_put(me, SER_OP_POST, semaphore, 0);
        note_post(semaphore);
        ser_leave_sync(me);
    }
}
