/* SPDX-License-Identifier: MIT */
/*
 * task_definition.h - the definition in task.h, word by word, for tests: runs a task
 * step by step, looks for violations in a run, and tries all runs.
 *
 * A violation in a run stays one however the run goes on, so only runs that cannot
 * go on need to be looked at. For tasks of a dozen steps.
 */
#ifndef SER_TESTS_TASK_DEFINITION_H
#define SER_TESTS_TASK_DEFINITION_H

#include "predict/search.h"

enum { TASK_MOST = 256, TASK_MOST_THREADS = 8, TASK_MOST_LOCKS = 32 };

typedef struct task_run {
    const ser_task *task;
    uint32_t order[TASK_MOST];
    uint32_t count;
    uint32_t taken[TASK_MOST_THREADS]; /* steps by thread */
    bool happened[TASK_MOST], broken[TASK_MOST];
    uint32_t limit[TASK_MOST_THREADS]; /* of the thread's broken moves */
    bool changed[TASK_MOST_THREADS];   /* it has one */
    bool spoiled;                      /* some thread has */
    uint32_t last_write[TASK_MOST];    /* by variable */
    bool dirty[TASK_MOST];             /* that write is */
    /* By lock and thread: the acquire by which it holds the lock, or SER_TASK_START;
     * SER_TASK_NONE: it does not. */
    uint32_t exclusive[TASK_MOST_LOCKS][TASK_MOST_THREADS];
    uint32_t shared[TASK_MOST_LOCKS][TASK_MOST_THREADS];
} task_run;

static inline void task_run_init(task_run *run, const ser_task *task)
{
    memset(run, 0, sizeof *run);
    run->task = task;
    for (uint32_t v = 0; v < task->variables; v++)
        run->last_write[v] = SER_TASK_START;
    for (uint32_t t = 0; t < TASK_MOST_THREADS; t++)
        run->limit[t] = SER_TASK_NONE;
    for (uint32_t l = 0; l < task->locks.count; l++) {
        const ser_task_lock *lock = &task->locks.items[l];
        for (uint32_t t = 0; t < TASK_MOST_THREADS; t++)
            run->exclusive[l][t] = run->shared[l][t] = SER_TASK_NONE;
        if (lock->holder != SER_TASK_NONE)
            run->exclusive[l][lock->holder] = SER_TASK_START;
        for (size_t i = 0; i < lock->sharers.count; i++)
            run->shared[l][lock->sharers.items[i]] = SER_TASK_START;
    }
}

static inline bool task_run_pending(const task_run *run, uint32_t step)
{
    const ser_task_thread *thread = &run->task->threads.items[run->task->steps.items[step].thread];
    bool has_next = step + 1 < thread->first + thread->count;
    return run->happened[step] && !(has_next && run->happened[step + 1]);
}

static inline bool task_run_lock_allows(const task_run *run, const ser_task_step *step)
{
    bool exclusive = step->action == SER_LOCK_ACQUIRE;
    if (!exclusive && step->action != SER_LOCK_ACQUIRE_SHARED)
        return true;
    for (uint32_t t = 0; t < run->task->threads.count; t++) {
        if (t == step->thread)
            continue;
        if (run->exclusive[step->lock][t] != SER_TASK_NONE ||
            (exclusive && run->shared[step->lock][t] != SER_TASK_NONE))
            return false;
    }
    return true;
}

/* Did the step happen, and its thread not stop there? */
static inline bool task_run_meets(const task_run *run, uint32_t need)
{
    uint32_t limit = run->limit[run->task->steps.items[need].thread];
    bool stopped = run->broken[need] && limit <= ser_task_move_end(run->task, need);
    return run->happened[need] && !stopped;
}

/* Has the thread whose last step this is no limit at its end? */
static inline bool task_run_may_end(const task_run *run, uint32_t last)
{
    return last == SER_TASK_NONE || last + 1 < run->limit[run->task->steps.items[last].thread];
}

