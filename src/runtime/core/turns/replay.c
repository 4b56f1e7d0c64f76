/* SPDX-License-Identifier: MIT */
#include "runtime/core/turns/replay.h"

#include <sys/prctl.h>

#include "runtime/core/log.h"
#include "runtime/core/turns/gaps.h"
#include "runtime/core/turns/objects.h"
#include "runtime/core/turns/places.h"
#include "runtime/core/turns/trips.h"

static ser_runtime_world *const world = &ser_the_world;

bool ser_replaying;

enum {
    MOST_LATE = 3,     /* turns by place that may be lost because nothing happens */
    MOST_RECORDS = 256 /* of a turn: they are still in the ring when they are counted */
};

/* How far a thread is in its stretches. */
typedef struct thread_progress {
    uint32_t at;     /* 1 + index of the first that is not over; 0: all are */
    uint32_t times;  /* by place: that it has come there */
    uint64_t began;  /* steps that it had made before this stretch */
    uint64_t aided;  /* steps of threads that run so that it can go on */
    uint32_t wakes;  /* by place: waits that were ended in it */
    ser_trips trips; /* by place */
} thread_progress;

static struct {
    const ser_turn *stretches;
    size_t count, now;
    uint64_t steps;  /* made in all */
    uint64_t seen;   /* head up to which records were counted */
    uint64_t inside; /* records of a text that are still to be passed over */
    uint64_t exact;  /* the option, for when the schedule is over */
    bool followed;   /* to its end */
    uint32_t late;   /* stretches that were lost because nothing happened */
    thread_progress threads[SER_THREADS];
} replay;

static void find_first_stretches(void)
{
    for (size_t i = replay.count; i > 0; i--)
        if (replay.stretches[i - 1].thread < SER_THREADS)
            replay.threads[replay.stretches[i - 1].thread].at = (uint32_t)i;
}

void ser_replay_start(void)
{
    ser_channel_part schedule = world->channel->schedule;
    if (world->parallel || schedule.size < sizeof(ser_turn))
        return;
    replay.stretches = ser_channel_at(world->channel, schedule);
    replay.count = schedule.size / sizeof(ser_turn);
    find_first_stretches();
    ser_gaps_find();
    ser_replaying = true;
    ser_log(REPLAY, INFO, "a schedule of %u stretches is followed", replay.count);
    replay.exact = world->options.exact;
    if (replay.exact < UINT64_MAX)
        world->options.exact = UINT64_MAX - 1; /* for now every operation is looked at */
    if (world->channel->step_limit) /* so that a debugger can be attached while it is stopped */
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
}

bool ser_replay_was_followed(void)
{
    return replay.followed;
}

void ser_replay_note_site(uint32_t number, const char *file, uint32_t line, uint32_t column)
{
    if (ser_replays())
        ser_places_note(number, file, line, column);
}

/* Under the lock, with no thread running but the caller: no other thread writes. */
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

/* From here on it is a run like any other, and elides what threads do not share. */
static void end_replay(void)
{
    ser_replaying = false;
    world->options.exact = replay.exact;
}

static void diverge(uint64_t why)
{
    end_replay();
    ser_log(REPLAY, INFO, "stretch %u of T%u is given up after %u steps in all: reason %u",
            replay.now, stretch()->thread, replay.steps, why);
    note(stretch()->thread, SER_RAW_DIVERGED, why);
}

/* All steps of a thread: elided ones may not be in any record yet. */
static uint64_t steps_of(const ser_thread *thread)
{
    return thread->steps + ser_elided(thread) - thread->recorded_elided;
}

static void finish_stretch(uint32_t thread)
{
    thread_progress *progress = &replay.threads[thread];
    uint32_t index = progress->at - 1;
    ser_log(REPLAY, DEBUG, "stretch %u of T%u is over", index, thread);
    uint64_t made = thread < world->thread_count ? steps_of(world->threads[thread]) : 0;
    *progress = (thread_progress){.at = replay.stretches[index].following, .began = made};
}

/* By place: the thread goes on with its next stretch when that comes. */
static void lose_stretch(uint64_t why)
{
    uint32_t thread = stretch()->thread;
    ser_log(REPLAY, INFO, "stretch %u of T%u is lost after %u steps in all: reason %u", replay.now,
            thread, replay.steps, why);
    note(thread, SER_RAW_TURN_LOST, why);
    finish_stretch(thread);
}

static bool is_over(size_t index)
{
    uint32_t at = replay.threads[replay.stretches[index].thread].at;
    return at == 0 || at > index + 1;
}

