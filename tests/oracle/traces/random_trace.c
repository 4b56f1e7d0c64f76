/* SPDX-License-Identifier: MIT */
/*
 * A small machine of threads and locks takes random steps that are possible in
 * its state; what it does is the trace. random_trace is the loop, moves.c holds
 * the steps, and draw_mix decides what kind of trace it will be.
 */
#include "random_trace.h"

#include "machine.h"

const char *const trace_profile_names[PROFILE_COUNT] = {"basic", "locks", "waits", "all"};

/* Each kind of move is left out, kept or favoured: rare combinations become
 * likely in some trace. Moves without which nothing can happen always stay. */
static void draw_weights(machine *m, trace_profile profile)
{
    static const uint32_t factors[] = {0, 0, 1, 2};
    for (size_t i = 0; i < MOVE_COUNT; i++) {
        const move *kind = &machine_moves[i];
        uint32_t factor = factors[random_below(&m->random, 4)];
        if (factor == 0 && kind->essential)
            factor = 1;
        if (!(kind->profiles & (1u << profile)))
            factor = 0;
        m->weights[i] = kind->weight * factor;
    }
}

/* Longer traces are more often interesting. */
static uint32_t draw_length(random_source *random, const trace_limits *limits)
{
    uint32_t a = random_between(random, limits->events_low, limits->events_high);
    uint32_t b = random_between(random, limits->events_low, limits->events_high);
    return a > b ? a : b;
}

static void draw_mix(machine *m, const trace_limits *limits)
{
    random_source *random = &m->random;
    draw_weights(m, limits->profile);
    m->wanted = draw_length(random, limits);
    m->thread_count = random_between(random, limits->threads_low, limits->threads_high);
    m->variables = random_between(random, 1, limits->large ? trace_most_names : 4);
    m->locks = random_between(random, 1, limits->large ? MOST_LOCKS : 3);
    m->conditions = random_between(random, 1, 2);
    m->stick = random_below(random, 3) * 30;
    m->nest = random_below(random, 3) * 15;
    m->private_share = random_below(random, 3) * 20;
    m->guarded = limits->large ? random_between(random, 97, 100) : random_below(random, 4) * 33;
    m->strict = limits->large ? random_between(random, 90, 100) : random_below(random, 3) * 50;
    if (random_chance(random, 25))
        m->quiet_until = random_below(random, m->wanted);
    uint32_t forked = random_below(random, 4) * 33;
    for (uint32_t t = 1; t < m->thread_count; t++) {
        thread_state *thread = &m->threads[t];
        thread->must_be_forked = random_chance(random, forked);
        thread->never_runs = thread->must_be_forked && random_chance(random, 20);
    }
}

static bool can_run(const machine *m, uint32_t t)
{
    const thread_state *thread = &m->threads[t];
    if (thread->joined || thread->never_runs)
        return false;
    return thread->forked || !thread->must_be_forked;
}

/* Waiters mostly wait until there is something to wake them. */
static bool is_patient(machine *m, const thread_state *thread)
{
    return (thread->waiting || thread->arrived) && !thread->awaited &&
           !random_chance(&m->random, 10);
}

static uint32_t choose_thread(machine *m, uint32_t last)
{
    if (can_run(m, last) && random_chance(&m->random, m->stick))
        return last;
    return random_below(&m->random, m->thread_count);
}

static size_t choose_move(machine *m)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < MOVE_COUNT; i++)
        sum += m->weights[i];
    uint32_t at = random_below(&m->random, sum);
    size_t i = 0;
    while (at >= m->weights[i])
        at -= m->weights[i++];
    return i;
}

/* One try to make one step; false if the thread cannot do what was drawn. */
static bool step(machine *m, uint32_t t)
{
    thread_state *thread = &m->threads[t];
    if (!can_run(m, t) || is_patient(m, thread))
        return false;
    if (thread->reacquires)
        return machine_reacquire(m, t);
    if (thread->arrived)
        return machine_depart(m, t, thread->barrier);
    if (thread->closing)
        return machine_close(m, t);
    return machine_moves[choose_move(m)].make(m, t);
}

void random_trace(event_list *events, const trace_limits *limits, uint64_t seed)
{
    machine *m = ser_alloc(1, sizeof *m);
    m->random.state = seed;
    m->events = events;
    draw_mix(m, limits);

    uint32_t last = 0;
    for (size_t tries = 0; events->count < m->wanted && tries < 100 * (size_t)m->wanted; tries++) {
        uint32_t t = choose_thread(m, last);
        if (step(m, t))
            last = t;
    }
    free(m);
}
