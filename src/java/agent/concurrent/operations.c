/* SPDX-License-Identifier: MIT */
/*
 * Operations of the library that are one step on an object: of atomics, collections, latches,
 * tasks.
 */
#include "contract/managed.h"
#include "java/agent/agent.h"
#include "java/agent/contents.h"
#include "java/agent/identities.h"
#include "java/agent/monitors.h"
#include "java/agent/sites.h"

static const void *as_address(uint32_t identity)
{
    return (const void *)(uintptr_t)ser_managed_whole(identity);
}

static int op_of(const ser_java_site *site, bool wrote)
{
    if (site->kind == SER_CLASS_READ || !wrote)
        return SER_OP_READ;
    return site->kind == SER_CLASS_WRITE ? SER_OP_WRITE : SER_OP_RMW;
}

static void put_early(ser_thread *me, uint32_t id, uint32_t monitor, uint64_t key, int op,
                      bool resizes)
{
    uint32_t place = me->at;
    if (monitor)
        ser_monitor_take(me, ser_managed_whole(monitor));
    if (resizes)
        ser_contents_resize(me, id, key, op, place);
    else
        ser_contents_put(me, id, key, op, place);
    me->at = place;
    if (monitor)
        ser_monitor_give(me, ser_managed_whole(monitor));
}

/* In the order of SeriatimOperations.java. */
typedef enum early_part { ALL, READ, WRITE, LOOK, WALK } early_part;
enum { HAS = 8, LACKS = 16, PARTS = 7 };

/* Does it add a key to a map or set that is not made for several threads, or remove one? */
static bool resizes(const ser_java_site *site, int what)
{
    return site->kind != SER_CLASS_READ && what & (site->removes ? HAS : LACKS);
}

/* Changes of a collection that is not made for several threads are a read and a write: others may
 * come between, as they may inside of such a method. Replacing an element is one step, since
 * threads may well do that to different ones. */
static bool has_two_parts(const ser_java_site *site, int what)
{
    return site->early && !site->in_place &&
           (site->kind == SER_CLASS_READ_WRITE || resizes(site, what));
}

static int op_of_part(const ser_java_site *site, int what)
{
    early_part part = (early_part)(what & PARTS);
    if (part == LOOK)
        return SER_OP_READ;
    if (!has_two_parts(site, what) || part == ALL || part == WALK)
        return op_of(site, true);
    return part == READ ? SER_OP_READ : SER_OP_WRITE;
}

/* --- barriers --------------------------------------------------------------------- */

/* The role of a barrier's contents. */
enum { HAS_ACTION = 1 };

static void arrive(ser_thread *me, uint32_t id)
{
    ser_java_me.passed = 0;
    ser_put(me, SER_OP_ARRIVE, as_address(id), 0);
}

/* The thread that runs a barrier's action goes on first: it departs, runs it, and writes the
 * barrier's contents. The others read them when they depart, so that they come after the action. */
static void depart(ser_thread *me, uint32_t id)
{
    const uint8_t *role = ser_contents_role(id);
    if (ser_java_me.passed == id) {
        ser_java_me.passed = 0;
        return;
    }
    ser_put(me, SER_OP_DEPART, as_address(id), 0);
    if (role && *role == HAS_ACTION)
        ser_contents_put(me, id, 0, SER_OP_READ, me->at);
}

static void act(JNIEnv *env, jclass unused, jobject object, jint identity, jboolean ends)
{
    (void)unused;
    uint32_t id = (uint32_t)identity;
    ser_thread *me = ends ? ser_java_step() : ser_java_done();
    if (!me)
        return;
    ser_identity_record(me, env, object, id);
    if (ends) {
        uint8_t *role = ser_contents_role(id);
        if (role)
            *role = HAS_ACTION;
        ser_contents_put(me, id, 0, SER_OP_WRITE, me->at);
    } else {
        ser_put(me, SER_OP_DEPART, as_address(id), 0);
        ser_java_me.passed = id;
    }
    ser_java_leave(me);
}

/* --- all of them -------------------------------------------------------------------- */

/* Before it. A thread that reaches a barrier says so. What never waits is recorded here: a thread
 * that else holds the object's monitor must leave it first. True if the other part of it is still
 * to come. */
static jboolean operating(JNIEnv *env, jclass unused, jobject object, jint identity,
                          jobject monitor, jint monitor_identity, jlong key, jint what, jint number)
{
    (void)unused;
    ser_thread *me = ser_java_step_at(number);
    if (!me)
        return JNI_FALSE;
    uint32_t id = (uint32_t)identity;
    ser_java_site *site = ser_site_at((uint32_t)number);
    ser_identity_record(me, env, object, id);
    if (monitor)
        ser_identity_record(me, env, monitor, (uint32_t)monitor_identity);
    bool begins = (what & PARTS) == READ && has_two_parts(site, what);
    if ((what & PARTS) == WALK || begins)
        me->at = ser_site_number(me, ser_site_part(site));
    ser_java_me.monitor = monitor;
    if (site->early)
        put_early(me, id, (uint32_t)monitor_identity, (uint64_t)key, op_of_part(site, what),
                  resizes(site, what));
    else if (site->kind == SER_CLASS_MEET || site->kind == SER_CLASS_ARRIVE)
        arrive(me, id);
    ser_java_me.monitor = NULL;
    ser_java_leave(me);
    return begins;
}

static void operated(JNIEnv *env, jclass unused, jobject object, jint identity, jboolean wrote,
                     jboolean has_value, jlong value, jint number)
{
    (void)unused;
    ser_thread *me = ser_java_done_at(number);
    if (!me)
        return;
    uint32_t id = (uint32_t)identity;
    const ser_java_site *site = ser_site_at((uint32_t)number);
    int op = op_of(site, wrote);
    ser_identity_record(me, env, object, id);
    if (site->kind == SER_CLASS_MEET || site->kind == SER_CLASS_DEPART)
        depart(me, id);
    else if (site->kind != SER_CLASS_ARRIVE && has_value)
        ser_contents_put_value(me, id, op, (uint64_t)value, me->at);
    else if (site->kind != SER_CLASS_ARRIVE)
        ser_contents_put(me, id, 0, op, me->at);
    ser_java_leave(me);
}

/* A task is handed to another thread, or taken. */
static void handed(JNIEnv *env, jclass unused, jobject object, jint identity, jboolean reads,
                   jboolean writes)
{
    (void)unused;
    ser_thread *me = ser_java_step();
    if (!me)
        return;
    uint32_t id = (uint32_t)identity;
    int op = reads && writes ? SER_OP_RMW : writes ? SER_OP_WRITE : SER_OP_READ;
    ser_identity_record(me, env, object, id);
    ser_contents_put(me, id, 0, op, ser_java_place(me));
    ser_java_leave(me);
}

static const JNINativeMethod methods[] = {
    SER_NATIVE("operating0", "(Ljava/lang/Object;ILjava/lang/Object;IJII)Z", operating),
    SER_NATIVE("operated0", "(Ljava/lang/Object;IZZJI)V", operated),
    SER_NATIVE("handed0", "(Ljava/lang/Object;IZZ)V", handed),
    SER_NATIVE("act0", "(Ljava/lang/Object;IZ)V", act),
};

SER_NATIVES(ser_operation_natives, methods);
