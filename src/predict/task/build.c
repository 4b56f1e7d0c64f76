/* SPDX-License-Identifier: MIT */
/*
 * First every thread is cut before its first event that can never happen here. What
 * an event needs was observed before it, so one pass in observed order is enough
 * (cut_threads). Then the events that are left become steps, numbered by thread and
 * eid (add_step).
 */
#include "predict/task/build_internal.h"

#include "base/status.h"

/* --- what an event needs ---------------------------------------------------- */

/* Calls visit for each event that must have happened before this one; stops and
 * returns false once a call does. */
typedef bool (*visitor)(ser_task_builder *work, ser_task_step *step, uint32_t needed);

static bool visit_chain(ser_task_builder *work, ser_task_step *step, uint32_t first, visitor visit)
{
    for (uint32_t next = first; next && !ser_meter_over(work->meter); next = work->run->match[next])
        if (!visit(work, step, next))
            return false;
    return true;
}

/* What lets its thread take this step at all: its fork, the notify that woke it. */
static uint32_t entry_need(const ser_run *run, uint32_t event)
{
    uint32_t previous = ser_run_previous(run, event);
    if (!previous)
        return run->threads.items[run->events[event].thread].fork;
    return ser_op_waits((ser_op)run->events[previous].op) ? run->couple[previous] : 0;
}

static uint32_t join_need(const ser_run *run, uint32_t event)
{
    const ser_run_thread *child = &run->threads.items[run->events[event].object];
    return child->events.count ? child->events.items[child->events.count - 1] : child->fork;
}

/* Of each other thread the last event that the trace has before this late one. */
static bool visit_all_before(ser_task_builder *work, ser_task_step *step, visitor visit)
{
    for (uint32_t i = 0; i < work->segment->threads && !ser_meter_over(work->meter); i++) {
        uint32_t last = ser_run_last_before(work->run, i, step->event);
        if (last && i != work->run->events[step->event].thread && !visit(work, step, last))
            return false;
    }
    return true;
}

static bool visit_needs(ser_task_builder *work, ser_task_step *step, visitor visit)
{
    const ser_run *run = work->run;
    uint32_t event = step->event, entry = entry_need(run, event);
    if (entry && !visit(work, step, entry))
        return false;
    if (ser_run_is_late(run, event) && !visit_all_before(work, step, visit))
        return false;
    ser_op op = (ser_op)run->events[event].op;
    if (ser_op_notifies(op) || ser_op_departs(op))
        return visit_chain(work, step, run->match[event], visit);
    uint32_t needed = ser_op_joins(op)   ? join_need(run, event)
                      : ser_op_takes(op) ? run->couple[event]
                                         : 0;
    return !needed || visit(work, step, needed);
}

static bool can_happen(ser_task_builder *work, ser_task_step *step, uint32_t needed)
{
    (void)step;
    return ser_build_is_in_start(work, needed) || ser_build_is_inside(work, needed);
}

int ser_build_ascending(const void *a, const void *b)
{
    uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    return (first > second) - (first < second);
}

static void cut_threads(ser_task_builder *work)
{
    ser_event_list events = {0};
    for (uint32_t i = 0; i < work->segment->threads; i++)
        for (uint32_t eid = work->segment->from[i]; eid < work->to[i]; eid++)
            ser_vector_push(&events, ser_run_at(work->run, i, eid));
    if (events.count)
        qsort(events.items, events.count, sizeof *events.items, ser_build_ascending);
    for (size_t i = 0; i < events.count; i++) {
        ser_task_step step = {.event = events.items[i]};
        uint32_t thread = work->run->events[step.event].thread;
        if (ser_meter_over(work->meter))
            break;
        if (ser_build_is_inside(work, step.event) && !visit_needs(work, &step, can_happen))
            work->to[thread] = work->run->eid[step.event];
    }
    ser_vector_free(&events);
}

/* --- steps -------------------------------------------------------------------- */

