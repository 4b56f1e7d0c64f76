/* SPDX-License-Identifier: MIT */
/*
 * world.h - one state of a task (task.h), with its fingerprint, and the way back.
 *
 * A state is where each thread stands and whether it has stopped, the last write of
 * each variable, and what a violation needs to know: by the path criterion which
 * variables the block has accessed, and which variables and threads a path out of it
 * has reached; by the criterion of serializability which transactions reach which
 * (relation.h). Which thread holds which lock follows from the threads' positions, but is
 * kept, too. All changes are logged so that they can be undone. Where reads may change, the limit
 * of each thread and whether it has a changed read are part of the state, and whether any has if
 * there are steps that ask for it.
 *
 * Equal states have equal fingerprints. A last write that no read to come has as its
 * source, or accepts it, counts as any other such write, so that more states are equal. So does
 * a dirty one, which changes every read.
 */
#ifndef SER_PREDICT_STATES_WORLD_H
#define SER_PREDICT_STATES_WORLD_H

#include "base/pairmap.h"
#include "predict/search.h"
#include "predict/states/relation.h"
#include "predict/states/visited.h"
#include "predict/task/task.h"
#include "predict/values/task_values.h"

/* What is known of a variable, as bits. */
enum {
    SER_BLOCK_READ = 1, /* the block has read it */
    SER_BLOCK_WROTE = 2,
    SER_PATH_READ = 4, /* an access on a path out of the block has read it */
    SER_PATH_WROTE = 8,
};

/* A last write that no read is content with, since it is dirty. */
#define SER_WORLD_DIRTY (SER_TASK_NONE - 1)

typedef struct ser_world_change {
    uint32_t *place;
    uint32_t old;
} ser_world_change;

typedef struct ser_world_mark {
    size_t changes, relation, readers;
    ser_fingerprint print;
} ser_world_mark;

/* A transaction that has read a variable since its last write: a list. */
typedef struct ser_state_reader {
    uint32_t transaction;
    uint32_t next; /* 1 + index; 0 ends the list */
} ser_state_reader;

/* A list of writes that reads accept, of those that a write is in. */
typedef struct ser_accepting {
    uint32_t list;
    uint32_t next; /* 1 + index; 0 ends the chain */
} ser_accepting;

/* What is left of a step's thread to do, from this step on; fixed. */
typedef struct ser_step_rest {
    uint32_t reads, writes; /* of the step's variable */
    uint32_t acquires;      /* of the step's lock */
    uint32_t previous;      /* the thread's access of the same variable before; SER_TASK_NONE */
} ser_step_rest;

