/* SPDX-License-Identifier: MIT */
/*
 * X is closed upwards within P (rule a), so of each thread it is the end of P's
 * part: the segment grows by lowering its `from`. Events that come in are looked at
 * once (admit); rules (c), (f) and (h), which speak of pairs, are tried again until
 * nothing comes in any more.
 */
#include "predict/segment/tas.h"

#include "base/idmap.h"

/* A write of Z, the first of its thread on a variable; by (variable, thread). */
typedef struct first_write {
    uint32_t event;
    uint32_t next; /* 1 + index of the next one on the same variable */
} first_write;

typedef struct growth {
    const ser_order *order;
    const ser_run *run;
    const ser_index *index;
    ser_segment *segment;
    ser_meter *meter;
    uint64_t most; /* events to be looked at; 0: no limit */
    uint64_t looked_at;
    bool is_exact;        /* all rules count; if not, only what soundness needs */
    uint32_t *above;      /* P: how many events of each thread */
    uint32_t *admitted;   /* from[] as far as events were looked at */
    uint32_t upper;       /* u0: all of P was observed before it */
    ser_idmap earliest;   /* variable -> its first access in Z */
    ser_idmap writes;     /* variable -> 1 + index of its first first_write */
    ser_idmap conditions; /* those that Z has events on */
    ser_idmap acquirers;  /* lock -> the thread that acquires it in Z, or SEVERAL */
    SER_VECTOR(first_write) first_writes;
    ser_event_list reads;     /* of Z, coupled with a write of the start */
    ser_idmap accept_sets;    /* those of reads of Z */
    ser_event_list accepting; /* a read of Z for each of them */
} growth;

#define SEVERAL (UINT32_MAX - 1)

static bool is_in_start(const growth *work, uint32_t event)
{
    return ser_segment_starts_with(work->segment, work->run, event);
}

/* Lets an event of the start into the segment, with all that must come after it. */
static void pull(growth *work, uint32_t event)
{
    if (!is_in_start(work, event))
        return;
    for (uint32_t i = 0; i < work->segment->threads && !ser_meter_over(work->meter); i++) {
        uint32_t first = work->run->events[event].thread == i
                             ? work->run->eid[ser_run_step_first(work->run, event)]
                             : ser_order_first_after(work->order, event, i, 1);
        if (first < work->segment->from[i])
            work->segment->from[i] = first;
    }
}

static bool is_write(const growth *work, uint32_t event)
{
    return ser_op_writes((ser_op)work->run->events[event].op);
}

/* Rule (b), for an access that is new in Z. */
static void pull_later_writes(growth *work, uint32_t event)
{
    uint32_t variable = work->run->events[event].object;
    uint32_t *earliest = ser_idmap_add(&work->earliest, variable, work->upper);
    uint32_t until = *earliest < work->upper ? *earliest + 1 : work->upper;
    if (event < *earliest)
        *earliest = event;
    ser_event_span span = ser_index_between(&work->index->accesses, variable, event, until);
    for (size_t i = 0; i < span.count && !ser_meter_over(work->meter); i++)
        if (is_write(work, span.items[i]))
            pull(work, span.items[i]);
}

/* For rule (c): the first write of each thread is the one that matters, since what
 * must come before it must come before its later ones. */
static void note_write(growth *work, uint32_t event)
{
    uint32_t *head = ser_idmap_add(&work->writes, work->run->events[event].object, 0);
    for (uint32_t at = *head; at && !ser_meter_over(work->meter);
         at = work->first_writes.items[at - 1].next) {
        first_write *known = &work->first_writes.items[at - 1];
        if (work->run->events[known->event].thread != work->run->events[event].thread)
            continue;
        if (event < known->event)
            known->event = event;
        return;
    }
    ser_vector_push(&work->first_writes, ((first_write){event, *head}));
    *head = (uint32_t)work->first_writes.count;
}

/* Rule (g), for a write that is new in Z. What relevance.h cuts off is no source of an event of P:
 * all of these stay, with what they read. */
static void pull_its_reads(growth *work, uint32_t write)
{
    uint32_t variable = work->run->events[write].object;
    ser_event_span span = ser_index_between(&work->index->accesses, variable, write, work->upper);
    for (size_t i = 0; i < span.count && !ser_meter_over(work->meter); i++) {
        if (work->run->couple[span.items[i]] == write)
            pull(work, span.items[i]);
        if (is_write(work, span.items[i]))
            return;
    }
}

/* For rule (h). */
static void note_accepting(growth *work, uint32_t read)
{
    uint32_t set = work->run->reads->rules.items[read].accepts;
    if (!ser_reads_accept_set(work->run->reads, read)->count)
        return;
    uint32_t *known = ser_idmap_add(&work->accept_sets, set, 0);
    if (!*known)
        ser_vector_push(&work->accepting, read);
    *known = 1;
}