/* May the thread take its next step? */
static inline bool task_run_may_step(const task_run *run, uint32_t thread)
{
    const ser_task *task = run->task;
    if (run->taken[thread] >= task->threads.items[thread].count)
        return false;
    uint32_t number = task->threads.items[thread].first + run->taken[thread];
    const ser_task_step *step = &task->steps.items[number];
    if (number >= run->limit[thread] || !task_run_may_end(run, step->ends) ||
        (step->unspoiled && run->spoiled))
        return false;
    for (uint32_t i = 0; i < step->needs.count; i++)
        if (!task_run_meets(run, task->lists.items[step->needs.first + i]))
            return false;
    for (uint32_t i = 0; i < step->clear.count; i++)
        if (task_run_pending(run, task->lists.items[step->clear.first + i]))
            return false;
    return task_run_lock_allows(run, step);
}

static inline bool task_run_test_holds(const task_run *run, const ser_task_step *step)
{
    for (uint32_t t = 0; t < run->task->threads.count; t++)
        if (run->exclusive[step->lock][t] == step->source ||
            (step->source != SER_TASK_START && run->shared[step->lock][t] == step->source))
            return true;
    return false;
}

/* Does the read get what it may not get? */
static inline bool task_run_misses(const task_run *run, const ser_task_step *read)
{
    uint32_t last = run->last_write[read->variable];
    bool accepted = last == read->source;
    for (uint32_t i = 0; i < read->accepts.count; i++)
        accepted |= last == run->task->lists.items[read->accepts.first + i];
    return !accepted || run->dirty[read->variable];
}

/* Is a read of the move that starts here broken, or the test? */
static inline bool task_run_breaks(const task_run *run, uint32_t first)
{
    uint32_t end = ser_task_move_end(run->task, first);
    for (uint32_t i = first; i < end; i++) {
        const ser_task_step *step = &run->task->steps.items[i];
        bool reads = step->access == SER_ACCESS_READ || step->access == SER_ACCESS_RMW;
        bool from_move = first <= step->source && step->source < end;
        if (reads && !from_move && task_run_misses(run, step))
            return true;
        if (step->action == SER_LOCK_TEST && !task_run_test_holds(run, step))
            return true;
    }
    return false;
}

/* Does the step, which happens, write? */
static inline bool task_run_writes(const task_run *run, uint32_t number)
{
    const ser_task_step *step = &run->task->steps.items[number];
    return step->access == SER_ACCESS_WRITE ||
           (step->access == SER_ACCESS_RMW && (!run->broken[number] || step->writes_anyway));
}

static inline void task_run_take(task_run *run, uint32_t thread, bool broken)
{
    uint32_t number = run->task->threads.items[thread].first + run->taken[thread]++;
    const ser_task_step *step = &run->task->steps.items[number];
    run->happened[number] = true;
    run->broken[number] = broken;
    run->order[run->count++] = number;
    if (broken && step->limit < run->limit[thread])
        run->limit[thread] = step->limit;
    bool was_changed = run->changed[thread];
    run->changed[thread] |= broken;
    run->spoiled |= broken;
    if (task_run_writes(run, number)) {
        run->last_write[step->variable] = number;
        run->dirty[step->variable] =
            run->task->may_change && (step->writes_known ? was_changed : run->changed[thread]);
    }
    if (step->action == SER_LOCK_ACQUIRE)
        run->exclusive[step->lock][thread] = number;
    else if (step->action == SER_LOCK_ACQUIRE_SHARED)
        run->shared[step->lock][thread] = number;
    else if (step->action == SER_LOCK_RELEASE)
        run->exclusive[step->lock][thread] = SER_TASK_NONE;
    else if (step->action == SER_LOCK_RELEASE_SHARED)
        run->shared[step->lock][thread] = SER_TASK_NONE;
}

