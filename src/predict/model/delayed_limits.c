/* SPDX-License-Identifier: MIT */
#include "predict/model/delayed_limits.h"

#include "symbolic/guards.h"

enum { FARTHEST = 1000 }; /* events of other threads that are passed over */

static unsigned releases_of(const ser_run *run, const ser_event *read)
{
    unsigned count = 0;
    if (ser_op_only_reads((ser_op)read->op) && ser_event_guards(read))
        (void)ser_guards_skip_releases(ser_symbols_guards(run->symbols, ser_event_guards(read)),
                                       &count);
    return count;
}

/* May the thread come from one of its steps to the next without doing anything that is not in the
 * trace? */
static bool is_direct(const ser_run *run, uint32_t from, uint32_t to)
{
    uint32_t thread = run->events[from].thread;
    if (to - from > FARTHEST)
        return false;
    for (uint32_t i = from + 1; i <= to; i++) {
        const ser_event *event = &run->events[i];
        bool is_outside = event->flow & (SER_FLOW_RAN | SER_FLOW_LEAVES | SER_FLOW_RETURNS) &&
                          event->op == SER_OP_SKIP;
        if (event->thread == thread && (ser_event_elided(event) > 0 || is_outside))
            return false;
    }
    return true;
}

/* A release, or a read before it: of the pointer to a lock, say. */
static bool may_pass(const ser_run *run, uint32_t event)
{
    ser_op op = (ser_op)run->events[event].op;
    return ser_op_releases(op) ||
           (ser_op_is_access(op) && ser_op_only_reads(op) && !ser_run_is_joined(run, event));
}

uint32_t ser_delayed_limit(const ser_run *run, uint32_t read)
{
    unsigned left = releases_of(run, &run->events[read]);
    uint32_t last = read, next = ser_run_next(run, read), limit = SER_LIMIT_NEXT;
    if (ser_run_is_joined(run, read))
        return SER_LIMIT_NEXT;
    while (left && next && may_pass(run, next) && is_direct(run, last, next)) {
        last = next;
        next = ser_run_next(run, next);
        if (ser_op_only_reads((ser_op)run->events[last].op))
            continue;
        limit = next ? next : SER_LIMIT_END;
        left--;
    }
    return limit;
}

void ser_delayed_limits_set(ser_reads *reads, const ser_run *run)
{
    for (uint32_t i = 1; i <= run->count; i++)
        if (reads->rules.items[i].limit == SER_LIMIT_NEXT && run->eid[i] &&
            ser_event_guards(&run->events[i]))
            reads->rules.items[i].limit = ser_delayed_limit(run, i);
}
