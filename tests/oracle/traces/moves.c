/* SPDX-License-Identifier: MIT */
/*
 * The moves of the machine that makes random traces, and how often each is
 * drawn (machine_moves, at the end).
 */
#include "machine.h"

bool machine_emit(machine *m, uint32_t thread, ser_op op, uint32_t object)
{
    ser_event event = {
        .thread = thread, .object = object, .site = SER_NO_SITE, .op = any_like(op, &m->random)};
    ser_vector_push(m->events, event);
    if (op != SER_OP_SKIP && op != SER_OP_WAIT)
        m->threads[thread].waiting = m->threads[thread].awaited = false;
    return true;
}

static uint32_t any_lock(machine *m)
{
    return random_below(&m->random, m->locks);
}

static bool is_quiet(const machine *m)
{
    return m->events->count < m->quiet_until;
}

static bool holds(const machine *m, uint32_t thread, uint32_t lock)
{
    const lock_state *state = &m->lock_states[lock];
    return (state->depth > 0 && state->holder == thread) || state->shared[thread] > 0;
}

/* An access, or the acquire of the lock it should be made under. */
static bool access_variable(machine *m, uint32_t thread, ser_op op)
{
    uint32_t variable = random_below(&m->random, m->variables);
    if (random_chance(&m->random, m->private_share))
        variable = thread % m->variables;
    uint32_t lock = variable % m->locks;
    bool guarded = is_quiet(m) || random_chance(&m->random, m->guarded);
    if (!guarded || holds(m, thread, lock))
        return machine_emit(m, thread, op, variable);
    return machine_acquire(m, thread, lock);
}

static bool move_read(machine *m, uint32_t thread)
{
    return access_variable(m, thread, SER_OP_READ);
}

static bool move_write(machine *m, uint32_t thread)
{
    return access_variable(m, thread, SER_OP_WRITE);
}

static bool move_rmw(machine *m, uint32_t thread)
{
    return access_variable(m, thread, SER_OP_RMW);
}

/* Of a lock that the thread holds already only where that is asked for. */
static bool move_acquire(machine *m, uint32_t thread)
{
    uint32_t lock = any_lock(m);
    return !holds(m, thread, lock) && machine_acquire(m, thread, lock);
}

static bool move_acquire_again(machine *m, uint32_t thread)
{
    uint32_t lock = any_lock(m);
    return holds(m, thread, lock) && machine_acquire(m, thread, lock);
}

static bool move_acquire_shared(machine *m, uint32_t thread)
{
    return machine_acquire_shared(m, thread, any_lock(m));
}

static bool move_release(machine *m, uint32_t thread)
{
    bool keep =
        m->threads[thread].depth > 0 && (is_quiet(m) || random_chance(&m->random, m->strict));
    return !keep && machine_release_any(m, thread);
}

static bool move_fail_try(machine *m, uint32_t thread)
{
    return machine_fail_try(m, thread, any_lock(m));
}

static bool move_fork(machine *m, uint32_t thread)
{
    uint32_t child = random_below(&m->random, m->thread_count);
    thread_state *state = &m->threads[child];
    if (!state->must_be_forked || state->forked || state->joined || child == thread)
        return false;
    state->forked = true;
    return machine_emit(m, thread, SER_OP_FORK, child);
}

/* Joins are kept rare, since they take threads out of the game. Threads may be
 * joined in the middle of a block, twice, and without ever having run. */
static bool move_join(machine *m, uint32_t thread)
{
    if (random_below(&m->random, m->wanted) >= 2 * m->thread_count)
        return false;
    uint32_t child = random_below(&m->random, m->thread_count);
    thread_state *state = &m->threads[child];
    if (child == thread || (state->must_be_forked && !state->forked))
        return false;
    if (state->depth > 0 && random_chance(&m->random, 60))
        return false;
    if (state->joined && random_chance(&m->random, 80))
        return false;
    state->joined = true;
    return machine_emit(m, thread, SER_OP_JOIN, child);
}

static bool move_begin(machine *m, uint32_t thread)
{
    if (m->threads[thread].depth > 0 && !random_chance(&m->random, m->nest))
        return false;
    m->threads[thread].depth++;
    uint32_t label = random_chance(&m->random, 50) ? SER_NO_OBJECT : random_below(&m->random, 2);
    return machine_emit(m, thread, SER_OP_BEGIN, label);
}

/* Ends the block; with strict locking its locks are released first, one step
 * each, so that others can come in between. */
bool machine_close(machine *m, uint32_t thread)
{
    if (machine_release_any(m, thread))
        return true;
    m->threads[thread].closing = false;
    m->threads[thread].depth--;
    return machine_emit(m, thread, SER_OP_END, SER_NO_OBJECT);
}

static bool move_end(machine *m, uint32_t thread)
{
    thread_state *state = &m->threads[thread];
    if (state->depth == 0)
        return false;
    if (state->depth == 1 && (is_quiet(m) || random_chance(&m->random, m->strict))) {
        state->closing = true;
        return machine_close(m, thread);
    }
    state->depth--;
    return machine_emit(m, thread, SER_OP_END, SER_NO_OBJECT);
}

