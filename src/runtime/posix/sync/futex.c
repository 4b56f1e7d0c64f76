/* SPDX-License-Identifier: MIT */
/*
 * Futexes through `syscall`: how C++20's semaphores, latches, barriers and
 * atomic waits sleep. Waits and wakes of futexes that no other process can see are ours,
 * recorded as wait and notify of a condition at the word's address. Everything
 * else goes to the kernel, without the token if it may block.
 */
#include <errno.h>
#include <limits.h>

#include "runtime/core/turns/watchdog.h"
#include "runtime/posix/elsewhere.h"
#include "runtime/posix/sharing.h"
#include "runtime/posix/sync/sync.h"

/* FUTEX_WAIT's time is a span, FUTEX_WAIT_BITSET's a moment. */
static int read_time(ser_deadline *deadline, long op, const struct timespec *time)
{
    if ((op & FUTEX_CMD_MASK) == FUTEX_WAIT) {
        if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec >= 1000000000)
            return EINVAL;
        *deadline =
            ser_deadline_in((uint64_t)time->tv_sec * 1000000 + (uint64_t)time->tv_nsec / 1000);
        return 0;
    }
    return ser_deadline_read(deadline, op & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                             time);
}

/* What the semaphores of C++20 do to the word is part of a take or a post, which is recorded itself
 * (instrument/semaphores.c): to take one is not to wait for a condition, and ends no block. */
static void put_meeting(ser_thread *me, ser_op op, const uint32_t *word)
{
    if (!me->ignoring)
        ser_put(me, op, word, 0);
}

/* libstdc++ 11 to 13 may go to sleep on a semaphore that was posted meanwhile, and sleep for ever
 * (its bug 104928): no matter of the program that uses it. Who comes back at once takes it. */
static bool is_missed_post(const ser_thread *me, uint32_t value)
{
    return me->ignoring && value != 0;
}

static long wait_for(ser_thread *me, const uint32_t *word, long op, uint32_t value,
                     const struct timespec *time)
{
    ser_deadline deadline;
    int code = time ? read_time(&deadline, op, time) : 0;
    if (code)
        return -code;
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value || is_missed_post(me, value))
        return -EAGAIN;
    put_meeting(me, SER_OP_WAIT, word);
    ser_runtime_wait how = {.deadline = time ? &deadline : 0,
                            .interruptible = true,
                            .spurious = !me->ignoring,
                            .word = word,
                            .value = value};
    ser_wakening why = ser_object_wait(me, SER_KIND_FUTEX, word, how);
    return why == SER_TIMED_OUT && time ? -ETIMEDOUT : why == SER_INTERRUPTED ? -EINTR : 0;
}

/* Threads that are not recorded may sleep in the kernel. */
static long wake(ser_thread *me, const uint32_t *word, long op, uint32_t most)
{
    put_meeting(me, most == 1 ? SER_OP_NOTIFY : SER_OP_NOTIFY_ALL, word);
    uint32_t woken = ser_object_wake(SER_KIND_FUTEX, word, most);
    if (woken < most) {
        int left = most - woken > INT_MAX ? INT_MAX : (int)(most - woken);
        long more = ser_futex_wake(word, left, !(op & FUTEX_PRIVATE_FLAG));
        woken += more > 0 ? (uint32_t)more : 0;
    }
    return woken;
}

/* Does one of our threads have that number? Then the kernel may clear the word, and wake those who
 * wait, when it ends. */
static bool names_thread(uint32_t value)
{
    return value && value <= INT_MAX &&
           ser_sys(SYS_tgkill, ser_the_world.process, (long)value, 0, 0, 0, 0) == 0;
}

/* Can only this process wake the waiters? The C++ library does not set FUTEX_PRIVATE_FLAG. */
static bool is_ours(const uint32_t *word, long op, uint32_t value)
{
    return (op & FUTEX_PRIVATE_FLAG) || (!ser_is_shared(word) && !names_thread(value));
}

/* A thread that is not recorded, has ended, or is elsewhere wakes others. Those that are recorded
 * do not sleep on the word in the kernel. */
static long wake_from_outside(const long *a)
{
    uint32_t most = (uint32_t)a[2];
    uint32_t woken =
        ser_is_elsewhere() ? ser_token_wake_from_outside((const uint32_t *)a[0], most) : 0;
    if (woken >= most)
        return woken;
    long more = ser_sys(SYS_futex, a[0], a[1], most - woken, a[3], a[4], a[5]);
    return more < 0 && woken ? woken : more + woken;
}

long ser_futex(const long *a)
{
    ser_thread *me = ser_enter_sync();
    long command = a[1] & FUTEX_CMD_MASK;
    bool waits = command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
    bool wakes = command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET;
    const uint32_t *word = (const uint32_t *)a[0];
    long result;
    if (!me && wakes && !ser_handler_wakes(SER_KIND_FUTEX, word, (uint32_t)a[2]))
        return wake_from_outside(a);
    if (!me)
        return ser_sys(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (waits && is_ours(word, a[1], (uint32_t)a[2])) {
        result = wait_for(me, word, a[1], (uint32_t)a[2], (const struct timespec *)a[3]);
        ser_leave_sync(me);
    } else if (wakes) {
        result = wake(me, word, a[1], (uint32_t)a[2]);
        ser_leave_sync(me);
    } else {
        if (waits) {
            ser_watchdog_start();
            me->waiting_site = ser_here(me);
            me->kernel_word = (uint64_t)a[0];
            ser_token_release(me);
        }
        ser_leave_sync(me);
        result = ser_sys(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
    return result;
}
