/* SPDX-License-Identifier: MIT */
#include "predict/model/delayed_limits.h"

#include "predict/model/data_limits.h"
#include "symbolic/guards.h"

enum { FARTHEST = 1000 }; /* events of other threads that are passed over */

static unsigned steps_of(const ser_run *run, const ser_event *read)
{
    unsigned count = 0;
    if (ser_op_only_reads((ser_op)read->op) && ser_event_guards(read))
        (void)ser_guards_skip_delay(ser_symbols_guards(run->symbols, ser_event_guards(read)),
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

/* A step that the text counts: it writes, or acquires or releases a lock. */
static bool counts(ser_op op)
{
    return ser_op_releases(op) || ser_op_acquires(op) ||
           (ser_op_is_access(op) && ser_op_only_writes(op) && !ser_op_frees(op));
}

/* One of these, or a read between them; not what is part of a step of several accesses. */
static bool may_pass(const ser_run *run, uint32_t event)
{
    ser_op op = (ser_op)run->events[event].op;
    bool reads = ser_op_is_access(op) && ser_op_only_reads(op);
    return (counts(op) || reads) && !ser_run_is_joined(run, event);
}

uint32_t ser_delayed_limit(const ser_run *run, uint32_t read, uint32_t as_data)
{
    unsigned left = steps_of(run, &run->events[read]);
    uint32_t last = read, next = ser_run_next(run, read), limit = SER_LIMIT_NEXT;
    if (ser_run_is_joined(run, read))
        return SER_LIMIT_NEXT;
    while (left && next && may_pass(run, next) && is_direct(run, last, next)) {
        last = next;
        next = ser_run_next(run, next);
        if (!counts((ser_op)run->events[last].op))
            continue;
        limit = next ? next : SER_LIMIT_END;
        left--;
    }
    return limit < as_data ? limit : as_data;
}

void ser_delayed_limits_set(ser_reads *reads, const ser_run *run, const bool *torn)
{
    uint32_t *as_data = ser_alloc((size_t)run->count + 1, sizeof *as_data);
    ser_data_limits_list(as_data, run, torn);
    for (uint32_t i = 1; i <= run->count; i++)
        if (reads->rules.items[i].limit == SER_LIMIT_NEXT && run->eid[i] &&
            ser_event_guards(&run->events[i]))
            reads->rules.items[i].limit = ser_delayed_limit(run, i, as_data[i]);
    free(as_data);
}
