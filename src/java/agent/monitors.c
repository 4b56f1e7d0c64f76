/* SPDX-License-Identifier: MIT */
#include "java/agent/monitors.h"

#include "contract/managed.h"
#include "java/agent/identities.h"
#include "java/agent/states.h"
#include "java/agent/threads.h"

static const void *as_address(uint64_t lock)
{
    return (const void *)(uintptr_t)lock;
}

static bool is_free_for(const ser_runtime_object *object, const ser_thread *me)
{
    return !object || !object->runner || object->runner == me;
}

bool ser_monitor_is_free(const ser_thread *me, uint64_t lock)
{
    return is_free_for(ser_object_find(SER_KIND_SPIN, as_address(lock)), me);
}

void ser_monitor_await_free(ser_thread *me, uint64_t lock)
{
    ser_claim claim = {0};
    if (ser_monitor_is_free(me, lock))
        return;
    ser_java_state_waits(JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER, false);
    do {
        ser_runtime_wait how = {.stays = ser_java_state_stay(me)};
        ser_object_await(me, SER_KIND_SPIN, as_address(lock), how, &claim);
    } while (!ser_monitor_is_free(me, lock));
    ser_java_state_runs();
}

void ser_monitor_take(ser_thread *me, uint64_t lock)
{
    ser_monitor_await_free(me, lock);
    ser_runtime_object *object = ser_object_get(SER_KIND_SPIN, as_address(lock));
    if (!object)
        return;
    object->runner = me;
    object->count++;
    ser_put(me, SER_OP_ACQUIRE, as_address(lock), 0);
}

void ser_monitor_give(ser_thread *me, uint64_t lock)
{
    ser_runtime_object *object = ser_object_find(SER_KIND_SPIN, as_address(lock));
    if (!object || object->runner != me)
        return;
    ser_put(me, SER_OP_RELEASE, as_address(lock), 0);
    if (--object->count > 0)
        return;
    object->runner = NULL;
    if (object->first || object->poller)
        ser_object_wake(SER_KIND_SPIN, as_address(lock), 1);
    else
        ser_object_drop(object);
}

uint32_t ser_monitor_depth(const ser_thread *me, uint64_t lock)
{
    const ser_runtime_object *object = ser_object_find(SER_KIND_SPIN, as_address(lock));
    return object && object->runner == me ? object->count : 0;
}

static void lock(JNIEnv *env, jclass unused, jobject object, jint identity, jint site)
{
    (void)unused;
    ser_thread *me = ser_java_step_at(site);
    if (!me)
        return;
    ser_identity_record(me, env, object, (uint32_t)identity);
    ser_java_me.monitor = object;
    ser_monitor_take(me, ser_managed_whole((uint32_t)identity));
    ser_java_me.monitor = NULL;
    ser_java_leave(me);
}

static void give(ser_thread *me, jint identity)
{
    if (!me)
        return;
    ser_monitor_give(me, ser_managed_whole((uint32_t)identity));
    ser_java_leave(me);
}

static void unlock(JNIEnv *env, jclass unused, jint identity, jint site)
{
    (void)env, (void)unused;
    give(ser_java_step_at(site), identity);
}

static void unlock_in_turn(JNIEnv *env, jclass unused, jint identity, jint site)
{
    (void)env, (void)unused;
    give(ser_java_done_at(site), identity);
}

static jclass thread_class;
static jmethodID holds_lock;

bool ser_monitors_start(JNIEnv *env)
{
    jclass found = (*env)->FindClass(env, "java/lang/Thread");
    thread_class = found ? (*env)->NewGlobalRef(env, found) : NULL;
    if (thread_class)
        holds_lock =
            (*env)->GetStaticMethodID(env, thread_class, "holdsLock", "(Ljava/lang/Object;)Z");
    return holds_lock;
}

/* How often it had to be left. A monitor that the machine keeps in frames of the stack is left
 * once, however often it was entered: the frames know. */
static uint32_t leave_monitor(JNIEnv *env, jobject object)
{
    uint32_t left = 0;
    while ((*env)->CallStaticBooleanMethod(env, thread_class, holds_lock, object) &&
           (*env)->MonitorExit(env, object) == 0)
        left++;
    return left;
}

/* Virtual and real lock are given back, and taken again, as often as the thread had them. */
static void wait_outside(JNIEnv *env, ser_thread *me, jobject object, uint64_t monitor,
                         jlong nanoseconds)
{
    uint32_t depth = ser_monitor_depth(me, monitor);
    uint32_t left = leave_monitor(env, object);
    for (uint32_t i = 0; i < depth; i++)
        ser_monitor_give(me, monitor);
    ser_put(me, SER_OP_WAIT, as_address(monitor), 0);
    ser_java_wait(me, SER_KIND_CONDITION, as_address(monitor), nanoseconds, true);
    ser_java_me.monitor = object;
    for (uint32_t i = 0; i < depth; i++)
        ser_monitor_take(me, monitor);
    ser_java_me.monitor = NULL;
    for (uint32_t i = 0; i < left; i++)
        (*env)->MonitorEnter(env, object);
}

static jboolean wait_for_notify(JNIEnv *env, jclass unused, jobject object, jint identity,
                                jlong nanoseconds, jint site)
{
    (void)unused;
    ser_thread *me = ser_java_step_at(site);
    if (!me)
        return JNI_FALSE;
    wait_outside(env, me, object, ser_managed_whole((uint32_t)identity), nanoseconds);
    ser_java_leave(me);
    return JNI_TRUE;
}

static void notify(JNIEnv *env, jclass unused, jint identity, jboolean all, jint site)
{
    (void)env, (void)unused;
    ser_thread *me = ser_java_step_at(site);
    if (!me)
        return;
    const void *monitor = as_address(ser_managed_whole((uint32_t)identity));
    ser_put(me, all ? SER_OP_NOTIFY_ALL : SER_OP_NOTIFY, monitor, 0);
    ser_object_wake(SER_KIND_CONDITION, monitor, all ? UINT32_MAX : 1);
    ser_java_leave(me);
}

static const JNINativeMethod methods[] = {
    SER_NATIVE("lock0", "(Ljava/lang/Object;II)V", lock),
    SER_NATIVE("unlock0", "(II)V", unlock),
    SER_NATIVE("unlockInTurn0", "(II)V", unlock_in_turn),
    SER_NATIVE("wait0", "(Ljava/lang/Object;IJI)Z", wait_for_notify),
    SER_NATIVE("notify0", "(IZI)V", notify),
};

SER_NATIVES(ser_monitor_natives, methods);
