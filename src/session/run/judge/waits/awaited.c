/* SPDX-License-Identifier: MIT */
#include "session/run/judge/waits/awaited.h"

#include <string.h>

enum { FEWEST_ROUNDS = 2 }; /* with one that does something there is nothing to compare it with */

static uint32_t next_in_block(const ser_run *run, uint32_t event)
{
    uint32_t next = ser_run_next(run, event);
    return next && run->block_of[next] == run->block_of[event] ? next : 0;
}

static uint32_t next_access(const ser_run *run, uint32_t event)
{
    uint32_t next = next_in_block(run, event);
    while (next && !ser_op_is_access((ser_op)run->events[next].op))
        next = next_in_block(run, next);
    return next;
}

static bool is_same_access(const ser_event *one, const ser_event *other)
{
    return one->site == other->site && one->object == other->object && one->op == other->op &&
           one->flow == other->flow;
}

/* A branch depends on what was read. */
static bool asks(const ser_event *event)
{
    return ser_op_only_reads((ser_op)event->op) && event->site != SER_NO_SITE &&
           !(event->flow & (SER_FLOW_DATA | SER_FLOW_BLIND));
}

/* The next time that the block does the same; 0: it does not, or it writes the variable before. A
 * round of a loop that waits is short, and to look further takes minutes in blocks of a million
 * accesses. */
static uint32_t next_visit(const ser_run *run, uint32_t visit)
{
    enum { LONGEST_ROUND = 128 }; /* accesses */
    const ser_event *wanted = &run->events[visit];
    uint32_t i = next_access(run, visit);
    for (int steps = 0; i && steps < LONGEST_ROUND; steps++, i = next_access(run, i)) {
        const ser_event *event = &run->events[i];
        if (is_same_access(event, wanted))
            return i;
        if (event->object == wanted->object && ser_op_writes((ser_op)event->op))
            return 0;
    }
    return 0;
}

/* Do two rounds, each from one visit to the next, access the same? */
static bool are_rounds_alike(const ser_run *run, uint32_t first, uint32_t second, uint32_t end)
{
    uint32_t one = next_access(run, first), other = next_access(run, second);
    while (one && other && one < second && other < end) {
        if (!is_same_access(&run->events[one], &run->events[other]))
            return false;
        one = next_access(run, one);
        other = next_access(run, other);
    }
    return one == second && other == end;
}

/* Does anybody write the variable between two events? */
static bool is_written(const ser_run *run, uint32_t variable, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (run->events[i].object == variable && ser_op_is_access((ser_op)run->events[i].op) &&
            ser_op_writes((ser_op)run->events[i].op))
            return true;
    return false;
}

/* Did the thread read the same shortly before the look, too? */
static bool was_read_before(const ser_run *run, uint32_t look, const ser_event *read)
{
    enum { SHORTLY = 16 };
    uint32_t i = ser_run_previous(run, look);
    for (int steps = 0; i && steps < SHORTLY; steps++, i = ser_run_previous(run, i))
        if (is_same_access(&run->events[i], read))
            return true;
    return false;
}

/* Does the later one of two reads see what another thread has written meanwhile? */
static bool is_changed_by_other(const ser_run *run, uint32_t look, uint32_t later)
{
    uint32_t source = run->couple[later];
    return source && source != run->couple[look] &&
           run->events[source].thread != run->events[look].thread;
}

/* The next time that the thread reads so, if it has only asked until then; else 0. What it looked
 * at before it waited for a condition had no other effect than that it waits. */
static uint32_t next_look(const ser_run *run, uint32_t access)
{
    const ser_event *look = &run->events[access];
    bool looked_at_more = false;
    for (uint32_t i = ser_run_next(run, access); i; i = ser_run_next(run, i)) {
        const ser_event *event = &run->events[i];
        if (is_same_access(event, look))
            return looked_at_more ? 0 : i;
        if (ser_op_waits((ser_op)event->op))
            looked_at_more = false;
        if (!ser_op_is_access((ser_op)event->op))
            continue;
        if (ser_op_writes((ser_op)event->op) || event->object == look->object ||
            is_written(run, event->object, access, i))
            return 0;
        looked_at_more |= !was_read_before(run, access, event);
    }
    return 0;
}

bool ser_is_idle_look(const ser_run *run, uint32_t access)
{
    uint32_t next = asks(&run->events[access]) ? next_look(run, access) : 0;
    while (next && !is_changed_by_other(run, access, next))
        next = next_look(run, next);
    return next != 0;
}

/* Has the block come around a waiting loop that began with that visit, so that it is at a further
 * visit between the two events? */
static bool comes_around(const ser_run *run, uint32_t visit, uint32_t from, uint32_t to)
{
    unsigned rounds = ser_is_idle_look(run, visit) ? FEWEST_ROUNDS : 1;
    bool is_between = false, is_ended = false;
    uint32_t begin = visit, next = next_visit(run, visit);
    while (next) {
        is_between |= next > from && next <= to;
        is_ended |= is_changed_by_other(run, begin, next);
        uint32_t further = next_visit(run, next);
        if (!further || !are_rounds_alike(run, visit, next, further))
            break;
        rounds++;
        visit = next;
        next = further;
    }
    return is_between && is_ended && rounds >= FEWEST_ROUNDS;
}

bool ser_waits_in_loop(const ser_run *run, uint32_t begin, uint32_t from, uint32_t to)
{
    for (uint32_t i = begin; i && i <= to; i = next_in_block(run, i))
        if (asks(&run->events[i]) && comes_around(run, i, from, to))
            return true;
    return false;
}

/* The call of a function with a loop that waits, or nothing that a loop could be known by. */
static bool is_called_with_loop(const ser_run *run, uint32_t event)
{
    unsigned returned = 0;
    for (uint32_t i = ser_run_previous(run, event); i; i = ser_run_previous(run, i)) {
        ser_op op = (ser_op)run->events[i].op;
        if (ser_op_returns(op))
            returned++;
        else if (ser_op_calls(op) && returned-- == 0)
            return run->events[i].flow & SER_FLOW_LOOPS;
    }
    return false;
}

/* Does the thread only read until it looks there once more, in the same call, and sees what another
 * one has written meanwhile? */
static bool is_look_in_loop(const ser_run *run, uint32_t look)
{
    enum { LONGEST_ROUND = 128 };
    uint32_t i = ser_run_next(run, look);
    for (int steps = 0; i && steps < LONGEST_ROUND; steps++, i = ser_run_next(run, i)) {
        const ser_event *event = &run->events[i];
        if (is_same_access(event, &run->events[look]))
            return is_changed_by_other(run, look, i) && is_called_with_loop(run, look);
        if (!ser_op_only_reads((ser_op)event->op))
            return false;
    }
    return false;
}

static bool is_place_of(const ser_run *run, const ser_event *event, const char *place,
                        const ser_event *read)
{
    return event->op == read->op && event->flow == read->flow && event->site != SER_NO_SITE &&
           strcmp(ser_symbols_location(run->symbols, event->site), place) == 0;
}

static bool is_awaited_in(const ser_run *run, const char *place, const ser_event *read)
{
    for (uint32_t i = 1; i <= run->count; i++)
        if (is_place_of(run, &run->events[i], place, read) && is_look_in_loop(run, i))
            return true;
    return false;
}

bool ser_is_awaited(const ser_run *run, uint32_t read, const ser_run *first)
{
    const ser_event *event = &run->events[read];
    if (!asks(event))
        return false;
    const char *place = ser_symbols_location(run->symbols, event->site);
    return is_awaited_in(run, place, event) || (first && is_awaited_in(first, place, event));
}
