/* SPDX-License-Identifier: MIT */
/*
 * Steps are handled when all that must come before them has been; each thread goes
 * on as far as it can, round after round. Steps never handled wait for each other in
 * a circle, or for something that cannot happen: they never happen.
 */
#include "predict/task/must.h"

static uint32_t *clock_of(const ser_must *must, uint32_t step)
{
    return must->clocks + (size_t)step * must->task->threads.count;
}

static void raise_clock(const ser_must *must, uint32_t *clock, const uint32_t *other)
{
    for (size_t t = 0; t < must->task->threads.count; t++)
        if (clock[t] < other[t])
            clock[t] = other[t];
}

/* Everything up to and including the move of `earlier` comes before the step with this
 * clock. */
static bool join(const ser_must *must, uint32_t *clock, uint32_t earlier)
{
    if (!ser_must_can_happen(must, earlier))
        return false;
    const ser_task *task = must->task;
    raise_clock(must, clock, clock_of(must, earlier));
    uint32_t thread = task->steps.items[earlier].thread;
    uint32_t count = ser_task_move_end(task, earlier) - task->threads.items[thread].first;
    if (clock[thread] < count)
        clock[thread] = count;
    return true;
}

static bool has_source(const ser_task_step *step)
{
    return step->access == SER_ACCESS_READ || step->access == SER_ACCESS_RMW ||
           step->action == SER_LOCK_TEST;
}

/* The step's source, if it has one elsewhere, comes before the step with this clock. */
static bool join_source(const ser_must *must, uint32_t *clock, uint32_t number)
{
    const ser_task_step *step = &must->task->steps.items[number];
    if (!has_source(step) || step->source == SER_TASK_START ||
        !ser_task_wants_source(must->task, step))
        return true;
    return step->source != SER_TASK_NEVER && join(must, clock, step->source);
}

static bool join_sources(const ser_must *must, uint32_t *clock, uint32_t earlier)
{
    uint32_t end = ser_task_move_end(must->task, earlier);
    for (uint32_t i = ser_task_move_first(must->task, earlier); i < end; i++)
        if (!join_source(must, clock, i))
            return false;
    return true;
}

/* No read of the move is broken so that its thread stops. */
static bool join_its_sources(const ser_must *must, uint32_t *clock, uint32_t earlier)
{
    bool may_be_changed = must->task->may_change && !ser_limits_stop(&must->limits, earlier);
    return may_be_changed || join_sources(must, clock, earlier);
}

/* No move of the list is changed. */
static bool join_limited(const ser_must *must, uint32_t *clock, ser_limited limited)
{
    for (uint32_t i = 0; i < limited.count; i++)
        if (!join_sources(must, clock, limited.moves[i]))
            return false;
    return true;
}

static bool join_limits(const ser_must *must, uint32_t *clock, uint32_t number)
{
    if (!join_limited(must, clock, ser_limits_at(&must->limits, number)))
        return false;
    uint32_t last = must->task->steps.items[number].ends;
    return last == SER_TASK_NONE ||
           join_limited(must, clock,
                        ser_limits_at_end(&must->limits, must->task->steps.items[last].thread));
}

/* The step comes after the one before it in its thread, and what comes before that. */
static void follow(const ser_must *must, uint32_t number)
{
    const ser_task *task = must->task;
    uint32_t thread = task->steps.items[number].thread, *clock = clock_of(must, number);
    memcpy(clock, clock_of(must, number - 1), task->threads.count * sizeof *clock);
    clock[thread] = number - task->threads.items[thread].first;
}

/* All threads that leave a barrier need the same steps: these are looked at once. */
static bool join_needs(ser_must *must, uint32_t *clock, ser_step_list needs)
{
    const ser_task *task = must->task;
    bool known = needs.first == must->shared.first && needs.count == must->shared.count;
    if (needs.count && !known) {
        must->shared = (ser_step_list){0, 0};
        memset(must->shared_clock, 0, task->threads.count * sizeof *must->shared_clock);
        for (uint32_t i = 0; i < needs.count; i++)
            if (!join(must, must->shared_clock, task->lists.items[needs.first + i]) ||
                !join_its_sources(must, must->shared_clock, task->lists.items[needs.first + i]))
                return false;
        must->shared = needs;
    }
    if (needs.count)
        raise_clock(must, clock, must->shared_clock);
    return true;
}

/* Makes the clock of a step; false if something before it was not handled yet. */
static bool handle(ser_must *must, uint32_t number)
{
    const ser_task *task = must->task;
    const ser_task_step *step = &task->steps.items[number];
    uint32_t *clock = clock_of(must, number);
    bool is_first = number == task->threads.items[step->thread].first;
    if (is_first)
        memset(clock, 0, task->threads.count * sizeof *clock);
    else
        follow(must, number);
    if (!is_first && task->steps.items[number - 1].joined)
        return true; /* within a move nothing else happens */
    if (!is_first && !join_its_sources(must, clock, number - 1))
        return false;
    if (task->may_change && !join_limits(must, clock, number))
        return false;
    return join_needs(must, clock, step->needs);
}

void ser_must_init(ser_must *must, const ser_task *task)
{
    size_t threads = task->threads.count;
    must->task = task;
    if (task->may_change)
        ser_limits_init(&must->limits, task);
    must->clocks = ser_resize(NULL, task->steps.count * threads + 1, sizeof *must->clocks);
    must->possible = ser_alloc(threads + 1, sizeof *must->possible);
    must->shared = (ser_step_list){0, 0};
    must->shared_clock = ser_alloc(threads + 1, sizeof *must->shared_clock);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t t = 0; t < threads; t++) {
            const ser_task_thread *thread = &task->threads.items[t];
            while (must->possible[t] < thread->count &&
                   handle(must, thread->first + must->possible[t])) {
                must->possible[t]++;
                changed = true;
            }
        }
    }
    free(must->shared_clock);
    must->shared_clock = NULL;
}

void ser_must_fini(ser_must *must)
{
    if (must->task->may_change)
        ser_limits_fini(&must->limits);
    free(must->clocks);
    free(must->possible);
}
