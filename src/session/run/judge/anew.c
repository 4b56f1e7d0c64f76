/* SPDX-License-Identifier: MIT */
#include "session/run/judge/anew.h"

#include "bugs/own_code.h"
#include "symbolic/guards.h"

static bool is_written_between(const ser_run *run, uint32_t from, uint32_t to)
{
    for (uint32_t i = ser_run_next(run, from); i && i < to; i = ser_run_next(run, i))
        if (run->events[i].object == run->events[from].object &&
            ser_op_is_access((ser_op)run->events[i].op) && ser_op_writes((ser_op)run->events[i].op))
            return true;
    return false;
}

/* Does the last access look, after the first has written something, or as the first has looked? */
static bool may_be_anew(const ser_event *first, const ser_event *last)
{
    bool is_same = first->object == last->object && first->site == last->site;
    return ser_op_only_reads((ser_op)last->op) &&
           (ser_op_only_writes((ser_op)first->op) ||
            (ser_op_only_reads((ser_op)first->op) && is_same));
}

bool ser_looks_anew(const ser_run *run, uint32_t block, const uint32_t *events, size_t count)
{
    if (count < 3)
        return false;
    uint32_t first = events[0], last = events[count - 1];
    bool is_same = run->block_of[first] == block + 1 && run->block_of[last] == block + 1 &&
                   first < last && may_be_anew(&run->events[first], &run->events[last]);
    uint32_t outer = is_same ? ser_common_call(run, first, last) : 0;
    if (!outer)
        return false;
    uint32_t one = ser_call_towards(run, outer, first), other = ser_call_towards(run, outer, last);
    uint32_t end = one ? ser_run_return_of(run, one) : 0;
    return end && end < other && run->events[one].object == run->events[other].object &&
           (ser_op_writes((ser_op)run->events[first].op) || is_written_between(run, first, end));
}

/* A read that is kept nowhere, and that no branch depends on, is an address after so many steps
 * that write, acquire or release. */
static bool is_index(const ser_run *run, uint32_t read, unsigned steps)
{
    const ser_event *event = &run->events[read];
    if (!ser_op_only_reads((ser_op)event->op) || !(event->flow & SER_FLOW_BLIND) ||
        event->flow & (SER_FLOW_DATA | SER_FLOW_HANDED))
        return false;
    unsigned delay = 0;
    uint32_t number = ser_event_guards(event);
    const char *rest =
        number ? ser_guards_skip_delay(ser_symbols_guards(run->symbols, number), &delay) : "";
    return !*rest && delay == steps;
}

/* The variable that was read for it in the same section; SER_NO_OBJECT: none is known. */
static uint32_t index_of(const ser_run *run, uint32_t section, uint32_t access)
{
    unsigned steps = 0;
    for (uint32_t i = ser_run_previous(run, access); i > section; i = ser_run_previous(run, i)) {
        ser_op op = (ser_op)run->events[i].op;
        if (is_index(run, i, steps))
            return run->events[i].object;
        steps += ser_op_writes(op) || ser_op_acquires(op) || ser_op_releases(op);
    }
    return SER_NO_OBJECT;
}

static bool writes_in(const ser_run *run, uint32_t section, uint32_t variable)
{
    uint32_t end = run->match[section] ? run->match[section] : UINT32_MAX;
    for (uint32_t i = section; i && i < end; i = ser_run_next(run, i))
        if (ser_op_is_access((ser_op)run->events[i].op) && run->events[i].object == variable &&
            ser_op_writes((ser_op)run->events[i].op))
            return true;
    return false;
}

bool ser_is_put_back(const ser_run *run, uint32_t taken_in, uint32_t read, uint32_t put_in,
                     uint32_t write)
{
    uint32_t from = taken_in < read ? index_of(run, taken_in, read) : SER_NO_OBJECT;
    return from != SER_NO_OBJECT && writes_in(run, taken_in, from) && put_in < write &&
           index_of(run, put_in, write) != SER_NO_OBJECT;
}
