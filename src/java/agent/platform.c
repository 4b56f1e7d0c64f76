/* SPDX-License-Identifier: MIT */
/*
 * The platform of Java programs: plain, and the machine's own threads neither make events nor end
 * waits.
 */
#include "runtime/core/plain_platform.h"

#include "java/agent/asleep.h"
#include "java/agent/threads.h"

/* Classes are loaded and code is compiled between two events, and the collector may stop all
 * threads: that takes longer than anything between two events of C. */
static void be_patient(ser_runtime_options *options)
{
    enum { STEAL_MS = 50, SPIN_MS = 1000, REPLAY_TIMES = 3 };
    if (options->steal_ms < STEAL_MS)
        options->steal_ms = STEAL_MS;
    if (options->spin_ms < SPIN_MS)
        options->spin_ms = SPIN_MS;
    options->replay_ms *= REPLAY_TIMES;
}

static void attached(void)
{
    be_patient(&ser_the_world.options);
    ser_java_asleep_start();
    ser_java_thread_first();
}

/* What is elided is decided by objects (identities.h). */
static void thread_made(ser_thread *thread)
{
    ser_plain_keep_all(thread);
    if (ser_the_world.options.exact != UINT64_MAX)
        thread->keeping = thread->number < SER_KNOWN ? SER_KEEP_AT_FIRST : SER_KEEP_ALWAYS;
}

/* Threads are known from their start on; others are the machine's. */
static bool meet_thread(void)
{
    return false;
}

/* Locks have their holder as `runner` (monitors.c). */
static ser_thread *holder(const ser_runtime_object *object)
{
    return object->kind == SER_KIND_SPIN ? object->runner : 0;
}

static bool always(void)
{
    return true;
}

/* The machine ends only after 300 ms if a thread is in native code. One that waits for a monitor
 * of the tool interface is not. */
static void rest(void)
{
    if (ser_nobody_notifies && (*ser_jvmti)->RawMonitorEnter(ser_jvmti, ser_nobody_notifies) == 0)
        (*ser_jvmti)->RawMonitorWait(ser_jvmti, ser_nobody_notifies, 0);
}

const ser_platform ser_the_platform = {
    SER_PLAIN_PLATFORM,
    .attached = attached,
    .meets_thread = meet_thread,
    .thread_made = thread_made,
    .holder = holder,
    .knows_all = always,
    .goes_on = ser_java_awaits_machine,
    .rests = rest,
};
