/* SPDX-License-Identifier: MIT */
/*
 * Locks and conditions of java.util.concurrent. They do their work themselves, between two steps;
 * what they wait for, they wait for by parking. Here is recorded what they have done.
 */
#include "contract/managed.h"
#include "java/agent/agent.h"
#include "java/agent/identities.h"
#include "java/agent/monitors.h"

static const void *as_address(jint identity)
{
    return (const void *)(uintptr_t)ser_managed_whole((uint32_t)identity);
}

static void acquired(JNIEnv *env, jclass unused, jobject lock, jint identity, jboolean shared,
                     jint site)
{
    (void)unused;
    ser_thread *me = ser_java_done_at(site);
    if (!me)
        return;
    ser_identity_record(me, env, lock, (uint32_t)identity);
    if (shared)
        ser_put(me, SER_OP_SHARED_ACQUIRE, as_address(identity), 0);
    else
        ser_monitor_take(me, ser_managed_whole((uint32_t)identity));
    ser_java_leave(me);
}

static void released(JNIEnv *env, jclass unused, jint identity, jboolean shared, jint site)
{
    (void)env, (void)unused;
    ser_thread *me = ser_java_done_at(site);
    if (!me)
        return;
    if (shared)
        ser_put(me, SER_OP_SHARED_RELEASE, as_address(identity), 0);
    else
        ser_monitor_give(me, ser_managed_whole((uint32_t)identity));
    ser_java_leave(me);
}

static void held(JNIEnv *env, jclass unused, jobject lock, jint identity, jint count, jint site)
{
    (void)unused;
    ser_thread *me = ser_java_done_at(site);
    if (!me)
        return;
    uint64_t owned = ser_managed_whole((uint32_t)identity);
    ser_identity_record(me, env, lock, (uint32_t)identity);
    uint32_t depth = ser_monitor_depth(me, owned);
    for (; depth < (uint32_t)count; depth++)
        ser_monitor_take(me, owned);
    for (; depth > (uint32_t)count; depth--)
        ser_monitor_give(me, owned);
    ser_java_leave(me);
}

/* Only if another thread has it: one that gives up may do so when the lock is free for others that
 * came before it. */
static void refused(JNIEnv *env, jclass unused, jobject lock, jint identity, jint site)
{
    (void)unused;
    ser_thread *me = ser_java_done_at(site);
    if (!me)
        return;
    const ser_runtime_object *object = ser_object_find(SER_KIND_SPIN, as_address(identity));
    ser_identity_record(me, env, lock, (uint32_t)identity);
    if (object && object->runner && object->runner != me)
        ser_put(me, SER_OP_TRY_FAILED, as_address(identity), 0);
    ser_java_leave(me);
}

static jint leave(JNIEnv *env, jclass unused, jobject condition, jint identity, jint lock,
                  jint site)
{
    (void)unused;
    ser_thread *me = ser_java_done_at(site);
    if (!me)
        return 0;
    uint64_t owned = ser_managed_whole((uint32_t)lock);
    uint32_t depth = ser_monitor_depth(me, owned);
    ser_identity_record(me, env, condition, (uint32_t)identity);
    for (uint32_t i = 0; i < depth; i++)
        ser_monitor_give(me, owned);
    if (depth > 0)
        ser_put(me, SER_OP_WAIT, as_address(identity), 0);
    ser_java_leave(me);
    return (jint)depth;
}

static void come_back(JNIEnv *env, jclass unused, jint lock, jint depth, jint site)
{
    (void)env, (void)unused;
    ser_thread *me = ser_java_done_at(site);
    if (!me)
        return;
    for (jint i = 0; i < depth; i++)
        ser_monitor_take(me, ser_managed_whole((uint32_t)lock));
    ser_java_leave(me);
}

static void signalled(JNIEnv *env, jclass unused, jobject condition, jint identity, jboolean all,
                      jint site)
{
    (void)unused;
    ser_thread *me = ser_java_done_at(site);
    if (!me)
        return;
    ser_identity_record(me, env, condition, (uint32_t)identity);
    ser_put(me, all ? SER_OP_NOTIFY_ALL : SER_OP_NOTIFY, as_address(identity), 0);
    ser_java_leave(me);
}

static const JNINativeMethod methods[] = {
    SER_NATIVE("acquired0", "(Ljava/lang/Object;IZI)V", acquired),
    SER_NATIVE("released0", "(IZI)V", released),
    SER_NATIVE("refused0", "(Ljava/lang/Object;II)V", refused),
    SER_NATIVE("held0", "(Ljava/lang/Object;III)V", held),
    SER_NATIVE("leave0", "(Ljava/lang/Object;III)I", leave),
    SER_NATIVE("come0", "(III)V", come_back),
    SER_NATIVE("signalled0", "(Ljava/lang/Object;IZI)V", signalled),
};

SER_NATIVES(ser_lock_natives, methods);
