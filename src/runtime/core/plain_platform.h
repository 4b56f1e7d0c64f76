/* SPDX-License-Identifier: MIT */
/*
 * plain_platform.h - the simple half of a platform (platform.h), for programs in which every access
 * is recorded, no thread is cancelled, and no signal handler enters the runtime.
 *
 *     const ser_platform ser_the_platform = {
 *         SER_PLAIN_PLATFORM, .attached = ..., .meets_thread = ..., .thread_made = ..., .holder =
 * ..., .goes_on = ..., .rests = ..., .knows_all = ...};
 */
#ifndef SER_RUNTIME_CORE_PLAIN_PLATFORM_H
#define SER_RUNTIME_CORE_PLAIN_PLATFORM_H

#include <signal.h>
#include <time.h>

#include "runtime/core/platform.h"

static inline void ser_plain_now(clockid_t clock, struct timespec *now)
{
    clock_gettime(clock, now);
}

typedef int ser_thread_creator(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* A detached thread of the runtime's own, which takes no signals. stack: its size in bytes; 0: the
 * usual one. */
static inline void ser_run_aside_by(ser_thread_creator *create, size_t stack, void *(*run)(void *))
{
    pthread_t handle;
    pthread_attr_t attributes;
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (stack)
        pthread_attr_setstacksize(&attributes, stack);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    create(&handle, &attributes, run, 0);
    pthread_sigmask(SIG_SETMASK, &before, 0);
    pthread_attr_destroy(&attributes);
}

static inline void ser_plain_run_aside(void *(*run)(void *))
{
    ser_run_aside_by(pthread_create, 0, run);
}

static inline void ser_plain_keep_all(ser_thread *thread)
{
    thread->eliding = SER_INSIDE;
    thread->stamp = (uint64_t)thread->number << SER_STAMP_THREAD;
    thread->keeping = SER_KEEP_ALL;
}

static inline bool ser_plain_reveals(ser_thread *me, uintptr_t object)
{
    (void)me, (void)object;
    return true;
}

static inline bool ser_plain_never(void)
{
    return false;
}

/* For goes_on, where the platform cannot know. */
static inline bool ser_plain_stays_asleep(const ser_thread *holder)
{
    (void)holder;
    return false;
}

static inline bool ser_plain_no_point(ser_thread *me)
{
    (void)me;
    return false;
}

static inline void ser_plain_nothing_of(ser_thread *me)
{
    (void)me;
}

static inline void ser_plain_nothing(void)
{
}

#define SER_PLAIN_PLATFORM                                                                         \
    .now = ser_plain_now, .run_aside = ser_plain_run_aside, .reveals = ser_plain_reveals,          \
    .write_pending = ser_plain_nothing_of, .is_cancellable = ser_plain_never,                      \
    .cancel_point = ser_plain_no_point, .cancel_at_entry = ser_plain_nothing_of,                   \
    .arrives = ser_plain_nothing, .handles_deferred = ser_plain_nothing_of,                        \
    .has_handlers = ser_plain_never, .may_be_rescued = ser_plain_never, .looks = ser_plain_nothing

#endif
