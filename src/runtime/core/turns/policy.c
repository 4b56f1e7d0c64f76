/* SPDX-License-Identifier: MIT */
/*
 * The schedulers: round-robin, random, and PCT (Burckhardt and others, "A
 * randomized scheduler with probabilistic guarantees of finding bugs").
 *
 * All decisions depend on the seed, the order of the queue and the number of
 * records, never on time or addresses. Called with ser_runtime_world.lock.
 *
 * PCT: threads get random priorities; the highest that is ready runs; at depth-1
 * random events the one that runs falls below all others. A thread that yields, or
 * runs on and on while others are ready (it may wait for one of them in a loop),
 * falls, too: the papers presuppose that threads block instead.
 *
 * No scheduler lets a thread that can run wait for ever (docs/runtime.md, "Fairness").
 */
#include "runtime/core/turns/replay.h"
#include "runtime/core/turns/token.h"

static ser_runtime_world *const world = &ser_the_world;

enum {
    MOST_CHANGES = 64,
    PATIENCE = 50,     /* pct: turns a thread may run on before it falls */
    STEADY_TURNS = 64, /* the first turns of a run that all have the same length (round-robin) */
    PASSED_OVER = 16,  /* random: times the length of the queue that its first may be passed over */
};

static struct {
    uint64_t random;
    uint64_t lengths; /* the same for the lengths of turns, so that these leave the rest as it is */
    uint64_t changes[MOST_CHANGES]; /* positions at which the running thread falls, rising */
    uint64_t change_count, next_change;
    bool has_begun;  /* the changes are chosen */
    uint64_t lowest; /* the next priority below all others */
    uint64_t patience_end;
} policy;

/* splitmix64 */
static uint64_t draw_from(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t draw(void)
{
    return draw_from(&policy.random);
}

/* From half of the mean to one and a half of it, at least two values: turns of equal length
 * might always end while a loop of the program holds a lock that others want. */
static uint64_t vary(uint64_t mean)
{
    uint64_t shortest = mean - mean / 2;
    uint64_t values = mean == 1 ? 2 : 2 * (mean / 2) + 1;
    return shortest + draw_from(&policy.lengths) % values;
}

static void sort_in(uint64_t change)
{
    uint64_t i = policy.change_count++;
    for (; i > 0 && policy.changes[i - 1] > change; i--)
        policy.changes[i] = policy.changes[i - 1];
    policy.changes[i] = change;
}

void ser_policy_start(void)
{
    policy.random = world->options.seed;
    policy.lengths = ~world->options.seed;
    policy.lowest = UINT64_MAX / 2;
}

/* In the first turn that is scheduled freely: before it only definitions were recorded, and
 * priority changes there would all hit the first thread. */
static void choose_changes(uint64_t position)
{
    policy.has_begun = true;
    for (uint64_t i = 1; i < world->options.depth; i++)
        sort_in(position + 1 + draw() % world->options.length);
}

void ser_policy_admit(ser_thread *thread)
{
    if (world->options.scheduler == SER_SCHEDULER_PCT)
        thread->priority = draw() | (UINT64_C(1) << 63);
}

/* Turns of random length, so that each event ends one with probability 1/quantum. */
static uint64_t random_turn(void)
{
    uint64_t length = 1;
    uint64_t quantum = world->options.quantum;
    while (quantum > 1 && length < 64 * quantum && draw() % quantum != 0)
        length++;
    return length;
}

static void fall(ser_thread *thread)
{
    thread->priority = policy.lowest--;
}

/* Also if no other thread could run at the time: turns of one event until then would be slow. */
static void fall_at_changes(ser_thread *thread, uint64_t position)
{
    for (;
         policy.next_change < policy.change_count && position >= policy.changes[policy.next_change];
         policy.next_change++)
        fall(thread);
}

static uint64_t pct_turn(ser_thread *thread, uint64_t position)
{
    fall_at_changes(thread, position);
    uint64_t left = policy.patience_end - position;
    if (policy.next_change < policy.change_count &&
        policy.changes[policy.next_change] - position < left)
        left = policy.changes[policy.next_change] - position;
    return left;
}

static uint64_t patience(void)
{
    return PATIENCE * world->options.quantum;
}

uint64_t ser_policy_turn(ser_thread *thread, uint64_t position)
{
    if (ser_replays())
        return ser_replay_turn(thread, position);
    static ser_thread *before;
    bool goes_on = thread == before && position < policy.patience_end;
    before = thread;
    switch (world->options.scheduler) {
    case SER_SCHEDULER_RANDOM:
        return random_turn();
    case SER_SCHEDULER_PCT:
        if (!policy.has_begun)
            choose_changes(position);
        if (!goes_on)
            policy.patience_end = position + vary(patience());
        return pct_turn(thread, position);
    default:
        return world->turn <= STEADY_TURNS ? world->options.quantum : vary(world->options.quantum);
    }
}

static ser_thread *highest(void)
{
    ser_thread *best = world->first;
    for (ser_thread *thread = best; thread; thread = thread->next)
        if (thread->priority > best->priority)
            best = thread;
    return best;
}

/* The first of the queue is the one that has been there longest. Was it passed over so often that
 * it must be next? Else threads that wake each other might keep it waiting for ever. */
static bool first_is_due(void)
{
    const ser_thread *first = world->first;
    uint64_t turns = world->turn - first->ready_turn;
    if (world->options.scheduler == SER_SCHEDULER_RANDOM)
        return turns >= PASSED_OVER * (uint64_t)world->ready;
    return world->options.scheduler == SER_SCHEDULER_PCT &&
           turns + ser_token_now() - first->ready_position >= 2 * patience();
}

bool ser_policy_gives_way(ser_thread *thread)
{
    if (ser_replays()) {
        ser_replay_count();
        if (ser_replays()) /* what is not recorded belongs to the step before or after it */
            return !thread->ignoring && !ser_replay_is_next(thread);
        return false; /* the thread that made the last step goes on: what ended the run may come
                         next */
    }
    if (world->options.scheduler != SER_SCHEDULER_PCT)
        return ser_token_position(thread) >= world->turn_end;
    uint64_t position = ser_token_position(thread);
    if (position >= policy.patience_end)
        fall(thread);
    fall_at_changes(thread, position);
    return world->first &&
           (world->urgent || first_is_due() || highest()->priority > thread->priority);
}

void ser_policy_yields(ser_thread *thread)
{
    if (world->options.scheduler == SER_SCHEDULER_PCT)
        fall(thread);
}

ser_thread *ser_policy_pick(void)
{
    if (ser_replays()) {
        ser_replay_count();
        if (ser_replays())
            return ser_replay_pick();
    }
    ser_thread *thread = world->first;
    if (world->urgent)
        return world->urgent;
    if (first_is_due()) {
        thread->priority = UINT64_MAX; /* until it falls */
        return thread;
    }
    if (world->options.scheduler == SER_SCHEDULER_PCT)
        return highest();
    if (world->options.scheduler == SER_SCHEDULER_RANDOM)
        for (uint64_t n = draw() % world->ready; n > 0; n--)
            thread = thread->next;
    return thread;
}
