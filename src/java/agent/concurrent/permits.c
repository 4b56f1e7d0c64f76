/* SPDX-License-Identifier: MIT */
/*
 * Semaphores and stamped locks of java.util.concurrent, after they have done their work.
 *
 * A semaphore that is first taken when it has one permit is a lock, as long as the thread that has
 * it gives it back; with more permits, a lock that several threads share. Any other has permits
 * that are posted by one thread and taken by another.
 *
 * A thread that reads optimistically, in a method that validates stamps, shares the lock until it
 * asks whether its own is valid. A writer lets it come so far; if that takes too long its hold ends
 * before the writer's begins. So a read that is validated is not predicted to be interrupted.
 */
#include <time.h>

#include "contract/managed.h"
#include "java/agent/agent.h"
#include "java/agent/contents.h"
#include "java/agent/identities.h"
#include "java/agent/monitors.h"

static const void *as_address(uint32_t identity)
{
    return (const void *)(uintptr_t)ser_managed_whole(identity);
}

/* --- threads that share ------------------------------------------------------------- */

/* A thread that has a permit, or reads optimistically. */
typedef struct sharer {
    uint32_t identity; /* of the semaphore or lock; 0: the entry is free */
    ser_thread *thread;
    uint32_t place;
} sharer;

enum { MOST_SHARERS = 1024 }; /* further ones are not recorded */
static sharer sharers[MOST_SHARERS];
static uint32_t used_sharers; /* entries up to there have been used */

static sharer *find_sharer(uint32_t identity, const ser_thread *thread)
{
    for (sharer *one = sharers; one < sharers + used_sharers; one++)
        if (one->identity == identity && (!thread || one->thread == thread))
            return one;
    return NULL;
}

static void begin_sharing(ser_thread *me, uint32_t id)
{
    sharer *one = find_sharer(0, NULL);
    if (!one && used_sharers == MOST_SHARERS)
        return;
    one = one ? one : &sharers[used_sharers++];
    *one = (sharer){id, me, me->at};
    ser_put(me, SER_OP_SHARED_ACQUIRE, as_address(id), 0);
}

/* The thread does not run now, or is the caller. */
static void end_sharing(ser_thread *me, sharer *one, uint32_t place)
{
    ser_put_of(me, one->thread, ser_managed_whole(one->identity), 0,
               ser_tag(SER_OP_SHARED_RELEASE, 0, place));
    ser_count_recorded(one->thread);
    one->thread->locks -= one->thread->locks > 0;
    uint32_t identity = one->identity;
    *one = (sharer){0};
    ser_object_wake(SER_KIND_FUTEX, as_address(identity), 1);
}

/* --- semaphores --------------------------------------------------------------------- */

enum { UNKNOWN, LOCK, SHARED, COUNTING }; /* roles (contents.h) */
enum { MOST_AT_ONCE = 256 };              /* permits that are recorded of one operation */

static void put_permits(ser_thread *me, uint32_t id, int op, int count)
{
    uint32_t place = me->at;
    for (int i = 0; i < count && i < MOST_AT_ONCE; i++) {
        me->at = place;
        ser_put(me, op, as_address(id), 0);
    }
}

static uint8_t role_of_taken(int before, int count)
{
    if (before == 0)
        return COUNTING;
    return before == count ? LOCK : SHARED;
}

static void take_permits(ser_thread *me, uint32_t id, uint8_t *role, int before, int count)
{
    if (*role == UNKNOWN)
        *role = role_of_taken(before, count);
    if (*role == LOCK)
        ser_monitor_take(me, ser_managed_whole(id));
    else if (*role == SHARED)
        begin_sharing(me, id);
    else
        put_permits(me, id, SER_OP_TAKE, count);
}

static void give_permits(ser_thread *me, uint32_t id, uint8_t *role, int count)
{
    sharer *one = *role == SHARED ? find_sharer(id, me) : NULL;
    if (*role == LOCK && ser_monitor_depth(me, ser_managed_whole(id)) > 0) {
        ser_monitor_give(me, ser_managed_whole(id));
    } else if (one) {
        end_sharing(me, one, me->at);
    } else {
        *role = COUNTING;
        put_permits(me, id, SER_OP_POST, count);
    }
}

