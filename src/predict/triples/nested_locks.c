/* SPDX-License-Identifier: MIT */
#include "predict/triples/nested_locks.h"

/* A thread that has come so far: the event is the last that it made. */
typedef struct place {
    const ser_run *run;
    const ser_index *index;
    uint32_t event; /* 0: none yet */
} place;

static uint32_t first_held(const place *at)
{
    return at->event ? ser_run_held(at->run, at->event) : 0;
}

static uint32_t next_held(const place *at, uint32_t held)
{
    return ser_run_next_held(at->run, at->event, held);
}

static const ser_event *acquire_of(const place *at, uint32_t held)
{
    return &at->run->events[at->run->holds.items[held].acquire];
}

/* Has the thread acquired the lock since that acquire? */
static bool acquired_since(const place *at, uint32_t held, uint32_t lock)
{
    uint32_t acquire = at->run->holds.items[held].acquire;
    ser_event_span later = ser_index_between(&at->index->acquires, lock, acquire, at->event + 1);
    for (size_t i = 0; i < later.count; i++)
        if (at->run->events[later.items[i]].thread == acquire_of(at, held)->thread)
            return true;
    return false;
}

static bool exclude(const place *a, uint32_t held_a, const place *b, uint32_t held_b)
{
    const ser_event *one = acquire_of(a, held_a), *other = acquire_of(b, held_b);
    if (one->object == other->object)
        return !(ser_op_is_shared((ser_op)one->op) && ser_op_is_shared((ser_op)other->op));
    return acquired_since(a, held_a, other->object) && acquired_since(b, held_b, one->object);
}

static bool can_be_at_once(const place *a, const place *b)
{
    for (uint32_t i = first_held(a); i; i = next_held(a, i))
        for (uint32_t k = first_held(b); k; k = next_held(b, k))
            if (exclude(a, i, b, k))
                return false;
    return true;
}

bool ser_nested_locks_allow(const ser_run *run, const ser_index *index, const ser_triple *triple)
{
    const place remote = {run, index, ser_run_previous(run, triple->remote)};
    for (uint32_t i = triple->from; i && i != triple->to; i = ser_run_next(run, i)) {
        const place block = {run, index, i};
        if (can_be_at_once(&block, &remote))
            return true;
    }
    return false;
}
