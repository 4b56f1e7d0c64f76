/* SPDX-License-Identifier: MIT */
/*
 * LockSupport: each thread has a permit, which unpark gives and park takes. All that waits in
 * java.util.concurrent waits here.
 */
#include <time.h>

#include "java/agent/states.h"
#include "java/agent/threads.h"
#include "runtime/core/turns/replay.h"

static bool has_permit(const void *address)
{
    return __atomic_load_n((const uint32_t *)address, __ATOMIC_ACQUIRE);
}

static uint64_t nanoseconds_now(void)
{
    enum { PER_SECOND = 1000000000 };
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * PER_SECOND + (uint64_t)now.tv_nsec;
}

/* Of the thread whose permit is there. */
static bool is_park_over(const void *address)
{
    const char *permit = address;
    const ser_java_thread *parked = (const void *)(permit - offsetof(ser_java_thread, permit));
    return has_permit(address) || (parked->until && nanoseconds_now() >= parked->until);
}

/* Nanoseconds from now; 0 if that time has come. */
static jlong time_left(jlong milliseconds_of_epoch)
{
    enum { PER_SECOND = 1000, PER_MILLISECOND = 1000000 };
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    jlong left = milliseconds_of_epoch - (jlong)now.tv_sec * PER_SECOND -
                 (jlong)now.tv_nsec / PER_MILLISECOND;
    return left > 0 ? left * PER_MILLISECOND : 0;
}

static bool is_long(jlong nanoseconds)
{
    enum { PER_MILLISECOND = 1000000 };
    return (uint64_t)nanoseconds / PER_MILLISECOND >= ser_the_world.options.replay_ms;
}

/* The library looks at the clock when it wakes up. So a schedule that is followed must not end the
 * wait before its time: the thread would park again, and again. */
static void await_permit(ser_thread *me, jlong nanoseconds)
{
    bool timed = nanoseconds > 0, follows = timed && ser_replays();
    ser_deadline deadline = ser_deadline_in((uint64_t)nanoseconds / 1000 + 1);
    ser_runtime_wait how = {.deadline = timed && !follows ? &deadline : NULL,
                            .foreign = follows,
                            .late = follows && is_long(nanoseconds),
                            .is_free = is_park_over};
    ser_java_own->until = timed ? nanoseconds_now() + (uint64_t)nanoseconds : 0;
    ser_java_own->interruptible = true;
    ser_java_state_waits(JVMTI_THREAD_STATE_PARKED, timed);
    ser_object_wait(me, SER_KIND_FUTEX, &ser_java_own->permit, how);
    ser_java_state_runs();
    ser_java_own->interruptible = false;
}

/* Not a step: the library parks in the midst of its operations. */
static jboolean park(JNIEnv *env, jclass unused, jboolean absolute, jlong time)
{
    (void)env, (void)unused;
    ser_thread *me = ser_java_own ? ser_enter_in_turn() : NULL;
    if (!me)
        return JNI_FALSE;
    jlong nanoseconds = absolute ? time_left(time) : time;
    bool over = (absolute || time != 0) && nanoseconds <= 0;
    if (!has_permit(&ser_java_own->permit) && !ser_java_is_interrupted() && !over)
        await_permit(me, nanoseconds);
    __atomic_store_n(&ser_java_own->permit, 0, __ATOMIC_RELEASE);
    ser_java_leave(me);
    return JNI_TRUE;
}

static jboolean unpark(JNIEnv *env, jclass unused, jint identity)
{
    (void)env, (void)unused;
    ser_java_thread *other = ser_java_thread_find((uint32_t)identity);
    if (!other)
        return JNI_FALSE;
    __atomic_store_n(&other->permit, 1, __ATOMIC_RELEASE);
    ser_thread *me = ser_enter_in_turn();
    if (!me)
        return JNI_TRUE; /* the other looks now and then */
    ser_object_wake(SER_KIND_FUTEX, &other->permit, 1);
    ser_java_leave(me);
    return JNI_TRUE;
}

static const JNINativeMethod methods[] = {
    SER_NATIVE("park0", "(ZJ)Z", park),
    SER_NATIVE("unpark0", "(I)Z", unpark),
};

SER_NATIVES(ser_parking_natives, methods);
