/* SPDX-License-Identifier: MIT */
/*
 * sys.h - system calls without the C library, futexes, and a lock made of one.
 *
 * The runtime interposes `syscall` and is called from signal handlers and from
 * inside the C library's own start: so it asks the kernel directly. Errors come
 * back as negative numbers; errno is left alone. Everything here may be called
 * from anywhere.
 */
#ifndef SER_RUNTIME_CORE_SYS_H
#define SER_RUNTIME_CORE_SYS_H

#include <linux/futex.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

#define ser_likely(x)   __builtin_expect(!!(x), 1)
#define ser_unlikely(x) __builtin_expect(!!(x), 0)
/* Keeps the compiler from moving memory accesses across it; no barrier for the processor. */
#define ser_compiler_barrier() __asm__ volatile("" ::: "memory")

#if defined(__x86_64__)
static inline long ser_sys(long number, long a, long b, long c, long d, long e, long f)
{
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
static inline long ser_sys(long number, long a, long b, long c, long d, long e, long f)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
}
#else
#error "the runtime supports x86-64 and aarch64"
#endif

/* Until when to wait: an absolute time of a clock; a null pointer is for ever. */
typedef struct ser_deadline {
    clockid_t clock; /* CLOCK_REALTIME or CLOCK_MONOTONIC */
    struct timespec time;
} ser_deadline;

/* Waits while *word == value: 0 woken (maybe for no reason), -EAGAIN, -EINTR, -ETIMEDOUT. */
static inline long ser_futex_wait(const uint32_t *word, uint32_t value,
                                  const ser_deadline *deadline, bool shared)
{
    long op = FUTEX_WAIT_BITSET | (shared ? 0 : FUTEX_PRIVATE_FLAG);
    if (deadline && deadline->clock == CLOCK_REALTIME)
        op |= FUTEX_CLOCK_REALTIME;
    return ser_sys(SYS_futex, (long)word, op, value, deadline ? (long)&deadline->time : 0, 0,
                   FUTEX_BITSET_MATCH_ANY);
}

static inline long ser_futex_wake(const uint32_t *word, int count, bool shared)
{
    return ser_sys(SYS_futex, (long)word, FUTEX_WAKE | (shared ? 0 : FUTEX_PRIVATE_FLAG), count, 0,
                   0, 0);
}

/* The real time, not that of a replay (platform.h). */
void ser_now(clockid_t clock, struct timespec *now);

/* The time a number of microseconds from now. */
static inline ser_deadline ser_deadline_in(uint64_t microseconds)
{
    ser_deadline deadline = {.clock = CLOCK_MONOTONIC};
    ser_now(CLOCK_MONOTONIC, &deadline.time);
    uint64_t nanoseconds = (uint64_t)deadline.time.tv_nsec + microseconds * 1000;
    deadline.time.tv_sec += (time_t)(nanoseconds / 1000000000);
    deadline.time.tv_nsec = (long)(nanoseconds % 1000000000);
    return deadline;
}

static inline void ser_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* Waits while another thread is in a short section. After a while that thread is probably not
 * running: then this one sleeps, so that it can run here, or an idle processor can take it over. */
static inline void ser_relax_or_sleep(unsigned tries)
{
    enum { LOOKS = 64, YIELDS = 3 };
    if (tries % LOOKS != LOOKS - 1) {
        ser_relax();
    } else if (tries / LOOKS < YIELDS) {
        ser_sys(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
    } else {
        struct timespec short_time = {.tv_nsec = 100000};
        ser_sys(SYS_nanosleep, (long)&short_time, 0, 0, 0, 0, 0);
    }
}

/* A lock: 0 free, 1 taken, 2 taken and a thread may wait. Sections are short: usually the lock
 * is free again before a thread could fall asleep. */
typedef uint32_t ser_lock;

/* If the thread's stack is nearly used up, let it overflow here, not where a lock is held: a
 * handler of the signal may jump away. Writes nothing new. */
static inline void ser_probe_stack(void)
{
#if defined __x86_64__
    __asm__ volatile("orb $0, -4096(%%rsp)" ::: "memory", "cc");
#endif
}

static inline void ser_lock_take(ser_lock *lock)
{
    enum { PATIENCE = 100 };
    ser_probe_stack();
    for (int tries = 0; tries < PATIENCE; tries++) {
        uint32_t seen = 0;
        if (__atomic_compare_exchange_n(lock, &seen, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
        for (; tries < PATIENCE && __atomic_load_n(lock, __ATOMIC_RELAXED); tries++)
            ser_relax();
    }
    while (__atomic_exchange_n(lock, 2, __ATOMIC_ACQUIRE) != 0)
        ser_futex_wait(lock, 2, 0, false);
}

static inline void ser_lock_give(ser_lock *lock)
{
    if (__atomic_exchange_n(lock, 0, __ATOMIC_RELEASE) == 2)
        ser_futex_wake(lock, 1, false);
}

#endif
