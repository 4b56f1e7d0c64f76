/* SPDX-License-Identifier: MIT */
/*
 * machine.h - executes tasks step by step, forwards and backwards.
 *
 * A machine holds the state of one run of a task (task.h) and what is known of the violation so
 * far. Engines that search explicitly are built on it: they choose threads; the machine makes
 * steps, and undoes them.
 *
 * Steps of a thread happen in order, so `next` says almost everything: a step has
 * happened iff its number is below the next of its thread. A move, mostly a single
 * step, is made as a whole.
 *
 * The violation (of the path criterion). An access outside the block, of another
 * thread, is *reached* if a path leads to it from the block: it conflicts with an
 * earlier access of the block or with an earlier reached access, or its thread has a
 * reached access already. The run violates the block once an access of the block
 * conflicts with an earlier reached one. Of a move outside the block all accesses are
 * reached if one is. All this only grows with the run. (Accesses of
 * the block's own thread cannot lie on such a path: before the block nothing is
 * reached by it, and after it nothing leads back.)
 *
 * Two states whose next, limit, stopped, changed, dirty, spoiled, reached, last_write and
 * marks are equal have the same future: holder and sharers follow from next. In the model avp
 * limit, changed and spoiled follow from stopped, and nothing that is read is dirty.
 *
 * Cost: ser_machine_step and ser_machine_undo O(steps of the move) and without allocation;
 * ser_machine_enabled O(length of needs and clear). Memory: about 30 bytes per step.
 * Not thread-safe; the task must outlive the machine and stay as it is.
 */
#ifndef SER_PREDICT_TASK_MACHINE_H
#define SER_PREDICT_TASK_MACHINE_H

#include "predict/task/task.h"

/* What is known of the accesses of a variable so far: bits of marks[]. */
typedef enum ser_mark {
    SER_MARK_BLOCK_READ = 1,
    SER_MARK_BLOCK_WRITE = 2,
    SER_MARK_REACHED_READ = 4,
    SER_MARK_REACHED_WRITE = 8,
} ser_mark;

/* A step that happened, with what it overwrote. */
typedef struct ser_machine_entry {
    uint32_t step;
    uint32_t write;  /* the variable's last write before */
    uint32_t holder; /* the lock's holder before */
    uint32_t limit;  /* its thread's before */
    uint8_t marks;   /* the variable's before */
    bool reached;    /* its thread's before */
    bool changed;    /* its thread's before */
    bool dirty;      /* the variable's before */
    bool broken;     /* its move was */
    bool wrote;
} ser_machine_entry;

typedef struct ser_machine {
    const ser_task *task;
    /* by thread */
    uint32_t *next;   /* its next step; one behind its last when all happened */
    uint32_t *limit;  /* of its broken reads: steps from this one on do not happen */
    bool *stopped;    /* it can take no step behind its last one, a broken read or test */
    bool *changed;    /* it has a broken read: what it writes is dirty */
    bool was_changed; /* the thread of the move at hand, before it */
    bool *reached;    /* it has a reached access */
    /* by lock */
    uint32_t *holder;  /* the thread that holds it exclusively, or SER_TASK_NONE */
    uint32_t *sharers; /* how many threads hold it shared */
    /* by variable */
    uint32_t *last_write; /* a step, or SER_TASK_START */
    bool *dirty;          /* that write is */
    uint8_t *marks;       /* ser_mark */
    uint32_t spoiled;     /* how many moves were broken */
    /* the run so far: log[0 .. depth) */
    ser_machine_entry *log;
    uint32_t depth;
    /* by step, fixed: see machine_survey.c */
    uint32_t *hold_end;
    bool *shares;
    struct ser_cycle_scratch *cycle; /* of ser_machine_on_cycle; NULL until it is called */
} ser_machine;

/* A machine in which nothing has happened. */
ser_machine *ser_machine_create(const ser_task *task);
void ser_machine_destroy(ser_machine *machine); /* accepts NULL */

/* Back to the state in which nothing has happened. O(size of the task). */
void ser_machine_reset(ser_machine *machine);

/* Has the thread a next step, below its limit? Its step is machine->next[thread]. */
static inline bool ser_machine_alive(const ser_machine *machine, uint32_t thread)
{
    const ser_task_thread *steps = &machine->task->threads.items[thread];
    return machine->next[thread] < machine->limit[thread] &&
           machine->next[thread] < steps->first + steps->count;
}

/* The next step of a thread that is alive. */
static inline const ser_task_step *ser_machine_next(const ser_machine *machine, uint32_t thread)
{
    return &machine->task->steps.items[machine->next[thread]];
}

static inline bool ser_machine_happened(const ser_machine *machine, uint32_t step)
{
    return step < machine->next[machine->task->steps.items[step].thread];
}

/* Is the thread alive, and may its next step happen now? */
bool ser_machine_enabled(const ser_machine *machine, uint32_t thread);

/* Would the next move of a thread that is alive be broken (changed) now? */
bool ser_machine_breaks(const ser_machine *machine, uint32_t thread);

/* Would the next move of a thread that is alive have a reached access, or one of the
 * block that completes a violation? */
bool ser_machine_reaches(const ser_machine *machine, uint32_t thread);

/* Makes the next move of a thread that is enabled. True if it completed a violation
 * (of the path criterion): it has an access of the block that is reached. */
bool ser_machine_step(ser_machine *machine, uint32_t thread);

/* Takes the last move back; one must have happened. */
void ser_machine_undo(ser_machine *machine);

/*
 * Does the run so far violate the block by the criterion of serializability: does
 * the block lie on a cycle of transactions, with edges between accesses that happened,
 * of different transactions, which conflict or are of one thread? Monotone: longer
 * runs keep their cycles. O(depth * number of transactions) at worst, mostly
 * O(depth).
 */
bool ser_machine_on_cycle(ser_machine *machine);

#endif