static void advance(void)
{
    while (replay.now < replay.count && is_over(replay.now))
        replay.now++;
    if (replay.now < replay.count)
        return;
    replay.followed = true;
    end_replay();
    ser_log(REPLAY, INFO, "the schedule was followed to its end, %u steps", replay.steps);
    note(0, SER_RAW_REPLAYED, 0);
}

/* The replay is watched step by step. All threads are stopped: we have the lock. */
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

static bool ends_by_count(const thread_progress *progress, uint64_t steps)
{
    const ser_turn *turn = progress->at ? &replay.stretches[progress->at - 1] : 0;
    return turn && !turn->times && steps >= turn->until;
}

/* With those that were elided before it. */
static uint64_t steps_in(const ser_record *record)
{
    bool counts = record->op < SER_OP_COUNT && ser_op_has((ser_op)record->op, SER_COUNTS);
    return (counts ? record->value : 0) + (record->op != SER_OP_SKIP);
}

/* Steps of a call beyond the end of a stretch belong to the thread's next stretch. */
static void count_step(const ser_record *record)
{
    uint64_t count = steps_in(record);
    uint64_t steps = world->threads[record->thread]->steps += count;
    thread_progress *progress = &replay.threads[record->thread];
    const ser_turn *turn = progress->at ? &replay.stretches[progress->at - 1] : 0;
    replay.steps += count;
    if (!turn) { /* it runs so that another thread can go on, as part of that one's stretch */
        replay.threads[stretch()->thread].aided += count;
        return;
    }
    if (turn->times && steps > turn->after && ser_places_of(record) == turn->place)
        progress->times++;
    if (turn->times && progress->times >= turn->times)
        finish_stretch(record->thread);
    while (ends_by_count(progress, steps))
        finish_stretch(record->thread);
}

/* The thread whose stretch it is has elided operations that are in no record yet. */
static void count_elided(void)
{
    uint32_t number = stretch()->thread;
    if (number >= world->thread_count)
        return;
    while (ends_by_count(&replay.threads[number], steps_of(world->threads[number])))
        finish_stretch(number);
}

/* Of the stretch that is not over, also by a thread that runs for its sake. */
static uint64_t steps_of_stretch(void)
{
    uint32_t number = stretch()->thread;
    const thread_progress *progress = &replay.threads[number];
    if (number >= world->thread_count)
        return 0;
    const ser_thread *holder = world->holder;
    uint64_t aided = holder && holder->number != number ? steps_of(holder) - holder->steps : 0;
    return steps_of(world->threads[number]) - progress->began + progress->aided + aided;
}

/* The thread took another path, and does not reach the end of its stretch. */
static void lose_if_astray(void)
{
    if (stretch()->most && steps_of_stretch() >= stretch()->most) {
        lose_stretch(SER_DIVERGED_ASTRAY);
        advance();
    }
}

void ser_replay_leaves(const ser_thread *thread)
{
    const ser_turn *turn = stretch();
    if (turn->thread != thread->number || !turn->most ||
        !ser_trips_are_in_vain(&replay.threads[turn->thread].trips))
        return;
    lose_stretch(SER_DIVERGED_ASTRAY);
    advance();
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
        } else if (ser_is_operation(record->op) && !ser_record_continues(record)) {
            count_step(record);
        }
    }
    await_permission();
    count_elided();
    advance();
    if (ser_replaying)
        lose_if_astray();
}

uint64_t ser_replay_elides(const ser_thread *thread, uint64_t position)
{
    const thread_progress *progress = &replay.threads[thread->number];
    const ser_turn *turn = progress->at ? &replay.stretches[progress->at - 1] : 0;
    uint64_t steps = steps_of(thread), until = ser_gaps_end(thread->number, steps);
    if (world->channel->elides && position >= replay.exact)
        until = UINT64_MAX;
    if (turn && !turn->times && turn->until < until)
        until = turn->until;
    if (turn && turn->times && turn->place && turn->after < until)
        until = turn->after; /* from there on places are counted */
    if (stretch()->most) {
        uint64_t made = steps_of_stretch();
        uint64_t left = made < stretch()->most ? stretch()->most - made : 0;
        until = until > steps + left ? steps + left : until;
    }
    const uint64_t most = 1 << 30; /* of a turn that has no end: then it is asked again */
    return until <= steps ? 0 : until - steps < most ? until - steps : most;
}

