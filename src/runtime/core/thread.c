/* SPDX-License-Identifier: MIT */
/*
 * What is remembered of a thread, whatever made it: from its number to its end.
 */
#include <sys/mman.h>

#include "runtime/core/log.h"
#include "runtime/core/platform.h"
#include "runtime/core/records/clocks.h"
#include "runtime/core/turns/objects.h"

static ser_runtime_world *const world = &ser_the_world;

enum { CALLS_SIZE = SER_STACK_DEPTH * sizeof(ser_call) };

static void map_calls(ser_thread *thread)
{
    thread->calls = ser_map(CALLS_SIZE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
    if (!thread->calls)
        return;
    thread->call_room = SER_STACK_DEPTH;
}

static void unmap_calls(ser_thread *thread)
{
    uint32_t room = thread->call_room;
    thread->call_room = 0;
    if (room > 0)
        ser_sys(SYS_munmap, (long)thread->calls, CALLS_SIZE, 0, 0, 0, 0);
}

ser_thread *ser_thread_create(void)
{
    ser_lock_take(&world->lock);
    ser_thread *thread = world->thread_count < SER_THREADS ? ser_memory(sizeof *thread) : 0;
    if (thread) {
        thread->inside = 1;
        thread->number = world->thread_count;
        thread->tag = (uint64_t)thread->number << 32;
        thread->state = SER_OUTSIDE;
        thread->ring = world->parallel ? ser_clocks_claim_ring(thread) : world->ring;
        if (!thread->ring) /* it takes part, but leaves no trace */
            thread->ring = ser_ring_private(0);
        if (world->options.calls)
            map_calls(thread);
        ser_the_platform.thread_made(thread);
        thread = thread->ring ? thread : 0;
    }
    if (thread) {
        world->threads[thread->number] = thread;
        __atomic_store_n(&world->thread_count, world->thread_count + 1, __ATOMIC_RELEASE);
    } else if (world->parallel) {
        ser_clocks_end_run(SER_THREADS);
    }
    ser_lock_give(&world->lock);
    return thread;
}

void ser_thread_forget(ser_thread *thread)
{
    thread->state = SER_ENDED;
    unmap_calls(thread);
    if (world->parallel)
        __atomic_store_n(&thread->ring->claimed, 2, __ATOMIC_RELEASE);
}

ser_thread *ser_thread_by_tid(uint32_t tid)
{
    uint32_t count = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; tid && i < count; i++)
        if (world->threads[i]->tid == tid && world->threads[i]->state != SER_ENDED)
            return world->threads[i];
    return 0;
}

ser_thread *ser_thread_last_with_tid(uint32_t tid)
{
    for (uint32_t i = __atomic_load_n(&world->thread_count, __ATOMIC_ACQUIRE); tid && i > 0; i--)
        if (world->threads[i - 1]->tid == tid)
            return world->threads[i - 1];
    return 0;
}

void ser_thread_end(ser_thread *me)
{
    ser_token_forsake(me);
    ser_object_forsake(me);
    ser_log(RUNTIME, INFO, "T%u ends after %u operations", me->number,
            ser_stamp_operation(me->stamp));
    ser_self = &ser_stranger;
    ser_object_wake(SER_KIND_THREAD, me, UINT32_MAX);
    me->state = SER_ENDED;
    if (world->parallel) {
        if (me->clock > world->clock) /* a join comes later */
            world->clock = me->clock;
        __atomic_store_n(&me->ring->claimed, 2, __ATOMIC_RELEASE);
    }
    ser_token_end(me);
    if (world->parallel) {
        ser_lock_give(&world->objects);
        ser_token_send_wakes(me);
    }
    unmap_calls(me);
}
