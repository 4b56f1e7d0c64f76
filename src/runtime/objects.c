/* SPDX-License-Identifier: MIT */
/*
 * The table of objects with waiters: chained buckets, records recycled.
 */
#include "runtime/objects.h"

#include <errno.h>

#include "runtime/cancel.h"
#include "runtime/inputs.h"
#include "runtime/privacy.h"

static ser_world *const world = &ser_the_world;

enum { BUCKETS = 1 << 12 };

static struct {
    ser_object *buckets[BUCKETS];
    ser_object *unused;
    uint32_t count;
} table;

ser_thread *ser_enter_sync(void)
{
    ser_thread *me = ser_enter();
    if (me)
        ser_tell_left_out(me); /* nobody waits for room with the lock */
    if (me && world->parallel)
        ser_lock_take(&world->objects);
    return me;
}

void ser_leave_sync(ser_thread *me)
{
    if (world->parallel) {
        ser_lock_give(&world->objects);
        if (!me->wakes_later)
            ser_token_send_wakes(me);
        me->wakes_later = false;
    }
    ser_leave(me);
}

static ser_object **bucket_of(ser_kind kind, const void *address)
{
    uint64_t hash = ((uintptr_t)address + (uint64_t)kind) * UINT64_C(0x9e3779b97f4a7c15);
    return &table.buckets[hash >> 52];
}

ser_object *ser_object_find(ser_kind kind, const void *address)
{
    if (!table.count)
        return 0;
    ser_object *object = *bucket_of(kind, address);
    while (object && (object->address != address || object->kind != kind))
        object = object->next;
    return object;
}

ser_object *ser_object_get(ser_kind kind, const void *address)
{
    ser_object *object = ser_object_find(kind, address);
    if (object)
        return object;
    object = table.unused;
    if (object)
        table.unused = object->next;
    else if (!(object = ser_memory(sizeof *object)))
        return 0;
    ser_object **bucket = bucket_of(kind, address);
    *object = (ser_object){.address = address, .kind = kind, .next = *bucket};
    *bucket = object;
    table.count++;
    return object;
}

void ser_object_drop(ser_object *object)
{
    if (object->first || object->count || object->runner)
        return;
    ser_object **link = bucket_of(object->kind, object->address);
    while (*link != object)
        link = &(*link)->next;
    *link = object->next;
    object->next = table.unused;
    table.unused = object;
    table.count--;
}

static void join_queue(ser_object *object, ser_thread *me)
{
    me->object = object;
    me->behind = 0;
    me->ahead = object->last;
    *(object->first ? &object->last->behind : &object->first) = me;
    object->last = me;
}

static void leave_queue(ser_object *object, ser_thread *thread)
{
    *(thread->ahead ? &thread->ahead->behind : &object->first) = thread->behind;
    *(thread->behind ? &thread->behind->ahead : &object->last) = thread->ahead;
    thread->object = 0;
}

ser_wakening ser_object_wait(ser_thread *me, ser_kind kind, const void *address, ser_wait how)
{
    bool anywhere = me->async && !how.cancellable;
    if (anywhere && me->cancelled && ser_cancel_is_enabled())
        ser_cancel_point(me);
    ser_object *object = ser_object_get(kind, address);
    if (!object) { /* no memory: let others run, and have it tried again */
        ser_token_yield(me);
        return SER_WOKEN;
    }
    join_queue(object, me);
    how.address = address;
    ser_wakening why = ser_token_wait(me, &how);
    ser_object_forsake(me);
    if (anywhere && why == SER_CANCELLED)
        ser_cancel_point(me);
    return why;
}

void ser_object_forsake(ser_thread *me)
{
    ser_object *object = me->object;
    if (!object)
        return;
    leave_queue(object, me);
    ser_object_drop(object);
}

uint32_t ser_object_wake(ser_kind kind, const void *address, uint32_t most)
{
    uint32_t woken = 0;
    ser_object *object = ser_object_find(kind, address);
    if (!object)
        return 0;
    for (; woken < most && object->first; woken++) {
        ser_thread *thread = object->first;
        leave_queue(object, thread);
        ser_token_wake(thread);
    }
    ser_object_drop(object);
    return woken;
}

int ser_deadline_read(ser_deadline *deadline, clockid_t clock, const struct timespec *time)
{
    if ((clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) || time->tv_nsec < 0 ||
        time->tv_nsec >= 1000000000)
        return EINVAL;
    deadline->clock = clock;
    deadline->time = *time;
    if (deadline->time.tv_sec < 0) /* long ago; the kernel would call it invalid */
        deadline->time = (struct timespec){0};
    ser_inputs_correct(deadline);
    return 0;
}
