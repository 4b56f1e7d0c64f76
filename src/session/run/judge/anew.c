/* SPDX-License-Identifier: MIT */
#include "session/run/judge/anew.h"

#include "bugs/own_code.h"

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
