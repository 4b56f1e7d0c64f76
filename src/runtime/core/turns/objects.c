/* SPDX-License-Identifier: MIT */
/*
 * The table of objects with waiters: chained buckets, records recycled.
 */
#include "runtime/core/turns/objects.h"

#include <errno.h>
#include <limits.h>

#include "runtime/core/platform.h"
#include "runtime/core/records/elided.h"

static ser_runtime_world *const world = &ser_the_world;

enum {
    BUCKETS = 1 << 12,
    MOST_LOSSES = 4,               /* of a thread that waits, before it is let in first */
    MOST_LOSSES_IN_PARALLEL = 100, /* there it costs a context switch, and chance helps */
    WAIT_FOR_STARVED = 2000,       /* microseconds, at most: it may be unable to go on */
    MOST_REFUSALS = 50, /* the same of those that poll: a loop may ask often in one turn */
    REFUSAL_IN_NEW_TURN = MOST_REFUSALS / MOST_LOSSES, /* the first of a turn weighs more */
};

static struct {
    ser_runtime_object *buckets[BUCKETS];
    ser_runtime_object *unused;
    uint32_t count;
    uint64_t waits; /* so far */
} table;

ser_thread *ser_enter_sync_recorded(void)
{
    ser_thread *me = ser_enter();
    if (me)
        ser_record_elided(me); /* do not wait for room while holding the lock */
    if (me && world->parallel)
        ser_lock_take(&world->objects);
    return me;
}

/* Parallel mode: a thread that has just been woken, and lost the object too often, goes before
 * the thread that released it. */
static SER_COLD void let_in(ser_thread *starved)
{
    ser_deadline soon = ser_deadline_in(WAIT_FOR_STARVED);
    while (__atomic_load_n(&starved->expected, __ATOMIC_ACQUIRE) &&
           ser_futex_wait(&starved->expected, 1, &soon, false) != -ETIMEDOUT)
        ;
}

/* It has had its chance. */
static SER_COLD void arrive(ser_thread *me)
{
    __atomic_store_n(&me->expected, 0, __ATOMIC_RELEASE);
    ser_futex_wake(&me->expected, INT_MAX, false);
}

static __attribute__((noinline)) void leave_in_parallel(ser_thread *me)
{
    ser_thread *starved = me->lets_in;
    me->lets_in = 0;
    ser_lock_give(&world->objects);
    if (!me->wakes_later)
        ser_token_send_wakes(me);
    me->wakes_later = false;
    if (me->expected)
        arrive(me);
    ser_leave(me);
    if (starved)
        let_in(starved);
}

void ser_leave_sync(ser_thread *me)
{
    if (world->parallel)
        leave_in_parallel(me);
    else
        ser_leave(me);
}

static ser_runtime_object **bucket_of(ser_kind kind, const void *address)
{
    uint64_t hash = ((uintptr_t)address + (uint64_t)kind) * UINT64_C(0x9e3779b97f4a7c15);
    return &table.buckets[hash >> 52];
}

ser_runtime_object *ser_object_find(ser_kind kind, const void *address)
{
    if (!table.count)
        return 0;
    ser_runtime_object *object = *bucket_of(kind, address);
    while (object && (object->address != address || object->kind != kind))
        object = object->next;
    return object;
}

ser_runtime_object *ser_object_get(ser_kind kind, const void *address)
{
    ser_runtime_object *object = ser_object_find(kind, address);
    if (object)
        return object;
    object = table.unused;
    if (object)
        table.unused = object->next;
    else if (!(object = ser_memory(sizeof *object)))
        return 0;
    ser_runtime_object **bucket = bucket_of(kind, address);
    *object = (ser_runtime_object){.address = address, .kind = kind, .next = *bucket};
    *bucket = object;
    table.count++;
    return object;
}

void ser_object_drop(ser_runtime_object *object)
{
    if (object->first || object->count || object->runner || object->poller)
        return;
    ser_runtime_object **link = bucket_of(object->kind, object->address);
    while (*link != object)
        link = &(*link)->next;
    *link = object->next;
    object->next = table.unused;
    table.unused = object;
    table.count--;
}

/* Behind all threads that came earlier; usually that is the end. */
static void join_queue(ser_runtime_object *object, ser_thread *me)
{
    ser_thread *ahead = object->last;
    while (ahead && ahead->since > me->since)
        ahead = ahead->ahead;
    me->object = object;
    me->ahead = ahead;
    me->behind = ahead ? ahead->behind : object->first;
    *(ahead ? &ahead->behind : &object->first) = me;
    *(me->behind ? &me->behind->ahead : &object->last) = me;
}

