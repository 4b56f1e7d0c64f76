/* SPDX-License-Identifier: MIT */
/*
 * A deadlock: every living thread waits for another. Nothing can change that but a
 * signal handler (which only may post semaphores: those waits do not count then).
 * The runtime tells who waits for what; the recorder decides what to do.
 */
#include "runtime/lines.h"
#include "runtime/objects.h"

static ser_world *const world = &ser_the_world;

ser_thread *ser_object_holder(const ser_object *object)
{
    switch (object->kind) {
    case SER_KIND_MUTEX:
        return ser_thread_by_tid(
            (uint32_t)((const pthread_mutex_t *)object->address)->__data.__owner);
    case SER_KIND_RWLOCK:
        return ser_thread_by_tid(
            (uint32_t)((const pthread_rwlock_t *)object->address)->__data.__cur_writer);
    case SER_KIND_ONCE:
        return object->runner;
    case SER_KIND_THREAD:
        return (ser_thread *)(uintptr_t)object->address;
    default:
        return 0;
    }
}

static void tell_one(ser_thread *me, const ser_thread *thread)
{
    const ser_thread *holder = ser_object_holder(thread->object);
    ser_record record = {.object = (uintptr_t)thread->object->address,
                         .value = holder ? holder->number : UINT64_MAX,
                         .clock = me->clock,
                         .site = thread->waiting_site,
                         .thread = (uint16_t)thread->number,
                         .op = SER_RAW_BLOCKED,
                         .size = (uint8_t)thread->object->kind};
    ser_put_whole(me, &record);
}

void ser_deadlock_tell(ser_thread *me)
{
    static bool told;
    if (told || !world->recording)
        return;
    told = true;
    ser_lines_tick(me);
    for (uint32_t i = 0; i < world->thread_count; i++)
        if (world->threads[i]->state == SER_WAITS && world->threads[i]->object)
            tell_one(me, world->threads[i]);
    ser_record record = {
        .op = SER_RAW_DEADLOCK, .thread = (uint16_t)me->number, .clock = me->clock};
    ser_put_whole(me, &record);
    if (world->parallel)
        ser_lines_push(me); /* those that wait must not hold the merge back */
    ser_ring_kick();
}
