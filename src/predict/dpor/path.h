/* SPDX-License-Identifier: MIT */
/*
 * path.h - the run that the search stands at the end of: a machine, and the partial
 * order of the steps that happened.
 *
 * Two steps of different threads are *dependent* if their order may matter: they
 * conflict on a variable, they act on one lock so that one can hinder, help or (a
 * failed try) change the other, or one waits for the other by needs or clear, or one is unspoiled
 * and the other might be changed. A step
 * happens before another in the partial order if a chain of dependent steps and steps
 * of one thread leads from it to the other. Runs with the same partial order are
 * equivalent: all end in the same state and violate the block alike.
 *
 * Steps that are *futile* are not taken: no violation comes after them, and without
 * them everything else stays possible. Whether a step is futile can change only by a
 * step that it is dependent on, so for the search a futile step is simply disabled.
 * By the path criterion these are: the last access of the block that others can
 * conflict with, if it completes no violation; what follows it; any step that would
 * stop the block's thread; and a broken read or test of another thread that no path
 * has reached and at which the thread stops, unless it ends a wait that is in some step's clear
 * list.
 *
 * A move, mostly a single step, is taken as a whole; what is said of steps here is meant
 * of moves, which are named by their first step. All steps of a move have one clock, and
 * the depth of the first.
 *
 * A step is said to be *spoiling* if it overwrites what a read still wants to see.
 */
#ifndef SER_PREDICT_DPOR_PATH_H
#define SER_PREDICT_DPOR_PATH_H

#include "predict/search.h"
#include "predict/task/machine.h"

typedef struct ser_path {
    const ser_task *task;
    ser_machine *machine;
    uint32_t threads;
    bool prunes; /* some steps are futile: the criterion is the path */

    /* By step; valid for those that happened. A clock is a row of `threads` counters: how
     * many steps of each thread happened before the step, or are it. */
    uint32_t *clocks;
    uint32_t *depth;  /* how many steps happened earlier */
    uint32_t *before; /* the latest earlier step on the same variable or lock */
    uint32_t *heavy;  /* the same, of those that are not light */
    uint32_t *top;    /* by variable, then by lock: the latest step on it */

    uint32_t *unread; /* by step, then by variable for the start: reads left that want it */
    uint8_t *foreign; /* by variable: others than the block\'s thread read it (1), write it (2) */
    uint32_t last_chance;          /* the block's last move that others can conflict with */
    uint32_t *notify_first;        /* notifies[notify_first[s] .. notify_first[s + 1]): the steps */
    SER_VECTOR(uint32_t) notifies; /* that have s in their clear list */
} ser_path;

/* How a step e that happened bears on a dependent later step f of another thread, if e
 * and f could also come in the other order. */
typedef enum ser_race {
    SER_RACE_NONE,      /* f has to come after e */
    SER_RACE_PLAIN,     /* f could have come first, and can still happen */
    SER_RACE_DISABLING, /* f could have come first, and may be disabled or futile now */
} ser_race;

/* What a path for the task takes, in bytes. */
size_t ser_path_bytes(const ser_task *task);

ser_path *ser_path_create(const ser_task *task, ser_criterion criterion);
void ser_path_destroy(ser_path *path);

/* Can no run violate the block, whatever happens (by the path criterion)? */
static inline bool ser_path_is_hopeless(const ser_path *path)
{
    return path->last_chance == SER_TASK_NONE;
}

/* Is the step an access of the block that steps of other threads conflict with? */
bool ser_path_is_contested(const ser_path *path, uint32_t step);

/* Would the next step of the block's thread complete a violation now? */
bool ser_path_violates(const ser_path *path);

/* Is the thread's next step enabled, and not futile? */
bool ser_path_able(const ser_path *path, uint32_t thread);

/* Does the thread stand where steps are futile unless they complete a violation: at the
 * last chance of the block, or behind it? */
static inline bool ser_path_is_beyond_block(const ser_path *path, uint32_t thread)
{
    return path->prunes && thread == path->task->block_thread &&
           path->machine->next[thread] >= path->last_chance;
}

/* Would the next step of a thread that is alive spoil a read? */
bool ser_path_spoils(const ser_path *path, uint32_t thread);

/* Appends the steps of the thread's next move to the order. */
void ser_path_note_next(const ser_path *path, uint32_t thread, ser_answer *answer);

/* Takes the next step of a thread that is able. Its clock must have been written. */
void ser_path_take(ser_path *path, uint32_t thread);
void ser_path_undo(ser_path *path);

static inline uint32_t *ser_path_clock(const ser_path *path, uint32_t step)
{
    return path->clocks + (size_t)step * path->threads;
}

/* The number of a step within its thread, from 0. */
static inline uint32_t ser_path_index(const ser_path *path, uint32_t step)
{
    return step - path->task->threads.items[path->task->steps.items[step].thread].first;
}

/* Is the step among those that the clock counts? */
static inline bool ser_path_counts(const ser_path *path, const uint32_t *clock, uint32_t step)
{
    return clock[path->task->steps.items[step].thread] > ser_path_index(path, step);
}

/* Are two steps dependent that are next in different threads, and both enabled? */
bool ser_path_dependent(const ser_path *path, uint32_t one, uint32_t other);

/* The same for two steps on one variable or lock, whether enabled or not, and by that
 * variable or lock alone. */
bool ser_path_dependent_there(const ser_path *path, uint32_t one, uint32_t other);

/* Do they depend on each other because one is unspoiled, and the other reads or tests? */
bool ser_path_dependent_by_change(const ser_path *path, uint32_t one, uint32_t other);

ser_race ser_path_race(const ser_path *path, uint32_t earlier, uint32_t later);

/*
 * The steps that happened on the same variable or lock as a step, the newest first:
 *
 *     for (i = ser_path_newest(path, step); i != SER_TASK_NONE; i = ser_path_older(path, step, i))
 *
 * For a light step (a read, a shared acquire or release) others that are light are left
 * out: it is independent of them, and they may be many.
 */
uint32_t ser_path_newest(const ser_path *path, uint32_t step);
uint32_t ser_path_older(const ser_path *path, uint32_t step, uint32_t at);

/* Does the step come after all earlier ones on its variable or lock that matter to
 * later ones: a write, an exclusive acquire or release? */
bool ser_path_is_barrier(const ser_path *path, uint32_t step);

#endif
