/* SPDX-License-Identifier: MIT */
#include "session/run/judge/found_out.h"

/* Do all writes of a variable from an event on store the same value? */
static bool has_one_value_from(const ser_run *run, uint32_t from, uint32_t variable,
                               uint64_t *value)
{
    bool is_written = false;
    for (uint32_t i = from; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (event->object != variable || !ser_op_is_access((ser_op)event->op) ||
            !ser_op_writes((ser_op)event->op))
            continue;
        if (!(event->flags & SER_EVENT_HAS_VALUE) || (is_written && *value != event->value))
            return false;
        *value = event->value;
        is_written = true;
    }
    return is_written;
}

bool ser_has_one_value(const ser_run *run, uint32_t variable, uint64_t *value)
{
    return has_one_value_from(run, 1, variable, value);
}

static bool is_of_one_variable(const ser_run *run, const uint32_t *events, size_t count)
{
    uint32_t variable = run->events[events[0]].object;
    for (size_t i = 0; i < count; i++) {
        const ser_event *event = &run->events[events[i]];
        if (!ser_op_is_access((ser_op)event->op) || ser_op_frees((ser_op)event->op) ||
            event->object != variable)
            return false;
    }
    return true;
}

/* Next event of the block; 0: it was the last one. */
static uint32_t next_in(const ser_run *run, uint32_t block, uint32_t event)
{
    uint32_t next = ser_run_next(run, event);
    return next && run->block_of[next] == block + 1 ? next : 0;
}

static bool is_write_of(const ser_event *event, uint32_t variable)
{
    return ser_op_is_access((ser_op)event->op) && ser_op_writes((ser_op)event->op) &&
           event->object == variable;
}

static bool has_same_code(const ser_run *run, uint32_t block, uint32_t other)
{
    const ser_run_block *one = &run->blocks.items[block], *two = &run->blocks.items[other];
    const ser_event *begin = &run->events[one->begin], *start = &run->events[two->begin];
    return one->kind == two->kind && two->end && begin->op == start->op &&
           begin->site == start->site;
}

/* Does the block only read the value, and never write it? */
static bool only_meets(const ser_run *run, uint32_t block, uint32_t variable, uint64_t value)
{
    bool meets = false;
    for (uint32_t i = run->blocks.items[block].begin; i; i = next_in(run, block, i)) {
        const ser_event *event = &run->events[i];
        if (!ser_op_is_access((ser_op)event->op) || event->object != variable)
            continue;
        if (ser_op_writes((ser_op)event->op) || !(event->flags & SER_EVENT_HAS_VALUE) ||
            event->value != value)
            return false;
        meets = true;
    }
    return meets;
}

/* Is all that the block does, but for its writes of the variable and further looks at it, done at
 * the same places in the other one? */
static bool does_no_more(const ser_run *run, uint32_t block, uint32_t other, uint32_t variable)
{
    bool *places = ser_alloc((size_t)ser_symbols_site_count(run->symbols) + 1, sizeof *places);
    for (uint32_t i = run->blocks.items[other].begin; i; i = next_in(run, other, i))
        if (run->events[i].site != SER_NO_SITE)
            places[run->events[i].site] = true;
    bool no_more = true;
    for (uint32_t i = run->blocks.items[block].begin; i && no_more; i = next_in(run, block, i)) {
        const ser_event *event = &run->events[i];
        /* its own return is at the place of its call */
        no_more = is_write_of(event, variable) || i == run->blocks.items[block].end ||
                  (event->site != SER_NO_SITE && places[event->site]);
    }
    free(places);
    return no_more;
}

bool ser_is_found_out_again(const ser_run *run, uint32_t block, const uint32_t *events,
                            size_t count)
{
    uint64_t value = 0;
    if (count < 3 || !is_of_one_variable(run, events, count) ||
        run->block_of[events[0]] != block + 1 ||
        !ser_has_one_value(run, run->events[events[0]].object, &value))
        return false;
    uint32_t variable = run->events[events[0]].object;
    for (uint32_t other = 0; other < run->blocks.count; other++)
        if (other != block && has_same_code(run, block, other) &&
            only_meets(run, other, variable, value) && does_no_more(run, block, other, variable))
            return true;
    return false;
}

bool ser_finds_own_value(const ser_run *run, uint32_t block, const uint32_t *events, size_t count)
{
    uint64_t value = 0;
    if (count < 3 || !is_of_one_variable(run, events, count) ||
        run->block_of[events[0]] != block + 1 || run->block_of[events[count - 1]] != block + 1)
        return false;
    const ser_event *first = &run->events[events[0]], *last = &run->events[events[count - 1]];
    uint32_t start = run->threads.items[first->thread].fork;
    return ser_op_only_writes((ser_op)first->op) && ser_op_only_reads((ser_op)last->op) &&
           has_one_value_from(run, start + 1, first->object, &value);
}
