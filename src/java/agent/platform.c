/* SPDX-License-Identifier: MIT */
/*
 * What the core is told of Java programs. Every access is recorded, no thread is cancelled, and the
 * machine's own threads neither make events nor end waits.
 */
#include "runtime/core/platform.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "java/agent/threads.h"

static void read_clock(clockid_t clock, struct timespec *now)
{
    clock_gettime(clock, now);
}

static void run_aside(void *(*run)(void *))
{
    pthread_t handle;
    pthread_attr_t attributes;
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_create(&handle, &attributes, run, 0);
    pthread_sigmask(SIG_SETMASK, &before, 0);
    pthread_attr_destroy(&attributes);
}

/* Classes are loaded and code is compiled between two events, and the collector may stop all
 * threads: that takes longer than anything between two events of C. */
static void be_patient(ser_runtime_options *options)
{
    enum { STEAL_MS = 50, REPLAY_MS = 2000 };
    if (options->steal_ms < STEAL_MS)
        options->steal_ms = STEAL_MS;
    if (options->replay_ms < REPLAY_MS)
        options->replay_ms = REPLAY_MS;
}

static void attached(void)
{
    be_patient(&ser_the_world.options);
    ser_java_thread_first();
}

/* Threads are known from their start on; others are the machine's. */
static bool meet_thread(void)
{
    return false;
}

static void keep_all(ser_thread *thread)
{
    thread->hiding = SER_INSIDE;
    thread->stamp = (uint64_t)thread->number << SER_STAMP_THREAD;
    thread->keeping = SER_KEEP_ALL;
}

static bool reveals(ser_thread *me, uintptr_t object)
{
    (void)me, (void)object;
    return true;
}

/* Locks have their holder as `runner` (monitors.c). */
static ser_thread *holder(const ser_runtime_object *object)
{
    return object->kind == SER_KIND_SPIN ? object->runner : 0;
}

static bool never(void)
{
    return false;
}

static bool always(void)
{
    return true;
}

static bool is_no_point(ser_thread *me)
{
    (void)me;
    return false;
}

static void nothing_of(ser_thread *me)
{
    (void)me;
}

static void nothing(void)
{
}

const ser_platform ser_the_platform = {
    .now = read_clock,
    .run_aside = run_aside,
    .attached = attached,
    .meets_thread = meet_thread,
    .thread_made = keep_all,
    .reveals = reveals,
    .write_pending = nothing_of,
    .holder = holder,
    .is_cancellable = never,
    .cancel_point = is_no_point,
    .cancel_at_entry = nothing_of,
    .arrives = nothing,
    .has_handlers = never,
    .may_be_rescued = never,
    .knows_all = always,
    .looks = nothing,
};
