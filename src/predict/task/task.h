/* SPDX-License-Identifier: MIT */
/*
 * task.h - the question "can this block be violated?" as engines get it.
 *
 * A task is a small closed world: the events of a segment as steps of threads,
 * with all that decides whether a step may happen. It is independent of traces, so it can be
 * handed to another thread, process or machine. Before the first step, the events
 * above the segment (the start) have happened in their observed order; what they
 * left behind is in the task: locks held, last writes.
 *
 * A step that could never happen here, because something it needs lies below the
 * segment, is left out together with all that follows it in its thread.
 *
 * What a run of a task is. Every thread takes its steps in order, and may stop at
 * any time. A step may happen if
 *   - all steps of its `needs` have happened, and at none of them its thread stopped as at a broken
 *     read;
 *   - no step of its `clear` list is pending: a step w is pending if it has happened
 *     and the step after it in its thread has not (or there is none);
 *   - it acquires a lock: no other thread holds it (a shared acquire: no other thread
 *     holds it exclusively). A thread that holds the lock already does not ask.
 *   - it is below the limits of its thread's broken reads so far;
 *   - it joins a thread (`ends`): no limit of that thread is its end;
 *   - it is `unspoiled`: no read and no test of the run is broken so far;
 *   - the step before it, or another one of its move, is no access of a variable of which a step
 *     of `freed_by` had happened before: a thread stops there as at a broken read.
 * A read is broken (in the model avp; else: changed) if the last write of its variable so far is
 * dirty, or is neither its `source` nor among its `accepts`: steps, or SER_TASK_START for
 * what the variable held before the first step, or SER_TASK_NEVER for a write that
 * cannot happen here. A broken read happens; its thread takes only steps below its `limit`, and
 * keeps its locks. In avp that is the next step, so that it stops for good. What a thread writes
 * behind a broken read is dirty. A broken read-modify-write writes if it `writes_anyway`: dirty,
 * unless it `writes_known` and its thread has no broken read before it. If not it writes nothing,
 * and its thread stops. A failed try-acquire (`tests`)
 * is broken if the acquire that holds the lock is not its source; it is no access, and its thread
 * stops.
 *
 * Steps that are `joined` to the next one of their thread are one move with it: all of
 * the move happen at one moment, in their order, and no thread may stop within it. Only
 * accesses are joined, all of a move read, write or do both; only its first step has needs or
 * a clear list, and only its last one is named in such lists. A read
 * in a move is broken if its source is no step of the move, and it is so by the last write
 * before the move. If one read is broken, all limits of the move count, none of them before the end
 * of the move, and the read-modify-writes of the move are all broken; they are alike in
 * whether they write.
 *
 * A run violates the block if there is a path s -> v1 -> ... -> vn -> t over accesses
 * that happened, n >= 1, s and t in the block, all vi outside, each link a conflict
 * (same variable, not both reads) or program order, in the order executed, and both ways
 * within a move.
 */
#ifndef SER_PREDICT_TASK_TASK_H
#define SER_PREDICT_TASK_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"
#include "predict/shard.h"

#define SER_TASK_START UINT32_MAX /* see above */
#define SER_TASK_NEVER (UINT32_MAX - 1)
#define SER_TASK_NONE  (UINT32_MAX - 2) /* no variable, no lock, no step */

typedef enum ser_access {
    SER_ACCESS_NONE,
    SER_ACCESS_READ,
    SER_ACCESS_WRITE,
    SER_ACCESS_RMW
} ser_access;

typedef enum ser_lock_action {
    SER_LOCK_NONE,
    SER_LOCK_ACQUIRE,
    SER_LOCK_RELEASE,
    SER_LOCK_ACQUIRE_SHARED,
    SER_LOCK_RELEASE_SHARED,
    SER_LOCK_TEST, /* a failed try-acquire */
} ser_lock_action;

/* A list of steps: task->lists[first .. first + count). */
typedef struct ser_step_list {
    uint32_t first, count;
} ser_step_list;