static bool add_need(ser_task_builder *work, ser_task_step *step, uint32_t needed)
{
    if (ser_build_is_in_start(work, needed))
        return true;
    ser_check(ser_build_is_inside(work, needed));
    ser_vector_push(&work->task->lists, ser_build_step_of(work, needed));
    step->needs.count++;
    return true;
}

/* Waits of other threads that were not pending at the notify when it was observed. */
static void add_clear_list(ser_task_builder *work, ser_task_step *step)
{
    uint32_t index = ser_idmap_get(&work->waits, work->run->events[step->event].object, 0);
    step->clear.first = (uint32_t)work->task->lists.count;
    if (!index)
        return;
    const ser_event_list *waits = &work->wait_lists.items[index - 1];
    for (size_t i = 0; i < waits->count && !ser_meter_over(work->meter); i++) {
        if (work->run->events[waits->items[i]].thread == work->run->events[step->event].thread ||
            ser_run_pending_at(work->run, waits->items[i], step->event))
            continue;
        ser_vector_push(&work->task->lists, ser_build_step_of(work, waits->items[i]));
        step->clear.count++;
    }
}

/* The arrivals that a departure needs. All departures of a round share a list, unless they
 * need something else, too. */
static void add_needs(ser_task_builder *work, ser_task_step *step)
{
    const ser_run *run = work->run;
    uint32_t arrival = run->match[step->event];
    bool shares = ser_op_departs((ser_op)run->events[step->event].op) && arrival &&
                  !entry_need(run, step->event) && !ser_run_is_late(run, step->event);
    uint32_t fresh = (uint32_t)work->round_needs.count + 1;
    uint32_t known = shares ? *ser_idmap_add(&work->rounds, arrival, fresh) : fresh;
    if (known < fresh) {
        step->needs = work->round_needs.items[known - 1];
        return;
    }
    visit_needs(work, step, add_need);
    if (shares)
        ser_vector_push(&work->round_needs, step->needs);
}

static uint32_t source_of(const ser_task_builder *work, uint32_t event)
{
    uint32_t source = work->run->couple[event];
    if (!source || ser_build_is_in_start(work, source))
        return SER_TASK_START;
    return ser_build_is_inside(work, source) ? ser_build_step_of(work, source) : SER_TASK_NEVER;
}

static void set_access(ser_task_builder *work, ser_task_step *step)
{
    const ser_event *event = &work->run->events[step->event];
    step->access = !ser_op_writes((ser_op)event->op)  ? SER_ACCESS_READ
                   : !ser_op_reads((ser_op)event->op) ? SER_ACCESS_WRITE
                                                      : SER_ACCESS_RMW;
    step->variable = *ser_idmap_add(&work->variables, event->object, work->task->variables);
    if (step->variable == work->task->variables)
        work->task->variables++;
    if (step->access == SER_ACCESS_WRITE)
        return;
    step->source = source_of(work, step->event);
    ser_build_set_change(work, step);
}

static uint32_t number_lock(ser_task_builder *work, uint32_t lock)
{
    uint32_t number = *ser_idmap_add(&work->locks, lock, (uint32_t)work->task->locks.count);
    if (number == work->task->locks.count) {
        ser_vector_extend(&work->task->locks, (size_t)number + 1);
        work->task->locks.items[number].holder = SER_TASK_NONE;
    }
    return number;
}

static ser_lock_action action_of(ser_op op)
{
    if (ser_op_acquires(op))
        return ser_op_is_shared(op) ? SER_LOCK_ACQUIRE_SHARED : SER_LOCK_ACQUIRE;
    if (ser_op_releases(op))
        return ser_op_is_shared(op) ? SER_LOCK_RELEASE_SHARED : SER_LOCK_RELEASE;
    return SER_LOCK_TEST;
}