bool machine_reacquire(machine *m, uint32_t thread)
{
    if (!machine_acquire(m, thread, m->threads[thread].reacquired))
        return false;
    m->threads[thread].reacquires = false;
    return true;
}

/* Half of the waits give up a lock and take it again, as real programs do. */
static bool move_wait(machine *m, uint32_t thread)
{
    thread_state *state = &m->threads[thread];
    uint32_t lock = any_lock(m);
    if (random_chance(&m->random, 50) && m->lock_states[lock].depth == 1 &&
        machine_release(m, thread, lock)) {
        state->reacquires = true;
        state->reacquired = lock;
    }
    state->waiting = true;
    state->awaited = false;
    state->condition = random_below(&m->random, m->conditions);
    return machine_emit(m, thread, SER_OP_WAIT, state->condition);
}

static void encourage_waiters(machine *m, uint32_t condition)
{
    for (uint32_t t = 0; t < m->thread_count; t++)
        if (m->threads[t].waiting && m->threads[t].condition == condition)
            m->threads[t].awaited = true;
}

static bool move_notify(machine *m, uint32_t thread)
{
    uint32_t condition = random_below(&m->random, m->conditions);
    ser_op op = random_chance(&m->random, 70) ? SER_OP_NOTIFY : SER_OP_NOTIFY_ALL;
    machine_emit(m, thread, op, condition);
    encourage_waiters(m, condition);
    return true;
}

/* Most arrivals are followed by a departure, as in a barrier; others are a
 * latch that is only counted down. */
static bool move_arrive(machine *m, uint32_t thread)
{
    uint32_t barrier = random_below(&m->random, BARRIERS);
    machine_emit(m, thread, SER_OP_ARRIVE, barrier);
    m->barrier_used[barrier] = true;
    for (uint32_t t = 0; t < m->thread_count; t++)
        if (m->threads[t].arrived && m->threads[t].barrier == barrier)
            m->threads[t].awaited = true;
    m->threads[thread].arrived = random_chance(&m->random, 70);
    m->threads[thread].barrier = barrier;
    return true;
}

bool machine_depart(machine *m, uint32_t thread, uint32_t barrier)
{
    m->threads[thread].arrived = false;
    return machine_emit(m, thread, SER_OP_DEPART, barrier);
}

static bool move_depart(machine *m, uint32_t thread)
{
    uint32_t barrier = random_below(&m->random, BARRIERS);
    return m->barrier_used[barrier] && machine_depart(m, thread, barrier);
}

static bool move_post(machine *m, uint32_t thread)
{
    return machine_emit(m, thread, SER_OP_POST, random_below(&m->random, 2));
}

static bool move_take(machine *m, uint32_t thread)
{
    return machine_emit(m, thread, SER_OP_TAKE, random_below(&m->random, 2));
}

static bool move_call(machine *m, uint32_t thread)
{
    thread_state *state = &m->threads[thread];
    if (state->call_count == MOST_CALLS)
        return false;
    uint32_t function = random_below(&m->random, 3);
    state->calls[state->call_count++] = function;
    return machine_emit(m, thread, SER_OP_CALL, function);
}

static bool move_return(machine *m, uint32_t thread)
{
    thread_state *state = &m->threads[thread];
    if (state->call_count == 0)
        return false;
    return machine_emit(m, thread, SER_OP_RETURN, state->calls[--state->call_count]);
}

static bool move_skip(machine *m, uint32_t thread)
{
    return machine_emit(m, thread, SER_OP_SKIP, SER_NO_OBJECT);
}

enum {
    EVERY = (1 << PROFILE_COUNT) - 1,
    LOCKS = 1 << PROFILE_LOCKS | 1 << PROFILE_ALL,
    WAITS = 1 << PROFILE_WAITS | 1 << PROFILE_ALL,
    ALL = 1 << PROFILE_ALL,
};

const move machine_moves[MOVE_COUNT] = {
    {move_read, 30, EVERY, true},
    {move_write, 20, EVERY, true},
    {move_acquire, 5, EVERY, false},
    {move_release, 10, EVERY, true},
    {move_begin, 20, EVERY, true},
    {move_end, 5, EVERY, true},
    {move_fork, 10, EVERY, true},
    {move_join, 6, EVERY, false},
    {move_rmw, 6, LOCKS, false},
    {move_acquire_again, 6, LOCKS, false},
    {move_acquire_shared, 8, LOCKS, false},
    {move_fail_try, 6, LOCKS, false},
    {move_wait, 7, WAITS, false},
    {move_notify, 10, WAITS, false},
    {move_arrive, 5, ALL, false},
    {move_depart, 2, ALL, false},
    {move_post, 5, ALL, false},
    {move_take, 5, ALL, false},
    {move_call, 3, ALL, false},
    {move_return, 3, ALL, false},
    {move_skip, 1, ALL, false},
};