static void permits(JNIEnv *env, jclass unused, jobject semaphore, jint identity, jint before,
                    jint count, jint site)
{
    (void)unused;
    ser_thread *me = ser_java_done_at(site);
    if (!me)
        return;
    uint32_t id = (uint32_t)identity;
    uint8_t *role = ser_contents_role(id);
    ser_identity_record(me, env, semaphore, id);
    if (!role)
        ser_lose(1);
    else if (count > 0)
        take_permits(me, id, role, before, count);
    else
        give_permits(me, id, role, -count);
    ser_java_leave(me);
}

/* --- stamped locks ------------------------------------------------------------------------ */

typedef enum stamp_mode { NOTHING, OPTIMISTIC, READ, WRITE } stamp_mode;

static void give(ser_thread *me, uint32_t id, stamp_mode mode)
{
    sharer *one = mode == OPTIMISTIC ? find_sharer(id, me) : NULL;
    if (one)
        end_sharing(me, one, me->at);
    else if (mode == READ)
        ser_put(me, SER_OP_SHARED_RELEASE, as_address(id), 0);
    else if (mode == WRITE)
        ser_monitor_give(me, ser_managed_whole(id));
}

static void take(ser_thread *me, uint32_t id, stamp_mode mode)
{
    if (mode == OPTIMISTIC) {
        give(me, id, OPTIMISTIC); /* the last try, which nobody validated */
        begin_sharing(me, id);
    }
    if (mode == READ)
        ser_put(me, SER_OP_SHARED_ACQUIRE, as_address(id), 0);
    if (mode != WRITE)
        return;
    for (sharer *one; (one = find_sharer(id, NULL));)
        end_sharing(me, one, one->place);
    ser_monitor_take(me, ser_managed_whole(id));
}

static void stamped(JNIEnv *env, jclass unused, jobject lock, jint identity, jint had, jint has,
                    jint site)
{
    (void)unused;
    ser_thread *me = ser_java_done_at(site);
    if (!me)
        return;
    uint32_t id = (uint32_t)identity, place = me->at;
    ser_identity_record(me, env, lock, id);
    give(me, id, (stamp_mode)had);
    me->at = place;
    take(me, id, (stamp_mode)has);
    ser_java_leave(me);
}

static jboolean is_written(JNIEnv *env, jclass unused, jint identity)
{
    (void)env, (void)unused;
    ser_thread *me = ser_enter_in_turn();
    if (!me)
        return JNI_FALSE;
    bool taken = !ser_monitor_is_free(me, ser_managed_whole((uint32_t)identity));
    ser_java_leave(me);
    return taken;
}

/* Some paths through a method may never ask whether the stamp is valid, and the reader may even
 * wait for the writer: so nobody waits longer than this for optimistic readers. */
static uint64_t patience_ends;

static uint64_t milliseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Of the lock with that address. */
static bool are_readers_gone(const void *lock)
{
    if (milliseconds_now() >= patience_ends)
        return true;
    for (const sharer *one = sharers; one < sharers + used_sharers; one++)
        if (one->identity && as_address(one->identity) == lock)
            return false;
    return true;
}

/* A replay does not wait for a writer that waits here: it goes on with another thread. */
static void await_readers(JNIEnv *env, jclass unused, jint identity, jint site)
{
    (void)env, (void)unused;
    enum { PATIENCE_MS = 200 };
    ser_thread *me = ser_java_done_at(site);
    uint32_t id = (uint32_t)identity;
    if (!me)
        return;
    patience_ends = milliseconds_now() + PATIENCE_MS;
    while (find_sharer(id, NULL) && !find_sharer(id, me) && !are_readers_gone(as_address(id)))
        ser_object_wait(
            me, SER_KIND_FUTEX, as_address(id),
            (ser_runtime_wait){.foreign = true, .late = true, .is_free = are_readers_gone});
    ser_java_leave(me);
}

static const JNINativeMethod methods[] = {
    SER_NATIVE("permits0", "(Ljava/lang/Object;IIII)V", permits),
    SER_NATIVE("isWritten0", "(I)Z", is_written),
    SER_NATIVE("awaitReaders0", "(II)V", await_readers),
    SER_NATIVE("stamped0", "(Ljava/lang/Object;IIII)V", stamped),
};

SER_NATIVES(ser_permit_natives, methods);