static void leave_queue(ser_runtime_object *object, ser_thread *thread)
{
    *(thread->ahead ? &thread->ahead->behind : &object->first) = thread->behind;
    *(thread->behind ? &thread->behind->ahead : &object->last) = thread->ahead;
    thread->object = 0;
}

ser_wakening ser_object_await(ser_thread *me, ser_kind kind, const void *address,
                              ser_runtime_wait how, ser_claim *claim)
{
    bool anywhere = me->async && !how.cancellable;
    if (anywhere && me->cancelled && ser_the_platform.is_cancellable())
        ser_the_platform.cancel_point(me);
    ser_runtime_object *object = ser_object_get(kind, address);
    if (!object) { /* no memory: let others run, and have it tried again */
        ser_token_yield(me);
        return SER_WOKEN;
    }
    if (claim->since)
        claim->losses++;
    else
        claim->since = ++table.waits;
    me->since = claim->since;
    join_queue(object, me);
    if (me->expected)
        arrive(me);
    me->lets_in = 0; /* it lets others in anyway */
    how.address = address;
    how.releases = &object->releases; /* objects are recycled, never unmapped */
    how.starved = claim->losses >= (world->parallel ? MOST_LOSSES_IN_PARALLEL : MOST_LOSSES);
    ser_wakening why = ser_token_wait(me, &how);
    ser_object_forsake(me);
    if (anywhere && why == SER_CANCELLED)
        ser_the_platform.cancel_point(me);
    return why;
}

ser_wakening ser_object_wait(ser_thread *me, ser_kind kind, const void *address,
                             ser_runtime_wait how)
{
    ser_claim claim = {0};
    return ser_object_await(me, kind, address, how, &claim);
}

/* A thread polls one object at most, as far as is known here. */
static void forget_poller(ser_runtime_object *object)
{
    object->poller->polled = 0;
    object->poller = 0;
}

void ser_object_refuse(ser_thread *me, ser_kind kind, const void *address)
{
    if (world->parallel || me->urgent_turn == world->turn)
        return; /* two polling threads must not give way to each other for ever */
    me->refusals += me->refused_turn == world->turn ? 1 : REFUSAL_IN_NEW_TURN;
    me->refused_turn = world->turn;
    if (me->refusals < MOST_REFUSALS)
        return;
    ser_runtime_object *object = ser_object_get(kind, address), *before = me->polled;
    if (!object || (object->poller && object->poller->state == SER_READY))
        return;
    if (object->poller)
        forget_poller(object);
    object->poller = me;
    me->polled = object;
    if (before && before != object) {
        before->poller = 0;
        ser_object_drop(before);
    }
}

bool ser_object_starves(ser_kind kind, const void *address)
{
    const ser_runtime_object *object = ser_object_find(kind, address);
    const ser_thread *first = object ? object->first : 0;
    return (first && first->state == SER_WAITS && first->how.starved) ||
           (object && object->poller && object->poller->state == SER_READY);
}

/* The object is free, at least for some. If the thread that polls it sleeps between two tries,
 * it gets its chance another time. */
static void prefer_poller(ser_runtime_object *object)
{
    ser_thread *poller = object->poller;
    if (!poller || poller->state != SER_READY)
        return;
    forget_poller(object);
    poller->refusals = 0;
    ser_token_prefer(poller);
}

void ser_object_forsake(ser_thread *me)
{
    ser_runtime_object *object = me->object;
    if (!object)
        return;
    leave_queue(object, me);
    ser_object_drop(object);
}

static void expect(ser_thread *thread)
{
    if (ser_self == &ser_stranger || ser_self == &ser_nobody)
        return;
    ser_self->lets_in = thread;
    __atomic_store_n(&thread->expected, 1, __ATOMIC_RELAXED);
}

uint32_t ser_object_wake(ser_kind kind, const void *address, uint32_t most)
{
    uint32_t woken = 0;
    ser_runtime_object *object = ser_object_find(kind, address);
    if (!object)
        return 0;
    __atomic_store_n(&object->releases, object->releases + 1, __ATOMIC_RELAXED);
    for (; woken < most && object->first; woken++) {
        ser_thread *thread = object->first;
        leave_queue(object, thread);
        if (world->parallel && thread->state == SER_WAITS && thread->how.starved)
            expect(thread);
        ser_token_wake(thread);
    }
    prefer_poller(object);
    ser_object_drop(object);
    return woken;
}
