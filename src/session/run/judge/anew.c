/* SPDX-License-Identifier: MIT */
#include "session/run/judge/anew.h"

#include "bugs/own_code.h"

/* The call by which the function of an outer one leads to an event; 0: none. */
static uint32_t way_from(const ser_run *run, uint32_t outer, uint32_t event)
{
    ser_event_list stack = ser_stack_of(run, event);
    uint32_t way = 0;
    for (size_t i = 0; i + 1 < stack.count && !way; i++)
        if (stack.items[i] == outer)
            way = stack.items[i + 1];
    ser_vector_free(&stack);
    return way;
}

static bool is_written_between(const ser_run *run, uint32_t from, uint32_t to)
{
    for (uint32_t i = ser_run_next(run, from); i && i < to; i = ser_run_next(run, i))
        if (run->events[i].object == run->events[from].object &&
            ser_op_is_access((ser_op)run->events[i].op) && ser_op_writes((ser_op)run->events[i].op))
            return true;
    return false;
}

/* Where the call has returned; 0: it has not. */
static uint32_t end_of(const ser_run *run, uint32_t call)
{
    int depth = 1;
    uint32_t at = call;
    while (depth > 0 && (at = ser_run_next(run, at)) != 0) {
        ser_op op = (ser_op)run->events[at].op;
        depth += ser_op_calls(op) - ser_op_returns(op);
    }
    return at;
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
    uint32_t one = way_from(run, outer, first), other = way_from(run, outer, last);
    uint32_t end = one ? end_of(run, one) : 0;
    return end && end < other && run->events[one].object == run->events[other].object &&
           (ser_op_writes((ser_op)run->events[first].op) || is_written_between(run, first, end));
}
