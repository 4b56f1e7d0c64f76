/* SPDX-License-Identifier: MIT */
/*
 * Operations of the library that are one step on a whole object: of atomics, collections, latches,
 * tasks. Where there is no value that a number could stand for, the object has a version, which
 * each write counts up.
 */
#include <stdlib.h>

#include "contract/managed.h"
#include "java/agent/agent.h"
#include "java/agent/identities.h"
#include "java/agent/monitors.h"
#include "java/agent/sites.h"

typedef struct version {
    uint32_t identity; /* 0: free */
    uint64_t number;
} version;

/* With the token. */
static struct {
    version *entries; /* open addressing */
    uint32_t room, count;
} versions;

static version *slot_of(const version *entries, uint32_t room, uint32_t identity)
{
    uint32_t at = identity * 2654435761u & (room - 1);
    while (entries[at].identity && entries[at].identity != identity)
        at = (at + 1) & (room - 1);
    return (version *)(uintptr_t)&entries[at];
}

static bool make_room(void)
{
    enum { FIRST_ROOM = 1024 };
    if (versions.count * 2 < versions.room)
        return true;
    uint32_t room = versions.room ? versions.room * 2 : FIRST_ROOM;
    version *larger = calloc(room, sizeof *larger);
    if (!larger)
        return false;
    for (uint32_t i = 0; i < versions.room; i++)
        if (versions.entries[i].identity)
            *slot_of(larger, room, versions.entries[i].identity) = versions.entries[i];
    free(versions.entries);
    versions.entries = larger;
    versions.room = room;
    return true;
}

static uint64_t version_of(uint32_t identity, bool writes)
{
    if (!make_room())
        return 0;
    version *slot = slot_of(versions.entries, versions.room, identity);
    versions.count += slot->identity == 0;
    slot->identity = identity;
    slot->number += writes;
    return slot->number;
}

static int op_of(const ser_java_site *site, bool wrote)
{
    if (site->kind == SER_CLASS_READ || site->kind == SER_CLASS_MEET || !wrote)
        return SER_OP_READ;
    return site->kind == SER_CLASS_WRITE ? SER_OP_WRITE : SER_OP_RMW;
}

static void put(ser_thread *me, uint32_t identity, int op, uint64_t value, uint32_t place)
{
    ser_put_record(me, ser_managed_whole(identity), value, ser_tag(op, sizeof value, place));
}

/* Before it: whoever else holds the object's monitor must leave it; and a thread that comes to a
 * barrier says so. */
static void operating(JNIEnv *env, jclass unused, jobject object, jint identity,
                      jboolean synchronised, jint number)
{
    (void)unused;
    ser_thread *me = ser_java_step_at(number);
    if (!me)
        return;
    uint32_t id = (uint32_t)identity;
    if (synchronised)
        ser_monitor_await_free(me, ser_managed_whole(id));
    ser_java_me.turn = ser_the_world.turn;
    if (ser_site_at((uint32_t)number)->kind == SER_CLASS_MEET) {
        ser_identity_tell(me, env, object, id);
        put(me, id, SER_OP_RMW, version_of(id, true), me->at);
    }
    ser_leave(me);
}

static void operated(JNIEnv *env, jclass unused, jobject object, jint identity,
                     jboolean synchronised, jboolean wrote, jboolean has_value, jlong value,
                     jint number)
{
    (void)unused;
    ser_thread *me = ser_java_done_at(number);
    if (!me)
        return;
    uint32_t id = (uint32_t)identity;
    int op = op_of(ser_site_at((uint32_t)number), wrote);
    uint64_t seen = has_value ? (uint64_t)value : version_of(id, op != SER_OP_READ);
    ser_identity_tell(me, env, object, id);
    if (synchronised)
        ser_monitor_take(me, ser_managed_whole(id));
    put(me, id, op, seen, me->at);
    if (synchronised)
        ser_monitor_give(me, ser_managed_whole(id));
    ser_leave(me);
}

static void handed(JNIEnv *env, jclass unused, jobject object, jint identity, jboolean writes)
{
    (void)unused;
    ser_thread *me = ser_java_step();
    if (!me)
        return;
    uint32_t id = (uint32_t)identity;
    ser_identity_tell(me, env, object, id);
    put(me, id, writes ? SER_OP_WRITE : SER_OP_READ, version_of(id, writes), me->at);
    ser_leave(me);
}

static const JNINativeMethod methods[] = {
    SER_NATIVE("operating0", "(Ljava/lang/Object;IZI)V", operating),
    SER_NATIVE("operated0", "(Ljava/lang/Object;IZZZJI)V", operated),
    SER_NATIVE("handed0", "(Ljava/lang/Object;IZ)V", handed),
};

SER_NATIVES(ser_operation_natives, methods);