static void set_action(ser_task_builder *work, ser_task_step *step)
{
    const ser_event *event = &work->run->events[step->event];
    if (event->flags & SER_EVENT_INNER)
        return;
    step->action = (uint8_t)action_of((ser_op)event->op);
    step->lock = number_lock(work, event->object);
    if (step->action != SER_LOCK_TEST)
        return;
    step->source = source_of(work, step->event);
    step->limit = ser_build_next_step(work, step->event);
}

/* The last step of the thread that is joined, if it has one here. */
static uint32_t end_needed(const ser_task_builder *work, uint32_t join)
{
    uint32_t child = work->run->events[join].object;
    const ser_event_list *events = &work->run->threads.items[child].events;
    uint32_t last = events->count ? events->items[events->count - 1] : 0;
    return last && ser_build_is_inside(work, last) ? ser_build_step_of(work, last) : SER_TASK_NONE;
}

/* A block is a transaction, and so is each step outside blocks. */
static uint32_t transaction_of(const ser_run *run, uint32_t event)
{
    uint32_t block = run->block_of[event];
    return block ? run->blocks.items[block - 1].begin : ser_run_step_first(run, event);
}

static void add_step(ser_task_builder *work, uint32_t event)
{
    const ser_run *run = work->run;
    ser_op op = (ser_op)run->events[event].op;
    ser_task_step step = {
        .event = event,
        .thread = work->thread_of.items[run->events[event].thread],
        .variable = SER_TASK_NONE,
        .lock = SER_TASK_NONE,
        .source = SER_TASK_NONE,
        .limit = SER_TASK_NONE,
        .ends = ser_op_joins(op) ? end_needed(work, event) : SER_TASK_NONE,
        .unspoiled = run->reads && ser_run_is_late(run, event),
        .needs.first = (uint32_t)work->task->lists.count,
        .in_block = run->block_of[event] == work->block + 1,
        .joined = ser_run_is_joined(run, event),
        .transaction = transaction_of(run, event),
    };
    ser_check(!step.joined || ser_build_is_inside(work, event + 1));
    work->task->has_moves |= step.joined;
    work->task->has_unspoiled |= step.unspoiled;
    add_needs(work, &step);
    if (ser_op_notifies(op))
        add_clear_list(work, &step);
    if (ser_op_is_access(op))
        set_access(work, &step);
    else if (ser_op_space(op) == SER_SPACE_LOCK)
        set_action(work, &step);
    ser_vector_push(&work->task->steps, step);
}

/* --- the whole ------------------------------------------------------------------ */

/* The last event of the thread in the start; 0 if there is none. */
static uint32_t last_of_start(const ser_task_builder *work, uint32_t thread)
{
    uint32_t from = work->segment->from[thread];
    return from > 1 ? ser_run_at(work->run, thread, from - 1) : 0;
}

/* Task threads for the threads that have events left, or locks that others need. */
static void number_threads(ser_task_builder *work)
{
    uint32_t first = 0;
    ser_vector_extend(&work->thread_of, work->segment->threads);
    for (uint32_t i = 0; i < work->segment->threads; i++) {
        uint32_t from = work->segment->from[i];
        uint32_t count = from < work->to[i] ? work->to[i] - from : 0;
        uint32_t last = last_of_start(work, i);
        if (!count && !(last && ser_run_held(work->run, last)))
            continue;
        work->thread_of.items[i] = (uint32_t)work->task->threads.count;
        ser_vector_push(&work->task->threads, ((ser_task_thread){first, count}));
        first += count;
    }
}

static void add_held_locks(ser_task_builder *work, uint32_t thread)
{
    const ser_run *run = work->run;
    uint32_t holder = work->thread_of.items[thread], last = last_of_start(work, thread);
    uint32_t held = last ? ser_run_held(run, last) : 0;
    for (; held; held = ser_run_next_held(run, last, held)) {
        const ser_event *acquire = &run->events[run->holds.items[held].acquire];
        uint32_t number = number_lock(work, acquire->object);
        ser_task_lock *lock = &work->task->locks.items[number];
        if (!ser_op_is_shared((ser_op)acquire->op))
            lock->holder = holder;
        else
            ser_vector_push(&lock->sharers, holder);
    }
}

