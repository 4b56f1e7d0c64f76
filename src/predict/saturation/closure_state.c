/* SPDX-License-Identifier: MIT */
/* What a closure consists of: made and freed, begun anew, kept and taken back. */
#include "base/status.h"
#include "predict/saturation/closure_internal.h"

static void count_follower(ser_closure *closure, uint32_t step, uint32_t before)
{
    (void)step;
    closure->first_follower[before + 2]++;
}

static void add_follower(ser_closure *closure, uint32_t step, uint32_t before)
{
    closure->followers[closure->first_follower[before + 1]++] = step;
}

/* Sorted by counting: counts two places ahead, then starts one place ahead, which
 * filling moves to where the next step's begin. */
static void find_followers(ser_closure *closure)
{
    uint32_t count = (uint32_t)closure->task->steps.count;
    closure->first_follower = ser_alloc((size_t)count + 3, sizeof *closure->first_follower);
    for (uint32_t i = 0; i < count; i++)
        ser_closure_visit_before(closure, i, count_follower);
    for (uint32_t i = 2; i < count + 2; i++)
        closure->first_follower[i] += closure->first_follower[i - 1];
    closure->followers =
        ser_alloc((size_t)closure->first_follower[count + 1] + 1, sizeof *closure->followers);
    for (uint32_t i = 0; i < count; i++)
        ser_closure_visit_before(closure, i, add_follower);
}

void ser_closure_init(ser_closure *closure, const ser_must *must)
{
    const ser_task *task = must->task;
    *closure = (ser_closure){.task = task, .must = must};
    closure->demanded = ser_alloc(task->threads.count + 1, sizeof *closure->demanded);
    size_t size = task->steps.count * task->threads.count + 1;
    /* Those of a step are set when it is demanded. */
    closure->clocks = ser_resize(NULL, size, sizeof *closure->clocks);
    closure->saved_clocks = ser_resize(NULL, size, sizeof *closure->saved_clocks);
    closure->saved_demanded = ser_alloc(task->threads.count + 1, sizeof *closure->demanded);
    closure->arrows_from = ser_alloc(task->steps.count + 1, sizeof *closure->arrows_from);
    closure->is_grown = ser_alloc(task->steps.count + 1, sizeof *closure->is_grown);
    if (task->may_change) {
        closure->calm = ser_alloc(task->steps.count + 1, sizeof *closure->calm);
        closure->saved_calm = ser_alloc(task->steps.count + 1, sizeof *closure->calm);
        closure->clean = ser_alloc(task->threads.count + 1, sizeof *closure->clean);
        closure->saved_clean = ser_alloc(task->threads.count + 1, sizeof *closure->clean);
    }
    find_followers(closure);
}

void ser_closure_fini(ser_closure *closure)
{
    free(closure->followers);
    free(closure->first_follower);
    free(closure->demanded);
    free(closure->clocks);
    free(closure->arrows_from);
    free(closure->is_grown);
    free(closure->saved_demanded);
    free(closure->saved_clocks);
    free(closure->calm);
    free(closure->saved_calm);
    free(closure->clean);
    free(closure->saved_clean);
    ser_vector_free(&closure->calming);
    ser_vector_free(&closure->arrows);
    ser_vector_free(&closure->grown);
}

/* Takes arrows back, the newest first, until so many are left. */
static void drop_arrows(ser_closure *closure, size_t left)
{
    while (closure->arrows.count > left) {
        const ser_arrow *newest = &closure->arrows.items[--closure->arrows.count];
        closure->arrows_from[newest->from] = newest->next;
    }
}

void ser_closure_reset(ser_closure *closure, uint32_t end)
{
    memset(closure->demanded, 0, closure->task->threads.count * sizeof *closure->demanded);
    drop_arrows(closure, 0);
    ser_closure_forget_grown(closure);
    closure->impossible = false;
    closure->firm = SER_TASK_NONE;
    closure->calming.count = 0;
    if (closure->task->may_change) {
        memset(closure->calm, 0, closure->task->steps.count * sizeof *closure->calm);
        memset(closure->clean, 0, closure->task->threads.count * sizeof *closure->clean);
    }
    closure->end = ser_task_move_end(closure->task, end) - 1;
    ser_closure_demand(closure, end);
}

static void copy_clocks(const ser_closure *closure, const uint32_t *demanded, uint32_t *to,
                        const uint32_t *from)
{
    size_t threads = closure->task->threads.count;
    for (size_t t = 0; t < threads; t++) {
        size_t first = closure->task->threads.items[t].first * threads;
        memcpy(to + first, from + first, demanded[t] * threads * sizeof *to);
    }
}

void ser_closure_save(ser_closure *closure)
{
    ser_check(closure->firm == SER_TASK_NONE);
    size_t threads = closure->task->threads.count;
    memcpy(closure->saved_demanded, closure->demanded, threads * sizeof *closure->demanded);
    copy_clocks(closure, closure->demanded, closure->saved_clocks, closure->clocks);
    closure->saved_arrows = closure->arrows.count;
    closure->saved_impossible = closure->impossible;
    if (!closure->task->may_change)
        return;
    memcpy(closure->saved_calm, closure->calm, closure->task->steps.count * sizeof *closure->calm);
    memcpy(closure->saved_clean, closure->clean, threads * sizeof *closure->clean);
}

void ser_closure_restore(ser_closure *closure)
{
    size_t threads = closure->task->threads.count;
    ser_closure_forget_grown(closure);
    drop_arrows(closure, closure->saved_arrows);
    memcpy(closure->demanded, closure->saved_demanded, threads * sizeof *closure->demanded);
    copy_clocks(closure, closure->demanded, closure->clocks, closure->saved_clocks);
    closure->impossible = closure->saved_impossible;
    closure->firm = SER_TASK_NONE;
    closure->calming.count = 0;
    if (!closure->task->may_change)
        return;
    memcpy(closure->calm, closure->saved_calm, closure->task->steps.count * sizeof *closure->calm);
    memcpy(closure->clean, closure->saved_clean, threads * sizeof *closure->clean);
}