static void admit_access(growth *work, uint32_t event)
{
    bool reads = ser_op_reads((ser_op)work->run->events[event].op);
    uint32_t source = reads ? work->run->couple[event] : 0;
    pull_later_writes(work, event);
    if (is_write(work, event))
        note_write(work, event);
    if (source && is_in_start(work, source))
        ser_vector_push(&work->reads, event);
    if (work->run->reads && is_write(work, event))
        pull_its_reads(work, event);
    if (work->run->reads && reads)
        note_accepting(work, event);
}

/* For rule (d). */
static void admit_condition(growth *work, uint32_t event)
{
    ser_idmap_add(&work->conditions, work->run->events[event].object, 1);
}

static void admit_acquire(growth *work, uint32_t event)
{
    uint32_t thread = work->run->events[event].thread;
    uint32_t *known = ser_idmap_add(&work->acquirers, work->run->events[event].object, thread);
    if (*known != thread)
        *known = SEVERAL;
}

/* Looks at an event that is new in Z. */
static void admit(growth *work, uint32_t event)
{
    const ser_event *now = &work->run->events[event];
    uint32_t previous = ser_run_previous(work->run, event);
    if (previous && ser_op_waits((ser_op)work->run->events[previous].op))
        admit_condition(work, previous); /* the step ends a wait */
    ser_op op = (ser_op)now->op;
    if (ser_op_is_access(op))
        admit_access(work, event);
    else if (ser_op_space(op) == SER_SPACE_CONDITION)
        admit_condition(work, event);
    else if (ser_op_acquires(op) && !(now->flags & SER_EVENT_INNER))
        admit_acquire(work, event);
    else if (ser_op_releases(op) && work->run->match[event] &&
             work->run->eid[event] <= work->above[now->thread])
        pull(work, work->run->match[event]); /* rule (e) */
}

static bool is_over(growth *work)
{
    if (work->most && ++work->looked_at > work->most)
        return true;
    return ser_meter_over(work->meter);
}

static bool admit_new_events(growth *work)
{
    bool any = false;
    for (uint32_t i = 0; i < work->segment->threads; i++) {
        while (work->admitted[i] > work->segment->from[i] && !is_over(work)) {
            admit(work, ser_run_at(work->run, i, --work->admitted[i]));
            any = true;
        }
    }
    return any;
}

/* Rule (c). */
static void pull_contested_sources(growth *work)
{
    for (size_t i = 0; i < work->reads.count; i++) {
        uint32_t read = work->reads.items[i], source = work->run->couple[read];
        uint32_t at = ser_idmap_get(&work->writes, work->run->events[read].object, 0);
        for (; at && is_in_start(work, source) && !ser_meter_over(work->meter);
             at = work->first_writes.items[at - 1].next) {
            uint32_t write = work->first_writes.items[at - 1].event;
            if (write != read && !ser_order_before(work->order, source, write) &&
                !ser_order_before(work->order, read, write))
                pull(work, source);
        }
    }
}

/* How many writes of the variable the start has, from an event on; pulls them. */
static size_t visit_start_writes(growth *work, uint32_t variable, uint32_t first, bool pulls)
{
    size_t count = 0;
    ser_event_span span =
        ser_index_between(&work->index->accesses, variable, first ? first - 1 : 0, work->upper);
    for (size_t i = 0; i < span.count && !ser_meter_over(work->meter); i++) {
        if (!is_write(work, span.items[i]) || !is_in_start(work, span.items[i]))
            continue;
        count++;
        if (pulls)
            pull(work, span.items[i]);
    }
    return count;
}

/* Rule (h). It is unknown which of several writes was the last one. */
static void pull_accepted_writes(growth *work)
{
    const ser_reads *reads = work->run->reads;
    for (size_t i = 0; i < work->accepting.count; i++) {
        uint32_t read = work->accepting.items[i], variable = work->run->events[read].object;
        uint32_t first = reads->accepted.items[ser_reads_accept_set(reads, read)->first];
        if (first == 0 || ser_idmap_get(&work->writes, variable, 0) ||
            visit_start_writes(work, variable, 0, false) > 1)
            visit_start_writes(work, variable, first, true);
    }
}

/* Is a lock, held by a thread at the upper frontier, acquired by another one in Z,
 * or in P after it? */
static bool is_wanted(const growth *work, uint32_t acquire)
{
    const ser_event *event = &work->run->events[acquire];
    uint32_t acquirer = ser_idmap_get(&work->acquirers, event->object, event->thread);
    if (acquirer != event->thread)
        return true;
    ser_event_span later =
        ser_index_between(&work->index->acquires, event->object, acquire, work->upper);
    for (size_t i = 0; i < later.count && !ser_meter_over(work->meter); i++) {
        uint32_t thread = work->run->events[later.items[i]].thread;
        if (thread != event->thread && work->run->eid[later.items[i]] <= work->above[thread])
            return true;
    }
    return false;
}