static void list_waits(ser_task_builder *work)
{
    for (uint32_t i = 0; i < work->segment->threads; i++) {
        for (uint32_t eid = work->segment->from[i]; eid < work->to[i]; eid++) {
            uint32_t event = ser_run_at(work->run, i, eid);
            if (!ser_op_waits((ser_op)work->run->events[event].op))
                continue;
            uint32_t fresh = (uint32_t)work->wait_lists.count + 1;
            uint32_t index = *ser_idmap_add(&work->waits, work->run->events[event].object, fresh);
            ser_event_list *list = ser_vector_slot(&work->wait_lists, index - 1);
            ser_vector_push(list, event);
        }
    }
}

static bool gives_up(ser_task_builder *work)
{
    const ser_task *task = work->task;
    if (work->meter)
        work->meter->bytes = task->steps.capacity * sizeof *task->steps.items +
                             task->lists.capacity * sizeof *task->lists.items;
    return ser_meter_over(work->meter);
}

static void add_steps(ser_task_builder *work)
{
    for (uint32_t i = 0; i < work->segment->threads; i++) {
        add_held_locks(work, i);
        uint32_t eid = work->segment->from[i];
        for (; eid < work->to[i] && !gives_up(work); eid++)
            add_step(work, ser_run_at(work->run, i, eid));
    }
}

static void mark_block(ser_task_builder *work)
{
    ser_task *task = work->task;
    task->block_thread = work->thread_of.items[work->run->blocks.items[work->block].thread];
    task->first_block_step = task->last_block_step = SER_TASK_NONE;
    for (uint32_t i = 0; i < task->steps.count; i++) {
        const ser_task_step *step = &task->steps.items[i];
        if (!step->in_block || step->access == SER_ACCESS_NONE)
            continue;
        if (task->first_block_step == SER_TASK_NONE)
            task->first_block_step = i;
        task->last_block_step = i;
    }
}

static void end_building(ser_task_builder *work)
{
    for (size_t i = 0; i < work->wait_lists.count; i++)
        ser_vector_free(&work->wait_lists.items[i]);
    ser_vector_free(&work->wait_lists);
    ser_vector_free(&work->thread_of);
    ser_vector_free(&work->round_needs);
    ser_idmap_fini(&work->rounds);
    ser_idmap_fini(&work->variables);
    ser_idmap_fini(&work->locks);
    ser_idmap_fini(&work->waits);
    ser_idmap_fini(&work->accept_sets);
    ser_vector_free(&work->accept_lists);
    free(work->to);
}

ser_task *ser_task_build(const ser_run *run, const ser_index *index, uint32_t block,
                         const ser_segment *segment, ser_meter *meter)
{
    ser_task_builder work = {
        .run = run, .index = index, .segment = segment, .block = block, .meter = meter};
    work.task = ser_alloc(1, sizeof *work.task);
    work.task->may_change = run->reads != NULL;
    work.to = ser_alloc(segment->threads, sizeof *work.to);
    ser_build_set_ends(&work);
    cut_threads(&work);
    number_threads(&work);
    list_waits(&work);
    add_steps(&work);
    ser_build_list_frees(&work);
    mark_block(&work);
    if (!meter || !meter->reached)
        ser_task_find_moves(work.task);
    end_building(&work);
    if (!meter || !meter->reached)
        return work.task;
    ser_task_destroy(work.task);
    return NULL;
}

ser_task *ser_task_whole(const ser_run *run, uint32_t block)
{
    ser_segment *segment = ser_segment_whole(run);
    ser_task *task = ser_task_build(run, NULL, block, segment, NULL);
    ser_segment_destroy(segment);
    return task;
}
