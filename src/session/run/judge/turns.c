/* SPDX-License-Identifier: MIT */
#include "session/run/judge/turns.h"

static bool is_write_of_other(const ser_run *run, uint32_t event, uint32_t than)
{
    const ser_event *made = &run->events[event];
    return made->object == run->events[than].object && made->thread != run->events[than].thread &&
           ser_op_is_access((ser_op)made->op) && ser_op_writes((ser_op)made->op);
}

/* What the violation shows of others happens after its first event, and before its last one. */
static bool is_shown_between(const ser_run *run, const ser_shown_path *shown, uint32_t read,
                             uint32_t write)
{
    if (shown->count < 3 || shown->events[0] >= write || shown->events[shown->count - 1] <= read)
        return false;
    for (size_t i = 0; i < shown->count; i++)
        if (is_write_of_other(run, shown->events[i], read))
            return true;
    return false;
}

static bool is_ordered_between(const ser_run *run, const ser_event_list *order, uint32_t look,
                               uint32_t act)
{
    bool has_looked = false;
    for (size_t i = 0; order && i < order->count && order->items[i] != act; i++) {
        if (has_looked && is_write_of_other(run, order->items[i], look))
            return true;
        has_looked |= order->items[i] == look;
    }
    return false;
}

bool ser_came_between(const ser_run *run, const ser_shown_path *shown, uint32_t look, uint32_t act)
{
    if (is_shown_between(run, shown, look, act) || is_ordered_between(run, shown->order, look, act))
        return true;
    for (uint32_t i = look + 1; i < act; i++)
        if (is_write_of_other(run, i, look))
            return true;
    return false;
}

static bool are_as_atomic(const ser_run *run, const ser_shown_path *shown, uint32_t read,
                          uint32_t write)
{
    return run->events[read].flow & run->events[write].flow & SER_FLOW_ATOMIC ||
           (shown->spun && shown->spun[run->events[write].object]);
}

enum { NEAR = 16 }; /* events */

/* Has the thread, shortly before the one event, written the variable of the other one? */
static bool has_written_before(const ser_run *run, uint32_t event, uint32_t other)
{
    uint32_t i = ser_run_previous(run, event);
    for (int steps = 0; i && steps < NEAR; steps++, i = ser_run_previous(run, i))
        if (run->events[i].object == run->events[other].object &&
            ser_op_is_access((ser_op)run->events[i].op) &&
            ser_op_only_writes((ser_op)run->events[i].op))
            return true;
    return false;
}

static bool asks(const ser_event *event)
{
    return ser_op_only_reads((ser_op)event->op) && event->site != SER_NO_SITE &&
           !(event->flow & (SER_FLOW_DATA | SER_FLOW_BLIND));
}

bool ser_is_split(const ser_run *run, const ser_shown_path *shown, uint32_t read, uint32_t write)
{
    uint32_t next = ser_run_next(run, write);
    for (int steps = 0; next && steps < NEAR && !ser_op_is_access((ser_op)run->events[next].op);
         steps++)
        next = ser_run_next(run, next);
    return next && asks(&run->events[next]) &&
           run->events[next].object != run->events[read].object &&
           are_as_atomic(run, shown, read, write) && has_written_before(run, read, next);
}

bool ser_may_have_turns(const ser_run *run, const ser_shown_path *shown, uint32_t read,
                        uint32_t write)
{
    return are_as_atomic(run, shown, read, write) && !ser_came_between(run, shown, read, write);
}