/* One move of the thread, mostly one step. */
static inline void task_run_step(task_run *run, uint32_t thread)
{
    uint32_t first = run->task->threads.items[thread].first + run->taken[thread];
    bool broken = task_run_breaks(run, first);
    for (uint32_t i = first; i < ser_task_move_end(run->task, first); i++)
        task_run_take(run, thread, broken);
}

/* Does a link lead from one executed access to another that was executed later? */
static inline bool task_run_links(const task_run *run, uint32_t from, uint32_t to)
{
    const ser_task_step *a = &run->task->steps.items[from], *b = &run->task->steps.items[to];
    if (!a->access || !b->access)
        return false;
    return a->thread == b->thread ||
           (a->variable == b->variable && (task_run_writes(run, from) || task_run_writes(run, to)));
}

/* By places of the order: a link to a later one, or within a move. */
static inline bool task_run_leads(const task_run *run, uint32_t i, uint32_t j)
{
    uint32_t from = run->order[i], to = run->order[j];
    if (ser_task_move_first(run->task, from) == ser_task_move_first(run->task, to))
        return true;
    return i < j && task_run_links(run, from, to);
}

/* By the path criterion: a link that leaves the block, links outside, one back. */
static inline bool task_run_has_path(const task_run *run)
{
    const ser_task_step *steps = run->task->steps.items;
    bool reached[TASK_MOST] = {false};
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t j = 0; j < run->count; j++)
            for (uint32_t i = 0; i < run->count; i++) {
                uint32_t from = run->order[i], to = run->order[j];
                if (reached[to] || !(reached[from] || steps[from].in_block) ||
                    !task_run_leads(run, i, j))
                    continue;
                if (steps[to].in_block && reached[from])
                    return true;
                changed |= reached[to] = !steps[to].in_block;
            }
    }
    return false;
}

static inline void task_run_mark(const task_run *run, uint32_t transaction, bool *marked)
{
    for (uint32_t i = 0; i < run->task->steps.count; i++)
        if (run->task->steps.items[i].transaction == transaction)
            marked[i] = true;
}

/* By serializability: marks the transactions to which links lead from the block, until
 * one leads back to it. */
static inline bool task_run_has_cycle(const task_run *run)
{
    const ser_task_step *steps = run->task->steps.items;
    bool marked[TASK_MOST] = {false};
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t j = 0; j < run->count; j++)
            for (uint32_t i = 0; i < j; i++) {
                uint32_t from = run->order[i], to = run->order[j];
                if (steps[from].transaction == steps[to].transaction || marked[to] ||
                    !(marked[from] || steps[from].in_block) || !task_run_links(run, from, to))
                    continue;
                if (steps[to].in_block)
                    return true;
                task_run_mark(run, steps[to].transaction, marked);
                changed = true;
            }
    }
    return false;
}

static inline bool task_run_violates(const task_run *run, ser_criterion criterion)
{
    return criterion == SER_CRITERION_PATH ? task_run_has_path(run) : task_run_has_cycle(run);
}

/* Does some run that goes on from here violate the block? */
static inline bool task_run_can_violate(const task_run *run, ser_criterion criterion)
{
    bool at_end = true;
    for (uint32_t t = 0; t < run->task->threads.count; t++) {
        if (!task_run_may_step(run, t))
            continue;
        task_run next = *run;
        task_run_step(&next, t);
        if (task_run_can_violate(&next, criterion))
            return true;
        at_end = false;
    }
    return at_end && task_run_violates(run, criterion);
}

/* Is it a run of the task, and does it violate the block? */
static inline bool task_order_violates(const ser_task *task, const uint32_t *order, size_t count,
                                       ser_criterion criterion)
{
    task_run run;
    task_run_init(&run, task);
    while (run.count < count) {
        uint32_t thread = task->steps.items[order[run.count]].thread;
        if (!task_run_may_step(&run, thread))
            return false;
        task_run_step(&run, thread);
    }
    for (size_t i = 0; i < count; i++)
        if (run.order[i] != order[i])
            return false;
    return run.count == count && task_run_violates(&run, criterion);
}

#endif