typedef struct ser_task_step {
    uint32_t event;  /* its number in the trace, for witnesses */
    uint32_t thread; /* of the task, from 0 */
    uint32_t variable;
    uint32_t lock;
    uint32_t source; /* READ, RMW, TEST: see above */
    uint32_t limit;  /* READ, RMW, TEST: a step of its thread, or the one behind the last, which is
                        the thread's end; SER_TASK_NONE: none */
    uint32_t ends;   /* a join: the last step of the thread; SER_TASK_NONE: it has none here */
    ser_step_list needs;
    ser_step_list clear;
    ser_step_list accepts; /* rising; SER_TASK_START, being large, is the last */
    uint8_t access;        /* ser_access */
    uint8_t action;        /* ser_lock_action; inner ones are NONE */
    bool in_block;
    bool joined;          /* one move with the next step */
    bool writes_anyway;   /* RMW: see above */
    bool writes_known;    /* the same */
    bool unspoiled;       /* see above */
    uint32_t transaction; /* number of the block or single event it belongs to; for the criterion
                             of serializability. Steps of one transaction are of one thread. */
} ser_task_step;

typedef struct ser_task_thread {
    uint32_t first, count; /* steps[first .. first + count) in program order */
} ser_task_thread;

typedef struct ser_task_lock {
    uint32_t holder; /* thread that holds it exclusively at the start; SER_TASK_NONE: none. A
                        test whose source is SER_TASK_START means that holder; without one it is
                        always broken, whichever thread shares the lock: sharers have no acquire to
                        name. */
    SER_VECTOR(uint32_t) sharers; /* threads that hold it shared at the start */
} ser_task_lock;

typedef struct ser_task {
    SER_VECTOR(ser_task_step) steps; /* grouped by thread, in program order */
    SER_VECTOR(ser_task_thread) threads;
    SER_VECTOR(uint32_t) lists;
    SER_VECTOR(ser_task_lock) locks;
    uint32_t variables;
    SER_VECTOR(ser_step_list)
    freed_by;           /* by variable: the steps that free it; empty if none does */
    bool has_moves;     /* some steps are joined */
    bool may_change;    /* the model is not avp: limits, accepts and dirty writes matter */
    bool has_unspoiled; /* some steps are */
    /* With moves: the first step of each step's move, and the one behind its last. May be NULL:
     * then they are looked for. */
    uint32_t *move_first, *move_end;
    const struct ser_task_values *values; /* of its steps (values/task_values.h), which the engine
                                             `states` then follows; mostly NULL. Not owned */
    uint32_t block_thread;
    uint32_t first_block_step, last_block_step; /* its first and last access here; SER_TASK_NONE
                                                   if it has none */
    ser_shard part; /* which part of the paths matters, if the others are looked for elsewhere;
                       0 of 0: all. An engine may look for all nevertheless */
    SER_VECTOR(uint32_t) start; /* trace events of the start, in observed order */
} ser_task;

/* Is the write, a step or SER_TASK_START, among those that a read accepts? */
bool ser_task_accepts(const ser_task *task, const ser_task_step *read, uint32_t write);

/* Does a read or test accept no write but its source? */
static inline bool ser_task_wants_source(const ser_task *task, const ser_task_step *read)
{
    return !read->accepts.count ||
           (read->accepts.count == 1 && task->lists.items[read->accepts.first] == read->source);
}

/* The first step of the move that a step is part of, and the one behind its last; of
 * most steps themselves and the next. */
static inline uint32_t ser_task_move_first(const ser_task *task, uint32_t step)
{
    if (task->move_first)
        return task->move_first[step];
    while (step > 0 && task->steps.items[step - 1].joined)
        step--;
    return step;
}

static inline uint32_t ser_task_move_end(const ser_task *task, uint32_t step)
{
    if (task->move_end)
        return task->move_end[step];
    while (task->steps.items[step].joined)
        step++;
    return step + 1;
}

/* The steps that free the variable of an access. */
static inline ser_step_list ser_task_frees_of(const ser_task *task, uint32_t access)
{
    uint32_t variable = task->steps.items[access].variable;
    return task->freed_by.count ? task->freed_by.items[variable] : (ser_step_list){0, 0};
}

/* Makes move_first and move_end, if there are moves. */
void ser_task_find_moves(ser_task *task);

void ser_task_destroy(ser_task *task);

#endif
