/* SPDX-License-Identifier: MIT */
/*
 * What an event needs was observed before it, so one pass in observed order finds all that cannot
 * happen.
 */
#include "order/freed.h"

typedef struct finder {
    ser_run *run;
    SER_VECTOR(bool) freed;   /* by variable */
    SER_VECTOR(bool) stopped; /* by thread: it does not reach its observed end */
    bool any_stopped;
} finder;

static void stop_thread(finder *find, uint32_t thread, uint32_t events)
{
    find->run->threads.items[thread].possible = events;
    find->stopped.items[thread] = find->any_stopped = true;
}

static bool is_lost(const ser_run *run, uint32_t event)
{
    return event && run->eid[event] > run->threads.items[run->events[event].thread].possible;
}

static bool is_one_lost(const ser_run *run, uint32_t first)
{
    for (uint32_t next = first; next; next = run->match[next])
        if (is_lost(run, next))
            return true;
    return false;
}

/* Can its thread not take this step: has it no fork, or no notify that wakes it? */
static bool lacks_entry(const ser_run *run, uint32_t event)
{
    uint32_t previous = ser_run_previous(run, event);
    if (!previous)
        return is_lost(run, run->threads.items[run->events[event].thread].fork);
    return ser_op_waits((ser_op)run->events[previous].op) && is_lost(run, run->couple[previous]);
}

static bool lacks_partner(const finder *find, uint32_t event)
{
    const ser_run *run = find->run;
    ser_op op = (ser_op)run->events[event].op;
    if (ser_run_is_late(run, event))
        return find->any_stopped;
    if (ser_op_joins(op)) {
        uint32_t child = run->events[event].object;
        return find->stopped.items[child] || is_lost(run, run->threads.items[child].fork);
    }
    if (ser_op_notifies(op) || ser_op_departs(op))
        return is_one_lost(run, run->match[event]);
    return ser_op_takes(op) && is_lost(run, run->couple[event]);
}

static bool uses_freed(const finder *find, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i <= last; i++)
        if (find->freed.items[find->run->events[i].object])
            return true;
    return false;
}

static void visit_step(finder *find, uint32_t first, uint32_t last)
{
    const ser_run *run = find->run;
    const ser_event *event = &run->events[first];
    bool accesses = ser_op_is_access((ser_op)event->op);
    if (!is_lost(run, first)) {
        if (lacks_entry(run, first) || lacks_partner(find, first))
            stop_thread(find, event->thread, run->eid[first] - 1);
        else if (accesses && uses_freed(find, first, last))
            stop_thread(find, event->thread, run->eid[last]);
    }
    for (uint32_t i = first; i <= last && ser_op_frees((ser_op)event->op); i++)
        find->freed.items[run->events[i].object] = true;
}

static size_t count_variables(const ser_run *run)
{
    size_t count = 0;
    for (uint32_t i = 1; i <= run->count; i++)
        if (ser_op_is_access((ser_op)run->events[i].op) && run->events[i].object >= count)
            count = (size_t)run->events[i].object + 1;
    return count;
}

void ser_freed_find(ser_run *run)
{
    finder find = {.run = run};
    for (size_t i = 0; i < run->threads.count; i++)
        run->threads.items[i].possible = (uint32_t)run->threads.items[i].events.count;
    if (!run->frees)
        return;
    ser_vector_extend(&find.freed, count_variables(run));
    ser_vector_extend(&find.stopped, run->threads.count);
    for (uint32_t i = 1, last; i <= run->count; i = last + 1) {
        last = run->eid[i] ? ser_run_step_last(run, i) : i;
        if (run->eid[i])
            visit_step(&find, i, last);
    }
    ser_vector_free(&find.freed);
    ser_vector_free(&find.stopped);
}
