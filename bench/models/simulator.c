/* SPDX-License-Identifier: MIT */
/*
 * simulate draws a thread, lets it take a burst of steps, and draws again. A thread that
 * cannot move is put aside until some other one has moved; when all are put aside, the
 * run is over.
 */
#include "simulator.h"

typedef struct lock_state {
    uint32_t holder, depth;
} lock_state;

typedef struct condition_state {
    SER_VECTOR(uint32_t) waiting; /* threads, longest first */
    uint32_t reached;             /* waits and milestones so far */
} condition_state;

typedef struct thread_state {
    size_t position; /* of its next step */
    bool started, asleep;
} thread_state;

typedef struct simulation {
    const program *p;
    random_source random;
    event_sink sink;
    void *context;
    lock_state *locks;
    condition_state *conditions;
    thread_state *threads;
} simulation;

static bool has_ended(const simulation *s, uint32_t thread)
{
    return s->threads[thread].position == s->p->threads.items[thread].steps.count;
}

static void wake_one(simulation *s, condition_state *condition)
{
    if (condition->waiting.count == 0)
        return;
    s->threads[condition->waiting.items[0]].asleep = false;
    condition->waiting.count--;
    memmove(condition->waiting.items, condition->waiting.items + 1,
            condition->waiting.count * sizeof *condition->waiting.items);
}

static void fall_asleep(simulation *s, uint32_t thread, condition_state *condition)
{
    s->threads[thread].asleep = true;
    condition->reached++;
    ser_vector_push(&condition->waiting, thread);
}

static bool take_lock(lock_state *lock, uint32_t thread)
{
    if (lock->depth > 0 && lock->holder != thread)
        return false;
    lock->holder = thread;
    lock->depth++;
    return true;
}

/* Lets the event happen, if it can. */
static bool perform(simulation *s, uint32_t thread, const step *next)
{
    switch (next->op) {
    case SER_OP_ACQUIRE:
        return take_lock(&s->locks[next->object], thread);
    case SER_OP_RELEASE:
        s->locks[next->object].depth--;
        return true;
    case SER_OP_FORK:
        s->threads[next->object].started = true;
        return true;
    case SER_OP_JOIN:
        return has_ended(s, next->object);
    case SER_OP_WAIT:
        fall_asleep(s, thread, &s->conditions[next->object]);
        return true;
    case SER_OP_NOTIFY:
        wake_one(s, &s->conditions[next->object]);
        return true;
    case SER_OP_NOTIFY_ALL:
        while (s->conditions[next->object].waiting.count)
            wake_one(s, &s->conditions[next->object]);
        return true;
    default:
        return true;
    }
}

/* False if the thread cannot go on at present. */
static bool take_step(simulation *s, uint32_t thread)
{
    thread_state *state = &s->threads[thread];
    if (!state->started || state->asleep || has_ended(s, thread))
        return false;
    const step *next = &s->p->threads.items[thread].steps.items[state->position];
    if (next->kind == STEP_AWAIT && s->conditions[next->object].reached < next->amount)
        return false;
    if (next->kind == STEP_REACH)
        s->conditions[next->object].reached++;
    if (next->kind == STEP_EVENT) {
        if (!perform(s, thread, next))
            return false;
        ser_event event = {.thread = thread, .object = next->object, .op = (uint8_t)next->op};
        s->sink(s->context, &event, next->place);
    }
    state->position++;
    return true;
}

/* To give the lock back and to wait is one thing. */
static bool is_about_to_wait(const simulation *s, uint32_t thread)
{
    const script *steps = &s->p->threads.items[thread].steps;
    size_t position = s->threads[thread].position;
    return position < steps->count && steps->items[position].kind == STEP_EVENT &&
           steps->items[position].op == SER_OP_WAIT;
}

static bool take_burst(simulation *s, uint32_t thread)
{
    uint32_t burst = random_between(&s->random, 1, 2 * s->p->burst - 1);
    bool moved = false;
    while ((burst > 0 || is_about_to_wait(s, thread)) && take_step(s, thread)) {
        moved = true;
        burst -= burst > 0;
    }
    return moved;
}

static void run(simulation *s)
{
    uint32_t count = (uint32_t)s->p->threads.count;
    uint32_t *able = ser_alloc(count, sizeof *able); /* the first `left` may be able to move */
    for (uint32_t t = 0; t < count; t++)
        able[t] = t;
    for (uint32_t left = count; left > 0;) {
        uint32_t place = random_below(&s->random, left);
        uint32_t thread = able[place];
        if (take_burst(s, thread)) {
            left = count;
        } else {
            able[place] = able[--left];
            able[left] = thread;
        }
    }
    free(able);
}

bool simulate(const program *p, uint64_t seed, event_sink sink, void *context)
{
    simulation s = {.p = p, .sink = sink, .context = context};
    s.random.state = seed;
    size_t conditions = p->names[SER_SPACE_CONDITION].count;
    s.locks = ser_alloc(p->names[SER_SPACE_LOCK].count + 1, sizeof *s.locks);
    s.conditions = ser_alloc(conditions + 1, sizeof *s.conditions);
    s.threads = ser_alloc(p->threads.count, sizeof *s.threads);
    s.threads[MAIN].started = true;
    run(&s);

    bool ended = true;
    for (uint32_t t = 0; t < p->threads.count; t++)
        ended &= has_ended(&s, t);
    for (size_t i = 0; i < conditions; i++)
        ser_vector_free(&s.conditions[i].waiting);
    free(s.locks);
    free(s.conditions);
    free(s.threads);
    return ended;
}