typedef struct ser_world {
    const ser_task *task;
    ser_criterion criterion;
    ser_search_triple triple; /* of that criterion; to be set before the first step */
    ser_fingerprint print;

    /* Of each thread. */
    uint32_t *position; /* steps taken */
    uint32_t *limit;    /* of its broken reads: steps from this one on do not happen */
    uint32_t *stopped;  /* by its last step, a broken read or test */
    uint32_t *changed;  /* it has a broken read; not used in avp */
    uint32_t *reached;  /* it has an access on a path out of the block */

    /* Of each variable. */
    uint32_t *last_write;         /* a step, SER_TASK_START or SER_WORLD_DIRTY */
    uint32_t *shown_write;        /* last_write as the fingerprint has it */
    uint32_t *touched;            /* SER_BLOCK_* and SER_PATH_* */
    uint32_t *start_readers_left; /* reads to come that want what was there at the start */
    uint32_t *reads_left, *writes_left;

    /* Of each lock. */
    uint32_t *holder, *holding_step; /* thread and acquire (or SER_TASK_START); SER_TASK_NONE */
    uint32_t *sharers;               /* how many threads hold it shared */
    uint32_t *acquires_left;
    uint32_t *has_tests; /* the task has failed tries of it */

    /* Of each step. */
    uint32_t *readers_left;  /* of a write: reads to come that have it as source */
    uint32_t *blocks_notify; /* of a wait: some notify may have to wait until it is over */
    ser_step_rest *rest;

    uint32_t *shares; /* of each lock and thread: 1 + the shared acquire, SER_TASK_START, or 0 */
    uint32_t block_accesses_left;
    uint32_t violated;
    uint32_t lost;    /* the triple can no longer happen in its order */
    uint32_t spoiled; /* there was a broken read or test; not used if no step asks for it */

    /* Accepted writes; NULL if no read accepts any. */
    uint32_t *accept_list;     /* of each step: 1 + number of its list */
    uint32_t *accept_left;     /* of each list: reads to come that have it */
    uint32_t *accepting;       /* of each write: 1 + index of its first list in the chains */
    uint32_t *start_accepting; /* of each variable: the same of what was there at the start */
    SER_VECTOR(ser_accepting) chains;

    /* With values only (world_values.h). */
    const ser_task_values *values; /* NULL: without */
    uint32_t *held;                /* of each variable: the number of the value that its last write
                                      wrote instead of the recorded one; 0: it did not */
    uint32_t *altered;             /* of each step: the number of the value that it read instead of
                                      the recorded one, if a later step names it; 0: it did not */
    uint32_t *alters;              /* of each thread: 1: it has an altered read; 2: and one that is
                                      not data only */
    uint32_t triple_values[9];     /* what three accesses saw and left (world_triples.c) */
    uint64_t seen;                 /* what the read of the step that is being made has got */
    ser_pairmap value_numbers;     /* value -> its number, from 1 */
    SER_VECTOR(uint64_t) value_list; /* by number - 1 */

    /* Of the move that is being made; found when its first step is taken. */
    bool breaking; /* a read of it is broken */
    bool stopping; /* a variable of it is freed */
    bool reaching; /* an access of it is on a path out of the block */

    /* For serializability only. */
    ser_relation relation;
    uint32_t *transaction;       /* of each step, numbered from 0 */
    uint32_t *last_transaction;  /* of each thread: of its last access; SER_TASK_NONE */
    uint32_t *write_transaction; /* of each variable: of the last write; SER_TASK_NONE */
    uint32_t *read_by;           /* of each variable: head of the list of readers since */
    SER_VECTOR(ser_state_reader) readers;

    SER_VECTOR(uint32_t) order; /* steps taken */
    SER_VECTOR(ser_world_change) changes;
    SER_VECTOR(ser_world_mark) marks; /* one before each step taken */
} ser_world;

/* The bytes that a world of the task takes at least. */
size_t ser_world_bytes(const ser_task *task, ser_criterion criterion);

void ser_world_init(ser_world *world, const ser_task *task, ser_criterion criterion);
void ser_world_fini(ser_world *world);

/* The next step of a thread; SER_TASK_NONE if it has none below its limit. */
uint32_t ser_world_next(const ser_world *world, uint32_t thread);

/* May it happen now? */
bool ser_world_enabled(const ser_world *world, uint32_t step);

/*
 * How many steps of the thread may be taken now, as one move, such that their order
 * with all that other threads may still do has no effect; 0 if none can. One step:
 * an access that nothing to come conflicts with, a release, an acquire of a lock that
 * no other thread wants, a fork and the like. Several: a move of such accesses; a critical section,
 * whole, of a lock that is free now, all steps in which are quiet: others find the lock as it was.
 */
uint32_t ser_world_quiet_steps(const ser_world *world, uint32_t thread);

/* Would the move that begins with this step be broken now? */
bool ser_world_breaks(const ser_world *world, uint32_t first);

/* Is a variable of the move that begins with this step freed now? */
bool ser_world_uses_freed(const ser_world *world, uint32_t first);

/* Is the lock free for the step that acquires it? */
bool ser_world_is_lock_free(const ser_world *world, uint32_t step);

/* Takes a step that is enabled; world->violated says whether the block is violated. The
 * steps of a move (task.h) must be taken one after the other, and taken back so, too. */
void ser_world_take(ser_world *world, uint32_t step);

/* Takes the last step back. */
void ser_world_undo(ser_world *world);

/* Could steps to come still violate the block, as far as one sees at once? */
bool ser_world_is_hopeless(const ser_world *world);

#endif
