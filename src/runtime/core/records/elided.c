/* SPDX-License-Identifier: MIT */
#include "runtime/core/records/elided.h"

#include "runtime/core/records/clocks.h"

static ser_runtime_world *const world = &ser_the_world;

void ser_put_note(ser_thread *me, int op, uint64_t object, uint64_t value, uint32_t site)
{
    if (!world->parallel) {
        uint64_t tail = __atomic_load_n(&me->ring->tail, __ATOMIC_ACQUIRE);
        if (me->ring->head + SER_ROOM > tail + SER_RING_RECORDS)
            ser_ring_await_room(me);
    }
    ser_put_raw(me, object, value, ser_tag(op, 0, site));
}

/* The same, as an event of the thread alone. */
static void put_own(ser_thread *me, int op, uint64_t object, uint64_t value, uint32_t site)
{
    if (world->parallel) {
        ser_clocks_catch_up(me);
        ser_clocks_tick(me);
    }
    ser_put_note(me, op, object, value, site);
    if (world->parallel)
        ser_clocks_publish(me);
}

/* Records the elided calls that are still open. */
uint64_t ser_record_calls(ser_thread *me)
{
    for (; me->recorded_depth < me->depth && me->recorded_depth < me->call_room;
         me->recorded_depth++) {
        const ser_call *call =
            &me->calls[me->recorded_depth]; /* nothing was recorded since it began */
        uint64_t elided = ser_stamp_operation(call->stamp) - me->recorded;
        put_own(me, SER_OP_CALL, call->site, elided - me->recorded_elided, call->site);
        me->recorded_elided = elided + 1;
    }
    return ser_take_elided(me);
}

void ser_record_elided(ser_thread *me)
{
    if (world->parallel)
        ser_sample_operations(me);
    if (!ser_owes(me) || !world->recording)
        return;
    uint64_t elided = ser_record_calls(me);
    if (elided > 0)
        put_own(me, SER_OP_SKIP, 0, elided, 0);
}

/* Also if everything was counted before a call that made no event: an event must follow. */
void ser_record_rest(ser_thread *me)
{
    if (ser_elided(me) == 0 || !world->recording)
        return;
    ser_record_elided(me);
    put_own(me, SER_RAW_AFTER, me->number, ser_stamp_operation(me->stamp), 0);
}

void ser_keeping_look(ser_thread *thread, uint64_t position)
{
    if (position >= world->options.exact)
        thread->keeping &= ~SER_KEEP_AT_FIRST;
}

uint64_t ser_time_now(const ser_thread *me)
{
    return world->parallel ? ser_parallel_time(me) : world->turn + 1;
}

void ser_sample_operations(ser_thread *thread)
{
    if (thread->keeping & SER_KEEP_ALL)
        return; /* nobody asks, and their memory would stay with every thread that there was */
    uint64_t count = thread->samples, time = ser_time_now(thread);
    if (count > 0 && thread->sample[(count - 1) % SER_SAMPLES].time == time)
        return; /* lookups want the first sample of a time */
    thread->sample[count % SER_SAMPLES] = (ser_sample){time, ser_stamp_operation(thread->stamp)};
    __atomic_store_n(&thread->samples, count + 1, __ATOMIC_RELEASE);
}
