/* SPDX-License-Identifier: MIT */
#include "order/demands.h"

static bool is_read(const ser_run *run, uint32_t event)
{
    return run->eid[event] && ser_op_reads((ser_op)run->events[event].op);
}

/* The smallest limit of the reads of a step; SER_LIMIT_NEXT if it is not behind the next one. */
static uint32_t limit_of(const ser_run *run, uint32_t first, uint32_t last)
{
    uint32_t limit = SER_LIMIT_NONE;
    for (uint32_t event = first; event <= last; event++)
        if (run->reads->rules.items[event].limit < limit)
            limit = run->reads->rules.items[event].limit;
    return limit > last ? limit : SER_LIMIT_NEXT;
}

static void add_demand(ser_demands *demands, const ser_run *run, uint32_t read, uint32_t limit)
{
    uint32_t thread = run->events[read].thread, source = run->couple[read];
    if (limit == SER_LIMIT_NONE || !source || run->events[source].thread == thread)
        return;
    uint32_t *head = limit == SER_LIMIT_END
                         ? ser_vector_slot(&demands->at_ends, thread)
                         : ser_idmap_add(&demands->at, ser_run_step_first(run, limit), 0);
    ser_vector_push(&demands->all, ((ser_demand){source, *head}));
    *head = (uint32_t)demands->all.count;
}

static void look_at_step(ser_demands *demands, const ser_run *run, uint32_t first, uint32_t last)
{
    uint32_t limit = limit_of(run, first, last);
    bool stops = limit == SER_LIMIT_NEXT;
    if (stops) {
        uint32_t next = ser_run_next(run, last);
        limit = next ? next : SER_LIMIT_END;
    }
    for (uint32_t event = first; event <= last; event++) {
        bool accepts = ser_reads_accept_set(run->reads, event)->count > 0;
        demands->loose.items[event] = !stops || accepts || run->reads->writes_anyway.items[event];
        if (demands->loose.items[event] && !accepts)
            add_demand(demands, run, event, limit);
    }
}

void ser_demands_init(ser_demands *demands, const ser_run *run)
{
    *demands = (ser_demands){0};
    if (!run->reads)
        return;
    ser_vector_extend(&demands->loose, (size_t)run->count + 1);
    for (uint32_t event = 1; event <= run->count;) {
        uint32_t last = run->eid[event] ? ser_run_step_last(run, event) : event;
        if (is_read(run, event))
            look_at_step(demands, run, event, last);
        event = last + 1;
    }
}

void ser_demands_fini(ser_demands *demands)
{
    ser_vector_free(&demands->loose);
    ser_idmap_fini(&demands->at);
    ser_vector_free(&demands->at_ends);
    ser_vector_free(&demands->all);
}
