/* SPDX-License-Identifier: MIT */
/*
 * Reads that may change (trace/reads.h), as steps of a task: limits and accepted writes that
 * lie outside of the segment are left out or stand for what the start left behind.
 */
#include "predict/task/build_internal.h"

/* The last event of the start, in observed order; 0 if it is empty. */
static uint32_t latest_of_start(const ser_task_builder *work)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < work->segment->threads; i++) {
        uint32_t from = work->segment->from[i];
        uint32_t event = from > 1 ? ser_run_at(work->run, i, from - 1) : 0;
        last = event > last ? event : last;
    }
    return last;
}

/* The write whose value a variable has when the start is over; 0: the initial value. */
static uint32_t write_at_start(const ser_task_builder *work, uint32_t variable)
{
    uint32_t last = latest_of_start(work);
    if (!last)
        return 0;
    ser_event_span before = ser_index_between(&work->index->accesses, variable, 0, last + 1);
    while (before.count > 0) {
        uint32_t event = before.items[--before.count];
        if (ser_op_writes((ser_op)work->run->events[event].op) &&
            ser_build_is_in_start(work, event))
            return event;
    }
    return 0;
}

/* The steps among the writes that a read accepts. Reads with the same set share the list. */
static ser_step_list list_accepted(ser_task_builder *work, uint32_t read)
{
    const ser_reads *reads = work->run->reads;
    uint32_t set = reads->rules.items[read].accepts;
    uint32_t fresh = (uint32_t)work->accept_lists.count;
    uint32_t index = *ser_idmap_add(&work->accept_sets, set, fresh);
    if (index < fresh)
        return work->accept_lists.items[index];
    ser_step_list list = {.first = (uint32_t)work->task->lists.count};
    const ser_accept_set *accepted = &reads->sets.items[set];
    for (size_t i = 0; i < accepted->count; i++) {
        uint32_t write = reads->accepted.items[accepted->first + i];
        if (write && ser_build_is_inside(work, write))
            ser_vector_push(&work->task->lists, ser_build_step_of(work, write));
    }
    list.count = (uint32_t)work->task->lists.count - list.first;
    if (list.count)
        qsort(work->task->lists.items + list.first, list.count, sizeof(uint32_t),
              ser_build_ascending);
    if (accepted->count &&
        ser_reads_accepts(reads, read, write_at_start(work, work->run->events[read].object))) {
        ser_vector_push(&work->task->lists, SER_TASK_START);
        list.count++;
    }
    ser_vector_push(&work->accept_lists, list);
    return list;
}

static uint32_t limit_of(const ser_task_builder *work, uint32_t read)
{
    const ser_reads *reads = work->run->reads;
    uint32_t limit = reads ? reads->rules.items[read].limit : SER_LIMIT_NEXT;
    uint32_t next = ser_build_next_step(work, read);
    if (limit == SER_LIMIT_NEXT)
        return next;
    uint32_t thread = work->run->events[read].thread;
    const ser_event_list *events = &work->run->threads.items[thread].events;
    if (limit == SER_LIMIT_END)
        return work->to[thread] > events->count
                   ? ser_build_step_of(work, read) + (uint32_t)events->count + 1 -
                         work->run->eid[read]
                   : SER_TASK_NONE;
    if (limit == SER_LIMIT_NONE || !ser_build_is_inside(work, limit))
        return SER_TASK_NONE;
    return ser_build_step_of(work, limit) > next ? ser_build_step_of(work, limit) : next;
}

void ser_build_set_change(ser_task_builder *work, ser_task_step *step)
{
    step->limit = limit_of(work, step->event);
    if (!work->run->reads)
        return;
    step->accepts = list_accepted(work, step->event);
    step->writes_anyway = work->run->reads->writes_anyway.items[step->event];
    step->writes_known = work->run->reads->writes_known.items[step->event];
}