/* Rule (f). */
static void pull_cut_sections(growth *work)
{
    const ser_run *run = work->run;
    for (uint32_t i = 0; i < work->segment->threads; i++) {
        if (!work->above[i])
            continue;
        uint32_t last = ser_run_at(run, i, work->above[i]);
        uint32_t held = ser_run_held(run, last);
        for (; held && !ser_meter_over(work->meter); held = ser_run_next_held(run, last, held)) {
            uint32_t acquire = run->holds.items[held].acquire;
            if (is_in_start(work, acquire) && is_wanted(work, acquire))
                pull(work, acquire);
        }
    }
}

/* Would the wait, the last event of its thread in the start, be pending at a notify at which it was
 * not in the observed run? */
static bool is_in_the_way(const growth *work, uint32_t wait)
{
    const ser_run *run = work->run;
    ser_event_span later =
        ser_index_between(&work->index->conditions, run->events[wait].object, wait, work->upper);
    for (size_t i = 0; i < later.count && !ser_meter_over(work->meter); i++) {
        uint32_t event = later.items[i];
        bool happens = is_in_start(work, event) || ser_segment_holds(work->segment, run, event);
        if (happens && ser_op_notifies((ser_op)run->events[event].op) &&
            !ser_run_pending_at(run, wait, event))
            return true;
    }
    return false;
}

/* The last event of a thread in the start, if it is a wait; else 0. */
static uint32_t find_cut_wait(const growth *work, uint32_t thread)
{
    uint32_t from = work->segment->from[thread];
    uint32_t last = from > 1 ? ser_run_at(work->run, thread, from - 1) : 0;
    return last && ser_op_waits((ser_op)work->run->events[last].op) ? last : 0;
}

/* Rule (d). */
static void pull_pending_waits(growth *work)
{
    for (uint32_t i = 0; i < work->segment->threads; i++) {
        uint32_t wait = find_cut_wait(work, i);
        if (wait && ser_idmap_get(&work->conditions, work->run->events[wait].object, 0))
            pull(work, wait);
    }
}

/* Instead of rule (d), where the segment need not be exact. */
static void pull_cut_waits(growth *work)
{
    for (uint32_t i = 0; i < work->segment->threads; i++) {
        uint32_t wait = find_cut_wait(work, i);
        if (wait && is_in_the_way(work, wait))
            pull(work, wait);
    }
}

static void grow(growth *work)
{
    do {
        while (admit_new_events(work))
            ;
        if (work->is_exact) {
            pull_contested_sources(work);
            pull_accepted_writes(work);
            pull_pending_waits(work);
        } else {
            pull_cut_waits(work);
        }
        pull_cut_sections(work);
    } while (admit_new_events(work) && !is_over(work));
}

static void begin(growth *work, const ser_order *order, const ser_index *index,
                  ser_segment *segment, ser_meter *meter)
{
    *work = (growth){
        .order = order, .run = order->run, .index = index, .segment = segment, .meter = meter};
    work->above = ser_alloc(segment->threads, sizeof *work->above);
    work->admitted = ser_alloc(segment->threads, sizeof *work->admitted);
}

static void admit_all(growth *work)
{
    const ser_segment *segment = work->segment;
    for (uint32_t i = 0; i < segment->threads; i++)
        work->admitted[i] = segment->to[i] > segment->from[i] ? segment->to[i] : segment->from[i];
    grow(work);
}

static void end(growth *work)
{
    free(work->above);
    free(work->admitted);
    ser_idmap_fini(&work->earliest);
    ser_idmap_fini(&work->writes);
    ser_idmap_fini(&work->conditions);
    ser_idmap_fini(&work->acquirers);
    ser_vector_free(&work->first_writes);
    ser_vector_free(&work->reads);
    ser_idmap_fini(&work->accept_sets);
    ser_vector_free(&work->accepting);
}

void ser_tas_grow(const ser_order *order, const ser_index *index, uint32_t block,
                  ser_segment *segment, ser_meter *meter)
{
    growth work;
    begin(&work, order, index, segment, meter);
    work.is_exact = true;
    work.upper = ser_block_first_access(order->run, block);
    for (uint32_t i = 0; i < segment->threads; i++) {
        work.above[i] = ser_order_known(order, work.upper, i);
        segment->from[i] = order->run->failed_tries ? 1 : work.above[i] + 1;
    }
    if (!order->run->failed_tries)
        admit_all(&work);
    end(&work);
}

bool ser_tas_mend(const ser_order *order, const ser_index *index, ser_segment *segment,
                  uint64_t most, ser_meter *meter)
{
    growth work;
    begin(&work, order, index, segment, meter);
    work.most = 2 * most;
    work.upper = order->run->count + 1;
    for (uint32_t i = 0; i < segment->threads; i++)
        work.above[i] = segment->from[i] - 1;
    admit_all(&work);
    end(&work);
    return work.looked_at <= work.most && ser_segment_size(segment) <= most;
}
