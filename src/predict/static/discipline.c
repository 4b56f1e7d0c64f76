/* SPDX-License-Identifier: MIT */
/*
 * The accesses of a variable are looked at in the order of the trace (are_all_ordered). A
 * transaction that is after the last one of a thread is after its earlier ones, too, so the latest
 * read and write of each thread are enough to compare with.
 */
#include "predict/static/discipline.h"

/* The latest accesses of a variable by one thread. */
typedef struct latest {
    uint32_t thread, read, write; /* 0: none */
} latest;

typedef SER_VECTOR(latest) latest_list;

bool ser_discipline_precedes(const ser_order *order, uint32_t last, uint32_t first)
{
    return ser_order_before(order, last, first) && !ser_order_only_by_couple(order, last, first);
}

/* The first and the last event of an event's transaction; 0: it has not ended. */
static uint32_t transaction_first(const ser_run *run, uint32_t event)
{
    uint32_t block = run->block_of[event];
    return block ? run->blocks.items[block - 1].begin : ser_run_step_first(run, event);
}

static uint32_t transaction_last(const ser_run *run, uint32_t event)
{
    uint32_t block = run->block_of[event];
    return block ? run->blocks.items[block - 1].end : ser_run_step_last(run, event);
}

static bool precedes(const ser_discipline_facts *facts, uint32_t event, uint32_t later)
{
    uint32_t last = transaction_last(facts->run, event);
    return last &&
           ser_discipline_precedes(facts->order, last, transaction_first(facts->run, later));
}

static bool do_conflict(const ser_run *run, uint32_t a, uint32_t b)
{
    const ser_event *one = &run->events[a], *other = &run->events[b];
    return one->thread != other->thread &&
           (ser_op_writes((ser_op)one->op) || ser_op_writes((ser_op)other->op));
}

/* --- without a guard ------------------------------------------------------------------------- */

static latest *latest_of(latest_list *all, uint32_t thread)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].thread == thread)
            return &all->items[i];
    ser_vector_push(all, ((latest){thread, 0, 0}));
    return &all->items[all->count - 1];
}

static bool is_after_latest(const ser_discipline_facts *facts, const latest_list *all,
                            uint32_t event)
{
    const ser_event *access = &facts->run->events[event];
    for (size_t i = 0; i < all->count && !ser_meter_over(facts->meter); i++) {
        const latest *other = &all->items[i];
        if (other->thread == access->thread)
            continue;
        if (other->write && !precedes(facts, other->write, event))
            return false;
        if (other->read && ser_op_writes((ser_op)access->op) &&
            !precedes(facts, other->read, event))
            return false;
    }
    return true;
}

static bool are_all_ordered(const ser_discipline_facts *facts, ser_event_span accesses)
{
    latest_list all = {0};
    bool ordered = true;
    for (size_t i = 0; i < accesses.count && ordered && !ser_meter_over(facts->meter); i++) {
        uint32_t event = accesses.items[i];
        const ser_event *access = &facts->run->events[event];
        if (ser_outer_holds(facts->outer, facts->run, event))
            continue;
        ordered = is_after_latest(facts, &all, event);
        latest *own = latest_of(&all, access->thread);
        *(ser_op_writes((ser_op)access->op) ? &own->write : &own->read) = event;
    }
    ser_vector_free(&all);
    return ordered;
}

/* --- with a guard ------------------------------------------------------------------------------
 */

static bool is_ordered(const ser_discipline_facts *facts, ser_event_span accesses, uint32_t event)
{
    for (size_t i = 0; i < accesses.count && !ser_meter_over(facts->meter); i++) {
        uint32_t other = accesses.items[i];
        if (do_conflict(facts->run, event, other) &&
            !ser_outer_holds(facts->outer, facts->run, other) &&
            !(event < other ? precedes(facts, event, other) : precedes(facts, other, event)))
            return false;
    }
    return true;
}

/* By the lock, but for the exceptions to it. */
static ser_discipline look_at_exceptions(const ser_discipline_facts *facts, const ser_guard *guard,
                                         ser_event_span accesses)
{
    ser_discipline found = SER_DISCIPLINE_GUARD;
    for (uint32_t at = guard->exceptions; at; at = facts->guards->exceptions.items[at].next) {
        uint32_t event = facts->guards->exceptions.items[at].event;
        if (facts->order && is_ordered(facts, accesses, event))
            continue;
        if (ser_op_writes((ser_op)facts->run->events[event].op))
            return SER_DISCIPLINE_NONE;
        found = SER_DISCIPLINE_GUARD_BUT_READS;
    }
    return found;
}

ser_discipline ser_discipline_of(const ser_discipline_facts *facts, uint32_t variable)
{
    const ser_guard *guard = &facts->guards->variables.items[variable];
    ser_event_span accesses = {0};
    ser_discipline found = SER_DISCIPLINE_NONE;
    if (facts->order)
        accesses = ser_index_events(&facts->index->accesses, variable);
    if (guard->lock != SER_NO_OBJECT && !guard->shared_writes)
        found = look_at_exceptions(facts, guard, accesses);
    if (found != SER_DISCIPLINE_GUARD && facts->order && are_all_ordered(facts, accesses))
        found = SER_DISCIPLINE_ORDER;
    return found;
}