static uint64_t least(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

/* No step is smaller than a record. So as many records as there are steps up to the next one that
 * decides something can be counted together. */
uint64_t ser_replay_turn(const ser_thread *thread, uint64_t position)
{
    const ser_turn *turn = stretch();
    uint64_t steps = steps_of(thread), until = turn->times ? turn->after : turn->until;
    if (turn->thread != thread->number || world->channel->step_limit || until <= steps)
        return 1;
    uint64_t length = least(until - steps, MOST_RECORDS);
    length = least(length, ser_gaps_next(thread->number, steps));
    if (world->channel->elides && position < replay.exact)
        length = least(length, replay.exact - position);
    uint64_t made = turn->most ? steps_of_stretch() : 0;
    return turn->most && made + length > turn->most ? 1 : length;
}

/* The thread whose end a thread waits for, if all its stretches are over. It may have more to do
 * than the schedule has: steps after its last recorded one, or none at all. */
static ser_thread *awaited_end(const ser_thread *thread)
{
    const ser_runtime_object *object = thread->object;
    if (thread->state != SER_WAITS || !object || object->kind != SER_KIND_THREAD)
        return 0;
    ser_thread *child = (ser_thread *)(uintptr_t)object->address;
    return replay.threads[child->number].at == 0 ? child : 0;
}

/* The thread that must run so that this one can go on. */
static ser_thread *first_to_go(ser_thread *thread)
{
    ser_thread *child = awaited_end(thread);
    for (uint32_t i = 0; child && i < world->thread_count; i++) { /* they might wait in a circle */
        thread = child;
        child = awaited_end(thread);
    }
    return thread;
}

/* The stretch is not followed: by place it is lost, else the schedule is. */
static void give_up_stretch(uint64_t why)
{
    if (!stretch()->most) {
        diverge(why);
        return;
    }
    lose_stretch(why);
    advance();
}

/* The thread waits for another one that must not run now. But a timed wait may time out at once,
 * and a condition wait may wake up spuriously, or because of a notify: that wakes any of the
 * waiting threads, and the schedule says which. */
static bool ends_its_wait(ser_thread *thread)
{
    const ser_turn *turn = stretch();
    uint32_t *wakes = &replay.threads[turn->thread].wakes;
    if (thread->state != SER_WAITS || !(thread->how.deadline || thread->how.spurious) ||
        (turn->most && !thread->how.sleeps && ++*wakes > turn->wakes))
        return false;
    thread->woken = turn->woken && thread->how.spurious;
    ser_log(REPLAY, DEBUG, "stretch %u: the wait of T%u ends, %s", replay.now, thread->number,
            ser_log_text(thread->woken ? "as if woken" : "as if its time were over"));
    ser_token_expire(thread);
    return true;
}

/* It is outside, about to start, or waits for what others than threads may do. A time-out of the
 * runtime's own comes when the schedule wants it, not by itself. */
static bool may_still_come(const ser_thread *thread)
{
    return thread->state != SER_ENDED &&
           (thread->state != SER_WAITS || (thread->how.foreign && !thread->how.late));
}

ser_thread *ser_replay_pick(void)
{
    while (ser_replaying) {
        if (stretch()->thread >= world->thread_count) {
            give_up_stretch(SER_DIVERGED_NO_THREAD);
            continue;
        }
        ser_thread *next = first_to_go(world->threads[stretch()->thread]);
        if (next->state == SER_READY)
            return next;
        if (ends_its_wait(next) || may_still_come(next))
            return 0; /* it will come, or be late */
        give_up_stretch(next->state == SER_ENDED ? SER_DIVERGED_ENDED : SER_DIVERGED_BLOCKED);
    }
    return world->first ? ser_policy_pick() : 0;
}

bool ser_replay_is_next(const ser_thread *thread)
{
    return stretch()->thread == thread->number;
}

uint64_t ser_replay_patience(void)
{
    enum { FOR_BYTES = 700 };
    uint32_t number = stretch()->thread;
    bool awaits_bytes = stretch()->most && number < world->thread_count &&
                        first_to_go(world->threads[number])->awaits_bytes;
    return awaits_bytes ? least(world->options.replay_ms, FOR_BYTES) : world->options.replay_ms;
}

/* A thread that computes for ever keeps the token as long as a schedule is followed. */
void ser_replay_give_up(void)
{
    if (world->holder || replay.late++ >= MOST_LATE)
        diverge(SER_DIVERGED_LATE);
    else
        give_up_stretch(SER_DIVERGED_LATE);
}
