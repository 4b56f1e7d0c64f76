/* SPDX-License-Identifier: MIT */
#include "runtime/core/turns/replay.h"

#include <sys/prctl.h>

#include "runtime/core/log.h"
#include "runtime/core/turns/objects.h"

static ser_runtime_world *const world = &ser_the_world;

bool ser_replaying;

static struct {
    const ser_turn *stretches;
    size_t count, now;
    uint64_t steps;             /* made in all */
    uint64_t seen;              /* head up to which records were counted */
    uint64_t inside;            /* records of a text that are still to be passed over */
    uint64_t last[SER_THREADS]; /* by thread: the end of its last stretch; 0: it has none */
} replay;

static void note_last_stretches(void)
{
    for (size_t i = 0; i < replay.count; i++)
        if (replay.stretches[i].thread < SER_THREADS)
            replay.last[replay.stretches[i].thread] = replay.stretches[i].until;
}

void ser_replay_start(void)
{
    ser_channel_part schedule = world->channel->schedule;
    if (world->parallel || schedule.size < sizeof(ser_turn))
        return;
    replay.stretches = ser_channel_at(world->channel, schedule);
    replay.count = schedule.size / sizeof(ser_turn);
    note_last_stretches();
    ser_replaying = true;
    ser_log(REPLAY, INFO, "a schedule of %u stretches is followed", replay.count);
    world->options.exact = UINT64_MAX; /* every operation is looked at */
    if (world->channel->step_limit)    /* so that a debugger can be attached to what stands still */
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
}

/* Under the lock, with nobody running or the caller itself: nobody else writes. */
static void note(uint32_t thread, int op, uint64_t why)
{
    ser_ring *ring = world->ring;
    bool known = thread < world->thread_count;
    if (ring->head < __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE) + SER_RING_RECORDS) {
        ring->records[ring->head % SER_RING_RECORDS] =
            (ser_record){.object = replay.now,
                         .value = why,
                         .site = known ? world->threads[thread]->waiting_site : 0,
                         .thread = (uint16_t)thread,
                         .op = (uint8_t)op};
        __atomic_store_n(&ring->head, ring->head + 1, __ATOMIC_RELEASE);
    }
    ser_ring_kick();
}

static const ser_turn *stretch(void)
{
    return &replay.stretches[replay.now];
}

static void diverge(uint64_t why)
{
    ser_replaying = false;
    ser_log(REPLAY, INFO, "stretch %u of T%u is given up after %u steps in all: reason %u",
            replay.now, stretch()->thread, replay.steps, why);
    note(stretch()->thread, SER_RAW_DIVERGED, why);
}

static void advance(void)
{
    while (replay.now < replay.count && stretch()->thread < world->thread_count &&
           world->threads[stretch()->thread]->steps >= stretch()->until) {
        ser_log(REPLAY, DEBUG, "stretch %u is over: T%u has made %u steps", replay.now,
                stretch()->thread, stretch()->until);
        replay.now++;
    }
    if (replay.now < replay.count)
        return;
    ser_replaying = false;
    ser_log(REPLAY, INFO, "the schedule was followed to its end, %u steps", replay.steps);
    note(0, SER_RAW_REPLAYED, 0);
}

/* Somebody looks at every step. All threads stand still: we have the lock. */
static void await_permission(void)
{
    ser_channel *channel = world->channel;
    for (;;) {
        uint32_t seen = __atomic_load_n(&channel->step_word, __ATOMIC_ACQUIRE);
        uint64_t limit = __atomic_load_n(&channel->step_limit, __ATOMIC_ACQUIRE);
        if (!limit || replay.steps < limit || !ser_recorder_lives())
            return;
        ser_ring_kick();
        ser_deadline soon = ser_deadline_in(100000);
        ser_futex_wait(&channel->step_word, seen, &soon, true);
    }
}

void ser_replay_count(void)
{
    if (!ser_replaying)
        return;
    for (; replay.seen < world->ring->head; replay.seen++) {
        const ser_record *record = &world->ring->records[replay.seen % SER_RING_RECORDS];
        if (replay.inside) {
            replay.inside--;
        } else if (record->op == SER_RAW_TEXT) {
            replay.inside = (record->value + sizeof *record - 1) / sizeof *record;
        } else if (ser_is_operation(record->op)) {
            world->threads[record->thread]->steps++;
            replay.steps++;
        }
    }
    await_permission();
    advance();
}

/* The thread whose end a thread waits for, if all its stretches are over. It may have more to do
 * than the schedule knows: steps after its last recorded one, or none at all. */
static ser_thread *awaited_end(const ser_thread *thread)
{
    const ser_runtime_object *object = thread->object;
    if (thread->state != SER_WAITS || !object || object->kind != SER_KIND_THREAD)
        return 0;
    ser_thread *child = (ser_thread *)(uintptr_t)object->address;
    return child->steps >= replay.last[child->number] ? child : 0;
}

/* Who must go on so that the thread can. */
static ser_thread *first_to_go(ser_thread *thread)
{
    ser_thread *child = awaited_end(thread);
    for (uint32_t i = 0; child && i < world->thread_count; i++) { /* they might wait in a circle */
        thread = child;
        child = awaited_end(thread);
    }
    return thread;
}

/* What the thread waits for can only be done by one that must not run now; but time may be
 * over at once, and whoever waits for a condition may wake up for no reason. It may also have
 * a reason: a notify wakes any of those that wait, and the schedule says which. */
ser_thread *ser_replay_pick(void)
{
    if (stretch()->thread >= world->thread_count) {
        diverge(SER_DIVERGED_NO_THREAD);
        return world->first ? ser_policy_pick() : 0;
    }
    ser_thread *next = first_to_go(world->threads[stretch()->thread]);
    if (next->state == SER_READY)
        return next;
    if (next->state == SER_WAITS && (next->how->deadline || next->how->spurious)) {
        next->woken = stretch()->woken && next->how->spurious;
        ser_log(REPLAY, DEBUG, "stretch %u: the wait of T%u ends, %s", replay.now, next->number,
                ser_log_text(next->woken ? "as if woken" : "as if its time were over"));
        ser_token_expire(next);
        return 0;
    }
    if (next->state != SER_ENDED && (next->state != SER_WAITS || next->timed))
        return 0; /* it is outside, about to start, or waits for what others than threads may do:
                     it will come, or be late */
    diverge(next->state == SER_ENDED ? SER_DIVERGED_ENDED : SER_DIVERGED_BLOCKED);
    return world->first ? ser_policy_pick() : 0;
}

bool ser_replay_is_next(const ser_thread *thread)
{
    return stretch()->thread == thread->number;
}

void ser_replay_give_up(void)
{
    diverge(SER_DIVERGED_LATE);
}
