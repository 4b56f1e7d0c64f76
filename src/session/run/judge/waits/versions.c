/* SPDX-License-Identifier: MIT */
#include "session/run/judge/waits/versions.h"

enum { LONGEST_ROUND = 256 }; /* events of the reader, looked at in each direction */

static bool is_version(const ser_run *run, uint32_t begin, uint32_t variable)
{
    unsigned writes = 0;
    uint32_t block = run->block_of[begin];
    for (uint32_t i = begin; i && run->block_of[i] == block && writes < 2; i = ser_run_next(run, i))
        writes += run->events[i].object == variable &&
                  ser_op_is_access((ser_op)run->events[i].op) &&
                  ser_op_writes((ser_op)run->events[i].op);
    return writes >= 2;
}

/* A reader only reads, and calls functions that do. */
static bool may_be_in_round(const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    return !ser_op_takes_part(op) || ser_op_only_reads(op) || ser_op_calls(op) ||
           ser_op_returns(op);
}

static bool is_same_look(const ser_event *one, const ser_event *other)
{
    return one->site == other->site && one->object == other->object && one->op == other->op;
}

/* Does the thread come back to the look, from the access on? */
static bool comes_back(const ser_run *run, uint32_t look, uint32_t access)
{
    uint32_t i = ser_run_next(run, access);
    for (int steps = 0; i && steps < LONGEST_ROUND; steps++, i = ser_run_next(run, i)) {
        if (!may_be_in_round(&run->events[i]))
            return false;
        if (is_same_look(&run->events[i], &run->events[look]))
            return true;
    }
    return false;
}

static bool is_look_at_version(const ser_run *run, uint32_t begin, uint32_t event)
{
    const ser_event *look = &run->events[event];
    return ser_op_only_reads((ser_op)look->op) && look->flow & SER_FLOW_ATOMIC &&
           look->site != SER_NO_SITE && is_version(run, begin, look->object);
}

bool ser_is_read_in_vain(const ser_run *run, uint32_t begin, uint32_t access)
{
    uint32_t i = access;
    if (run->events[access].thread == run->events[begin].thread ||
        !ser_op_only_reads((ser_op)run->events[access].op))
        return false;
    for (int steps = 0; i && steps < LONGEST_ROUND && may_be_in_round(&run->events[i]); steps++) {
        if (is_look_at_version(run, begin, i) && comes_back(run, i, access))
            return true;
        i = ser_run_previous(run, i);
    }
    return false;
}
