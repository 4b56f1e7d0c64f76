/* SPDX-License-Identifier: MIT */
#include "predict/segment/relevance.h"

#include "base/idmap.h"
#include "predict/segment/path_reach.h"

typedef struct trimmer {
    const ser_run *run;
    const ser_segment *segment;
    ser_meter *meter;
    bool sources;          /* reads need the writes that they want or accept */
    uint32_t *keep;        /* of each thread: the eids before this one stay */
    uint32_t *looked;      /* of each thread: the eids before this one were looked at */
    ser_idmap acquirers;   /* lock -> the thread that acquires it, or SEVERAL */
    ser_idmap conditions;  /* those that a kept event notifies */
    ser_idmap accept_sets; /* those of kept reads */
} trimmer;

#define SEVERAL (UINT32_MAX - 1)

static void keep_event(trimmer *trim, uint32_t event)
{
    if (!event || !ser_segment_holds(trim->segment, trim->run, event))
        return;
    uint32_t thread = trim->run->events[event].thread;
    uint32_t eid = trim->run->eid[ser_run_step_last(trim->run, event)];
    if (trim->keep[thread] <= eid)
        trim->keep[thread] = eid + 1;
}

static void keep_chain(trimmer *trim, uint32_t first)
{
    for (uint32_t next = first; next && !ser_meter_over(trim->meter); next = trim->run->match[next])
        keep_event(trim, next);
}

static void keep_entry(trimmer *trim, uint32_t event)
{
    uint32_t previous = ser_run_previous(trim->run, event);
    if (!previous)
        keep_event(trim, trim->run->threads.items[trim->run->events[event].thread].fork);
    else if (ser_op_waits((ser_op)trim->run->events[previous].op))
        keep_event(trim, trim->run->couple[previous]);
}

static void keep_all_before(trimmer *trim, uint32_t event)
{
    for (uint32_t i = 0; i < trim->segment->threads && !ser_meter_over(trim->meter); i++)
        keep_event(trim, ser_run_last_before(trim->run, i, event));
}

static void note_acquire(trimmer *trim, const ser_event *event)
{
    if (event->flags & SER_EVENT_INNER)
        return;
    uint32_t *known = ser_idmap_add(&trim->acquirers, event->object, event->thread);
    if (*known != event->thread)
        *known = SEVERAL;
}

static void keep_child(trimmer *trim, const ser_run_thread *child)
{
    keep_event(trim, child->fork);
    if (child->events.count)
        keep_event(trim, child->events.items[child->events.count - 1]);
}

static void keep_accepted(trimmer *trim, uint32_t read)
{
    const ser_reads *reads = trim->run->reads;
    const ser_accept_set *set = ser_reads_accept_set(reads, read);
    uint32_t *known = ser_idmap_add(&trim->accept_sets, reads->rules.items[read].accepts, 0);
    for (size_t i = 0; i < set->count && !*known && !ser_meter_over(trim->meter); i++)
        keep_event(trim, reads->accepted.items[set->first + i]);
    *known = 1;
}

/* Keeps what a kept event needs. */
static void look_at(trimmer *trim, uint32_t number)
{
    const ser_run *run = trim->run;
    const ser_event *event = &run->events[number];
    keep_entry(trim, number);
    if (ser_run_is_late(run, number))
        keep_all_before(trim, number);
    ser_op op = (ser_op)event->op;
    if ((ser_op_reads(op) && trim->sources) || ser_op_tests(op) || ser_op_takes(op))
        keep_event(trim, run->couple[number]);
    if (ser_op_reads(op) && trim->sources && run->reads)
        keep_accepted(trim, number);
    if (ser_op_joins(op))
        keep_child(trim, &run->threads.items[event->object]);
    else if (ser_op_acquires(op))
        note_acquire(trim, event);
    if (ser_op_notifies(op))
        (void)ser_idmap_add(&trim->conditions, event->object, 1);
    if (ser_op_notifies(op) || ser_op_departs(op))
        keep_chain(trim, run->match[number]);
}

static bool look_at_new_events(trimmer *trim)
{
    bool any = false;
    for (uint32_t i = 0; i < trim->segment->threads; i++) {
        while (trim->looked[i] < trim->keep[i] && !ser_meter_over(trim->meter)) {
            look_at(trim, ser_run_at(trim->run, i, trim->looked[i]++));
            any = true;
        }
    }
    return any;
}

/* A thread that ends while it holds a lock that another one acquires must get as
 * far as its release; one that ends in a wait must get out of it if it might be in
 * the way of a notify. */
static void keep_exits(trimmer *trim, uint32_t thread)
{
    const ser_run *run = trim->run;
    uint32_t end = trim->keep[thread];
    if (end <= 1)
        return;
    uint32_t last = ser_run_at(run, thread, end - 1);
    uint32_t held = ser_run_held(run, last);
    for (; held && !ser_meter_over(trim->meter); held = ser_run_next_held(run, last, held)) {
        uint32_t acquire = run->holds.items[held].acquire;
        uint32_t lock = run->events[acquire].object;
        if (ser_idmap_get(&trim->acquirers, lock, thread) != thread)
            keep_event(trim, run->match[acquire]);
    }
    if (ser_op_waits((ser_op)run->events[last].op) &&
        ser_idmap_get(&trim->conditions, run->events[last].object, 0))
        keep_event(trim, ser_run_next(run, last));
}

static void close_up(trimmer *trim)
{
    do {
        while (look_at_new_events(trim))
            ;
        for (uint32_t i = 0; i < trim->segment->threads; i++)
            keep_exits(trim, i);
    } while (look_at_new_events(trim));
}

static void begin(trimmer *trim, const ser_run *run, const ser_segment *segment, ser_meter *meter)
{
    *trim = (trimmer){.run = run, .segment = segment, .meter = meter, .sources = true};
    trim->keep = ser_alloc(segment->threads, sizeof *trim->keep);
    trim->looked = ser_alloc(segment->threads, sizeof *trim->looked);
    for (uint32_t i = 0; i < segment->threads; i++)
        trim->keep[i] = trim->looked[i] = segment->from[i];
}

static void cut_off(trimmer *trim, ser_segment *segment)
{
    close_up(trim);
    memcpy(segment->to, trim->keep, segment->threads * sizeof *trim->keep);
}

static void end(trimmer *trim)
{
    ser_idmap_fini(&trim->acquirers);
    ser_idmap_fini(&trim->conditions);
    ser_idmap_fini(&trim->accept_sets);
    free(trim->keep);
    free(trim->looked);
}

bool ser_relevance_trim(const ser_order *order, uint32_t block, ser_segment *segment,
                        ser_meter *meter)
{
    trimmer trim;
    uint32_t *last = ser_alloc(segment->threads, sizeof *last);
    uint32_t returns = ser_path_reach(order, block, segment, last, meter);
    begin(&trim, order->run, segment, meter);
    for (uint32_t i = 0; i < segment->threads; i++)
        if (last[i])
            keep_event(&trim, ser_run_at(order->run, i, last[i]));
    if (returns) {
        keep_event(&trim, returns);
        cut_off(&trim, segment);
    }
    free(last);
    end(&trim);
    return returns != 0;
}

void ser_relevance_keep(const ser_run *run, ser_segment *segment, const uint32_t *events,
                        size_t count, bool sources, ser_meter *meter)
{
    trimmer trim;
    begin(&trim, run, segment, meter);
    trim.sources = sources;
    for (size_t i = 0; i < count; i++)
        keep_event(&trim, events[i]);
    cut_off(&trim, segment);
    end(&trim);
}
