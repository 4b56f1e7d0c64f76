/* SPDX-License-Identifier: MIT */
/*
 * A clock that has grown is handed on to all that comes next (ser_closure_spread): the
 * step after it in its thread, those that need it, the reads that see it, and where
 * arrows lead. Within a move it goes to the next step; the last one hands it on for all. What was
 * observed first goes first: most arrows agree with that, so few steps have to hand on twice.
 */
#include "predict/saturation/closure_internal.h"

static uint32_t *clock_of(const ser_closure *closure, uint32_t step)
{
    return closure->clocks + (size_t)step * closure->task->threads.count;
}

static bool reads_step(const ser_task_step *step)
{
    return (step->access == SER_ACCESS_READ || step->access == SER_ACCESS_RMW) &&
           step->source < SER_TASK_NONE;
}

void ser_closure_visit_before(ser_closure *closure, uint32_t number, ser_closure_visitor visit)
{
    const ser_task_step *step = &closure->task->steps.items[number];
    for (uint32_t i = 0; i < step->needs.count; i++)
        visit(closure, number, closure->task->lists.items[step->needs.first + i]);
    if (reads_step(step))
        visit(closure, number, step->source);
}

static bool is_earlier(const ser_closure *closure, uint32_t a, uint32_t b)
{
    return closure->task->steps.items[a].event < closure->task->steps.items[b].event;
}

