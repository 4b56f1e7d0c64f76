/* SPDX-License-Identifier: MIT */
/*
 * closure.h - what a run must contain, and in which order, to end as demanded.
 *
 * A closure grows: steps are demanded, with all that must come before them (must.h),
 * and arrows are added between demanded steps. It is kept transitively closed, as
 * vector clocks. A demanded step happens; and it is not broken, unless it is the last
 * demanded one of its thread and not the `firm` one. The run ends with one step, `end`, which comes
 * after all others. Where reads may change, the moves that are not changed are those whose limit
 * is demanded, or that have to be `calm` for another reason: what an unchanged read sees, if it
 * accepts nothing else, has a thread with no changed read so far. A move (task.h) is demanded,
 * ordered and not broken as a whole: its first step has what comes before it, and its last step is
 * what others come after. If arrows close a circle, or something is demanded that cannot happen
 * before the end, the closure is impossible: no run is as demanded.
 *
 * Memory: 8 bytes for each step and thread. Not thread-safe.
 */
#ifndef SER_PREDICT_SATURATION_CLOSURE_H
#define SER_PREDICT_SATURATION_CLOSURE_H

#include "predict/task/must.h"

typedef struct ser_arrow {
    uint32_t from, to;
    uint32_t next; /* 1 + index of another arrow from the same step; 0: none */
} ser_arrow;

typedef struct ser_closure {
    const ser_task *task;
    const ser_must *must;
    uint32_t *followers, *first_follower; /* step s: followers[first_follower[s] ..
                                             first_follower[s + 1]): steps that need or read it */
    uint32_t end;                         /* the last step of its move */
    uint32_t firm;                        /* the first step of its move, or SER_TASK_NONE */
    uint32_t *demanded;                   /* by thread: so many of its steps, from the first on */
    uint32_t *clocks;                     /* of demanded steps; as in must.h */
    SER_VECTOR(ser_arrow) arrows;
    uint32_t *arrows_from;      /* by step: 1 + index of an arrow; 0: none */
    SER_VECTOR(uint32_t) grown; /* a heap by event: steps whose clocks are to be handed on */
    bool *is_grown;             /* by step: in the heap */
    bool impossible;
    /* if the task may_change */
    bool *calm;                   /* by first step of a move: demanded, and not changed */
    uint32_t *clean;              /* by thread: so many of its first steps are calm */
    SER_VECTOR(uint32_t) calming; /* moves that are calm since a moment ago */
    /* what ser_closure_save has kept */
    uint32_t *saved_demanded, *saved_clocks;
    size_t saved_arrows;
    bool saved_impossible, *saved_calm;
    uint32_t *saved_clean;
} ser_closure;

/* O(steps * threads). The task is must's. */
void ser_closure_init(ser_closure *closure, const ser_must *must);
void ser_closure_fini(ser_closure *closure);

/* Back to where nothing is demanded but that the run ends with this step. */
void ser_closure_reset(ser_closure *closure, uint32_t end);

/* Keeps what is demanded and known now, to which ser_closure_restore goes back. One state
 * is kept; reset leaves it behind. O(demanded steps * threads). */
void ser_closure_save(ser_closure *closure);
void ser_closure_restore(ser_closure *closure);

/* The step has to happen. O(threads) for each step that is new. */
void ser_closure_demand(ser_closure *closure, uint32_t step);

/* The step, a read or read-modify-write, has to happen and not to be broken. One such
 * demand is possible. */
void ser_closure_demand_unbroken(ser_closure *closure, uint32_t step);

/* Of a task that may_change: the first steps of the thread, so many, which are demanded, have no
 * changed read among them. */
void ser_closure_demand_clean(ser_closure *closure, uint32_t thread, uint32_t count);

/* a, which is demanded, has to come before b, which is, too; of one move it does as it is.
 * What follows from that is known after ser_closure_spread. */
void ser_closure_add(ser_closure *closure, uint32_t a, uint32_t b);

/* Closes transitively. O(threads + log steps) for each step that a clock is handed on to. */
void ser_closure_spread(ser_closure *closure);

static inline uint32_t ser_closure_place(const ser_closure *closure, uint32_t step)
{
    uint32_t thread = closure->task->steps.items[step].thread;
    return step - closure->task->threads.items[thread].first;
}

static inline bool ser_closure_demands(const ser_closure *closure, uint32_t step)
{
    uint32_t thread = closure->task->steps.items[step].thread;
    return ser_closure_place(closure, step) < closure->demanded[thread];
}

/* Is the step demanded, and not broken? */
static inline bool ser_closure_demands_unbroken(const ser_closure *closure, uint32_t step)
{
    const ser_task *task = closure->task;
    const ser_task_thread *thread = &task->threads.items[task->steps.items[step].thread];
    if (task->may_change)
        return closure->calm[ser_task_move_first(task, step)];
    return ser_task_move_end(task, step) - thread->first <
               closure->demanded[thread - task->threads.items] ||
           ser_task_move_first(task, step) == closure->firm;
}

/* Is it a read that is demanded and not broken, and that sees its source therefore? */
static inline bool ser_closure_fixes_source(const ser_closure *closure, uint32_t step)
{
    const ser_task_step *read = &closure->task->steps.items[step];
    return (read->access == SER_ACCESS_READ || read->access == SER_ACCESS_RMW) &&
           ser_closure_demands_unbroken(closure, step) &&
           ser_task_wants_source(closure->task, read);
}

/* How many steps of the thread are known to come before a demanded step. */
static inline uint32_t ser_closure_count(const ser_closure *closure, uint32_t thread, uint32_t step)
{
    return closure->clocks[(size_t)step * closure->task->threads.count + thread];
}

/* Is a known to come before b? Both are demanded. */
static inline bool ser_closure_knows(const ser_closure *closure, uint32_t a, uint32_t b)
{
    uint32_t thread = closure->task->steps.items[a].thread;
    return ser_closure_count(closure, thread, b) > ser_closure_place(closure, a);
}

#endif
