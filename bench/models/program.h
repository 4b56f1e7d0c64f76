/* SPDX-License-Identifier: MIT */
/*
 * program.h - a made-up program: what each of its threads does, step by step.
 *
 * A model (models.h) writes the skeleton of each thread as a script: sections, waits,
 * the accesses that matter. Where the program would do more of the same it leaves a slot
 * with a weight. program_complete then shares out, by weight, what the wanted figures
 * leave: nested sections, accesses, calls. So the run comes out with exactly the wanted
 * numbers of events, whatever their division among the threads.
 *
 * The functions named do_... append to the script of the thread chosen by act_as.
 * Memory: owned by the program. Not thread-safe.
 */
#ifndef SER_BENCH_PROGRAM_H
#define SER_BENCH_PROGRAM_H

#include "base/vector.h"
#include "random.h"
#include "trace/event.h"

/* What a run is to have, or has: column 1 and 2 of the papers' tables. */
typedef struct figures {
    uint32_t threads, events, lock_events, locks, accesses, variables, waits_notifies, blocks;
} figures;

/* Objects with consecutive numbers. */
typedef struct range {
    uint32_t first, count;
} range;

typedef enum step_kind {
    STEP_EVENT,
    STEP_REACH,    /* the run has reached a milestone once more */
    STEP_AWAIT,    /* the scheduler holds the thread until a milestone was reached often enough */
    STEP_SECTIONS, /* slots */
    STEP_ACCESSES,
    STEP_CALLS,
} step_kind;

typedef struct step {
    step_kind kind;
    ser_op op;         /* of an event */
    uint32_t object;   /* its operand; the milestone; the lock of nested sections */
    uint32_t amount;   /* how often it was reached; the weight of a slot */
    range variables;   /* that a slot accesses */
    uint32_t writes;   /* percent of its accesses */
    const char *place; /* the function it stands in */
} step;

typedef SER_VECTOR(step) script;

typedef SER_VECTOR(char *) name_list;

typedef struct thread_script {
    script steps;
    SER_VECTOR(const char *) functions; /* entered and not yet left */
} thread_script;

typedef struct program {
    const figures *wanted;
    figures made;       /* slots not counted */
    uint32_t disturbed; /* how many blocks are to touch what no common lock guards */
    random_source random;
    uint32_t burst; /* mean number of steps until another thread goes on */
    SER_VECTOR(thread_script) threads;
    uint32_t current;
    /* A milestone is a condition: a wait reaches it. */
    name_list names[SER_SPACE_COUNT];
} program;

enum { MAIN = 0 };

/* With one thread, MAIN. */
program *program_create(const figures *wanted, uint64_t seed);
void program_destroy(program *p);

/* Part i of the parts into which total is divided as evenly as can be. */
uint32_t share(uint32_t total, uint32_t parts, uint32_t i);
range part_of(range all, uint32_t parts, uint32_t i);

/* --- objects: the name is a format that may take the number within the range ---------- */

range add_objects(program *p, ser_space space, uint32_t count, const char *name);
uint32_t add_object(program *p, ser_space space, const char *name);

/* --- steps ---------------------------------------------------------------------------- */

void act_as(program *p, uint32_t thread);

void do_enter(program *p, const char *function);
void do_leave(program *p);

/* Forks all threads but MAIN, or joins them. */
void do_fork(program *p, uint32_t thread);
void do_fork_all(program *p);
void do_join_all(program *p);

void do_read(program *p, uint32_t variable);
void do_write(program *p, uint32_t variable);
void do_update(program *p, uint32_t variable); /* read, then write */
/* Reads some variable, and updates one. */
void do_touch(program *p, range variables);
void do_write_all(program *p, range variables);
void do_read_all(program *p, range variables);

void do_acquire(program *p, uint32_t lock);
void do_release(program *p, uint32_t lock);

/* A section that is an atomic block. */
void do_open(program *p, uint32_t lock);
void do_close(program *p, uint32_t lock);

/* Gives the lock back, waits, takes the lock again. */
void do_wait(program *p, uint32_t lock, uint32_t condition);
void do_notify(program *p, uint32_t condition);
void do_notify_all(program *p, uint32_t condition);

/* No events; they choose among the runs that the scheduler could give. A wait on a
 * condition reaches it. */
void do_reach(program *p, uint32_t milestone);
void do_await(program *p, uint32_t milestone, uint32_t times);

/* --- slots ---------------------------------------------------------------------------- */

/* Sections within the present one, each with an update of one of the variables. */
void slot_sections(program *p, uint32_t lock, range variables, uint32_t weight);
void slot_accesses(program *p, range variables, uint32_t writes, uint32_t weight);
void slot_calls(program *p, uint32_t weight);

/* Fills the slots. An odd event that is left becomes a call of exit by MAIN. */
void program_complete(program *p);

#endif