static void push_grown(ser_closure *closure, uint32_t step)
{
    if (closure->is_grown[step])
        return;
    closure->is_grown[step] = true;
    ser_vector_push(&closure->grown, step);
    uint32_t *heap = closure->grown.items;
    size_t at = closure->grown.count - 1;
    for (; at > 0 && is_earlier(closure, step, heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = step;
}

static uint32_t pop_grown(ser_closure *closure)
{
    uint32_t *heap = closure->grown.items;
    uint32_t top = heap[0], step = heap[--closure->grown.count];
    size_t count = closure->grown.count, at = 0;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && is_earlier(closure, heap[child + 1], heap[child]);
        if (!is_earlier(closure, heap[child], step))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = step;
    closure->is_grown[top] = false;
    return top;
}

void ser_closure_forget_grown(ser_closure *closure)
{
    for (size_t i = 0; i < closure->grown.count; i++)
        closure->is_grown[closure->grown.items[i]] = false;
    closure->grown.count = 0;
}

static bool comes_after_end(const ser_closure *closure, const uint32_t *clock)
{
    uint32_t thread = closure->task->steps.items[closure->end].thread;
    return clock[thread] > ser_closure_place(closure, closure->end);
}

static bool are_one_move(const ser_closure *closure, uint32_t a, uint32_t b)
{
    return ser_task_move_first(closure->task, a) == ser_task_move_first(closure->task, b);
}

/* The step, and all that comes before it, comes before `to`; if they are of two moves,
 * all of the one before all of the other. */
static void join(ser_closure *closure, uint32_t to, uint32_t step)
{
    if (closure->task->has_moves && !are_one_move(closure, to, step)) {
        to = ser_task_move_first(closure->task, to);
        step = ser_task_move_end(closure->task, step) - 1;
    }
    uint32_t *clock = clock_of(closure, to);
    const uint32_t *other = clock_of(closure, step);
    uint32_t threads = (uint32_t)closure->task->threads.count, grown = 0;
    for (uint32_t t = 0; t < threads; t++) {
        uint32_t larger = clock[t] > other[t] ? clock[t] : other[t];
        grown |= larger ^ clock[t];
        clock[t] = larger;
    }
    uint32_t thread = closure->task->steps.items[step].thread;
    uint32_t place = ser_closure_place(closure, step);
    if (clock[thread] <= place) {
        clock[thread] = place + 1;
        grown = 1;
    }
    if (!grown)
        return;
    push_grown(closure, to);
    if (clock[closure->task->steps.items[to].thread] > ser_closure_place(closure, to) ||
        comes_after_end(closure, clock))
        closure->impossible = true;
}

/* What the step reads comes before it only if the step is not broken. Where reads may change it
 * may be about to be demanded. */
static bool comes_after(const ser_closure *closure, uint32_t step, uint32_t before)
{
    const ser_task_step *at = &closure->task->steps.items[step];
    if (reads_step(at) && at->source == before)
        return ser_closure_fixes_source(closure, step) && ser_closure_demands(closure, before);
    return ser_closure_demands(closure, step);
}

static void spread_to_followers(ser_closure *closure, uint32_t step)
{
    for (uint32_t i = closure->first_follower[step]; i < closure->first_follower[step + 1]; i++)
        if (comes_after(closure, closure->followers[i], step))
            join(closure, closure->followers[i], step);
    for (uint32_t i = closure->arrows_from[step]; i; i = closure->arrows.items[i - 1].next)
        join(closure, closure->arrows.items[i - 1].to, step);
}

static void spread_from(ser_closure *closure, uint32_t step)
{
    uint32_t thread = closure->task->steps.items[step].thread;
    if (ser_closure_place(closure, step) + 1 < closure->demanded[thread])
        join(closure, step + 1, step);
    if (closure->task->steps.items[step].joined)
        return;
    for (uint32_t i = ser_task_move_first(closure->task, step); i <= step; i++)
        spread_to_followers(closure, i);
}

void ser_closure_spread(ser_closure *closure)
{
    while (closure->grown.count && !closure->impossible)
        spread_from(closure, pop_grown(closure));
    ser_closure_forget_grown(closure);
}

void ser_closure_add(ser_closure *closure, uint32_t a, uint32_t b)
{
    if (ser_closure_knows(closure, a, b) || (a != b && are_one_move(closure, a, b)))
        return;
    ser_arrow arrow = {a, b, closure->arrows_from[a]};
    ser_vector_push(&closure->arrows, arrow);
    closure->arrows_from[a] = (uint32_t)closure->arrows.count;
    join(closure, b, a);
    if (a == b)
        closure->impossible = true;
}

static void join_before(ser_closure *closure, uint32_t step, uint32_t before)
{
    if (comes_after(closure, step, before))
        join(closure, step, before);
}

static void calm_down(ser_closure *closure, uint32_t move)
{
    if (closure->calm[move])
        return;
    closure->calm[move] = true;
    ser_vector_push(&closure->calming, move);
}

static void calm_all(ser_closure *closure, ser_limited limited)
{
    for (uint32_t i = 0; i < limited.count; i++)
        calm_down(closure, limited.moves[i]);
}

/* What has to be unchanged if the step happens. */
static void calm_for(ser_closure *closure, uint32_t number)
{
    const ser_task *task = closure->task;
    const ser_limits *limits = &closure->must->limits;
    const ser_task_step *step = &task->steps.items[number];
    calm_all(closure, ser_limits_at(limits, number));
    if (step->ends != SER_TASK_NONE)
        calm_all(closure, ser_limits_at_end(limits, task->steps.items[step->ends].thread));
    for (uint32_t i = 0; i < step->needs.count; i++) {
        uint32_t need = task->lists.items[step->needs.first + i];
        if (ser_limits_stop(limits, need))
            calm_down(closure, ser_task_move_first(task, need));
    }
}

static void calm_first(ser_closure *closure, uint32_t thread, uint32_t count)
{
    uint32_t first = closure->task->threads.items[thread].first;
    for (uint32_t i = closure->clean[thread]; i < count; i++)
        if (ser_task_move_first(closure->task, first + i) == first + i)
            calm_down(closure, first + i);
    if (closure->clean[thread] < count)
        closure->clean[thread] = count;
}

/* Demands steps of a thread up to a place, without what they need. */
static void extend(ser_closure *closure, uint32_t thread, uint32_t wanted)
{
    uint32_t threads = (uint32_t)closure->task->threads.count;
    uint32_t first = closure->task->threads.items[thread].first;
    uint32_t had = closure->demanded[thread];
    size_t from = (size_t)(first + had) * threads;
    memcpy(closure->clocks + from, closure->must->clocks + from,
           (size_t)(wanted - had) * threads * sizeof *closure->clocks);
    closure->demanded[thread] = wanted;
    for (uint32_t i = had; i < wanted && closure->task->may_change; i++)
        calm_for(closure, first + i);
}

/* The end comes after everything. */
static void update_end(ser_closure *closure)
{
    uint32_t thread = closure->task->steps.items[closure->end].thread;
    for (uint32_t i = ser_task_move_first(closure->task, closure->end); i <= closure->end; i++) {
        uint32_t *clock = clock_of(closure, i);
        memcpy(clock, closure->demanded, closure->task->threads.count * sizeof *clock);
        clock[thread] = ser_closure_place(closure, i);
    }
}

static void link_new_steps(ser_closure *closure, uint32_t thread, uint32_t had)
{
    uint32_t first = closure->task->threads.items[thread].first;
    /* The last of the old ones is not broken any more. */
    uint32_t old = had ? ser_task_move_first(closure->task, first + had - 1) - first : 0;
    for (uint32_t i = old; i < closure->demanded[thread]; i++) {
        if (i >= had && i > 0)
            join(closure, first + i, first + i - 1);
        ser_closure_visit_before(closure, first + i, join_before);
    }
}

/* With what must come before it. */
static void demand_steps(ser_closure *closure, uint32_t step)
{
    const ser_task *task = closure->task;
    if (ser_closure_demands(closure, step))
        return;
    size_t threads = task->threads.count;
    if (!ser_must_can_happen(closure->must, step) ||
        comes_after_end(closure, closure->must->clocks + step * threads)) {
        closure->impossible = true;
        return;
    }
    uint32_t own = task->steps.items[step].thread;
    SER_VECTOR(uint32_t) had = {0};
    for (uint32_t t = 0; t < threads; t++) {
        uint32_t wanted = t == own ? ser_task_move_end(task, step) - task->threads.items[own].first
                                   : ser_must_count(closure->must, t, step);
        ser_vector_push(&had, closure->demanded[t]);
        if (wanted > closure->demanded[t])
            extend(closure, t, wanted);
    }
    for (uint32_t t = 0; t < threads; t++)
        if (had.items[t] < closure->demanded[t])
            link_new_steps(closure, t, had.items[t]);
    ser_vector_free(&had);
}

/* A calm read that accepts nothing else sees its source, which is not dirty. */
static void see_source(ser_closure *closure, uint32_t read)
{
    const ser_task_step *step = &closure->task->steps.items[read];
    if (!ser_closure_fixes_source(closure, read) || step->source == SER_TASK_START)
        return;
    if (step->source == SER_TASK_NEVER) {
        closure->impossible = true;
        return;
    }
    demand_steps(closure, step->source);
    if (closure->impossible)
        return;
    ser_closure_visit_before(closure, read, join_before);
    uint32_t move = ser_task_move_first(closure->task, read);
    if (step->source >= move && step->source < read)
        return;
    const ser_task_step *source = &closure->task->steps.items[step->source];
    uint32_t first = ser_task_move_first(closure->task, step->source);
    calm_first(closure, source->thread,
               source->writes_known ? ser_closure_place(closure, first)
                                    : ser_closure_place(closure, step->source) + 1);
}

static void settle(ser_closure *closure)
{
    while (closure->calming.count && !closure->impossible) {
        uint32_t move = closure->calming.items[--closure->calming.count];
        uint32_t end = ser_task_move_end(closure->task, move);
        for (uint32_t i = move; i < end && !closure->impossible; i++)
            see_source(closure, i);
    }
    closure->calming.count = 0;
    ser_closure_spread(closure);
    if (!closure->impossible)
        update_end(closure);
}

void ser_closure_demand(ser_closure *closure, uint32_t step)
{
    if (ser_closure_demands(closure, step))
        return;
    demand_steps(closure, step);
    settle(closure);
}

void ser_closure_demand_clean(ser_closure *closure, uint32_t thread, uint32_t count)
{
    if (closure->clean[thread] >= count)
        return;
    calm_first(closure, thread, count);
    settle(closure);
}

void ser_closure_demand_unbroken(ser_closure *closure, uint32_t step)
{
    const ser_task *task = closure->task;
    uint32_t first = ser_task_move_first(task, step), end = ser_task_move_end(task, step);
    ser_closure_demand(closure, step);
    if (task->may_change) {
        calm_down(closure, first);
        if (!closure->impossible)
            settle(closure);
        return;
    }
    for (uint32_t i = first; i < end && !closure->impossible; i++) {
        uint32_t source = task->steps.items[i].source;
        if (source == SER_TASK_NEVER)
            closure->impossible = true;
        else if (source != SER_TASK_START)
            ser_closure_demand(closure, source);
    }
    if (closure->impossible)
        return;
    closure->firm = first;
    for (uint32_t i = first; i < end; i++)
        ser_closure_visit_before(closure, i, join_before);
}
