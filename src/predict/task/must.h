/* SPDX-License-Identifier: MIT */
/*
 * must.h - what holds in every run of a task: which steps can happen at all, and
 * which of two steps comes first whenever the second happens.
 *
 * A step comes after the one before it in its thread and after its needs; and since
 * a broken read stops its thread, whatever follows a read comes after the read's
 * source, too. What comes after a step of a move comes after all of the move, and after
 * the sources of all its reads. Where reads may change that holds from the read's limit on,
 * which may be the end that a join needs, and for reads that accept nothing else. The transitive
 * closure is kept as vector clocks. (More may hold in every run, by locks say; finding that out is
 * the solver's work.)
 *
 * Memory: 4 bytes for each step and thread. Read-only once made.
 */
#ifndef SER_PREDICT_TASK_MUST_H
#define SER_PREDICT_TASK_MUST_H

#include "predict/task/limits.h"

typedef struct ser_must {
    const ser_task *task;
    ser_limits limits;  /* if the task may_change */
    uint32_t *clocks;   /* clocks[step * threads + t]: how many steps of thread t come first */
    uint32_t *possible; /* how many steps of each thread can happen */
    /* While it is made: the clock of a list of needs that others may share. */
    ser_step_list shared;
    uint32_t *shared_clock;
} ser_must;

/* How many bytes it takes. */
static inline size_t ser_must_bytes(const ser_task *task)
{
    return task->steps.count * task->threads.count * sizeof(uint32_t);
}

/* Cost: O(steps * threads), and the needs lists times threads, each list once that steps of
 * several threads have in common. */
void ser_must_init(ser_must *must, const ser_task *task);
void ser_must_fini(ser_must *must);

static inline bool ser_must_can_happen(const ser_must *must, uint32_t step)
{
    uint32_t thread = must->task->steps.items[step].thread;
    return step - must->task->threads.items[thread].first < must->possible[thread];
}

/* How many steps of the thread come before the step whenever it happens. */
static inline uint32_t ser_must_count(const ser_must *must, uint32_t thread, uint32_t step)
{
    return must->clocks[(size_t)step * must->task->threads.count + thread];
}

/* If b happens, a has happened before it. Both steps must be possible. O(1). */
static inline bool ser_must_precede(const ser_must *must, uint32_t a, uint32_t b)
{
    uint32_t thread = must->task->steps.items[a].thread;
    return ser_must_count(must, thread, b) > a - must->task->threads.items[thread].first;
}

#endif
