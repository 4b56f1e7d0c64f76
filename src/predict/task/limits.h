/* SPDX-License-Identifier: MIT */
/*
 * limits.h - which reads have to be unchanged for a step to happen.
 *
 * A step at the limit of a read demands that the read, and with it every read of its move, was not
 * changed (task.h); steps behind it come after it, and so demand the same. For tasks that
 * may_change only: in the model avp the preceding step decides. Read-only once made.
 */
#ifndef SER_PREDICT_TASK_LIMITS_H
#define SER_PREDICT_TASK_LIMITS_H

#include "predict/task/task.h"

typedef struct ser_limits {
    const ser_task *task;
    uint32_t *least; /* by first step of a move: its smallest limit, or SER_TASK_NONE */
    uint32_t *first; /* by step, then by thread for its end: where its list in `moves` begins */
    uint32_t *moves; /* first steps of moves, rising in each list */
} ser_limits;

/* Moves of the same limit. */
typedef struct ser_limited {
    const uint32_t *moves;
    uint32_t count;
} ser_limited;

/* O(steps + threads). */
void ser_limits_init(ser_limits *limits, const ser_task *task);
void ser_limits_fini(ser_limits *limits);

static inline ser_limited ser_limits_list(const ser_limits *limits, size_t slot)
{
    uint32_t first = limits->first[slot];
    return (ser_limited){limits->moves + first, limits->first[slot + 1] - first};
}

/* The moves of its thread whose limit is the step. */
static inline ser_limited ser_limits_at(const ser_limits *limits, uint32_t step)
{
    return ser_limits_list(limits, step);
}

/* Those whose limit is the thread's end, which a join needs. */
static inline ser_limited ser_limits_at_end(const ser_limits *limits, uint32_t thread)
{
    return ser_limits_list(limits, limits->task->steps.count + thread);
}

/* Those whose limit is what follows the step's move, a step or the end. */
static inline ser_limited ser_limits_behind(const ser_limits *limits, uint32_t step)
{
    uint32_t thread = limits->task->steps.items[step].thread;
    uint32_t end = ser_task_move_end(limits->task, step);
    const ser_task_thread *steps = &limits->task->threads.items[thread];
    return end < steps->first + steps->count ? ser_limits_at(limits, end)
                                             : ser_limits_at_end(limits, thread);
}

/* Does a thread stop at a move of it that is changed? Nothing that needs the move happens then. */
static inline bool ser_limits_stop(const ser_limits *limits, uint32_t step)
{
    return limits->least[ser_task_move_first(limits->task, step)] ==
           ser_task_move_end(limits->task, step);
}

#endif
