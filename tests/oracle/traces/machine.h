/* SPDX-License-Identifier: MIT */
/*
 * machine.h - inside of random_trace: threads, locks, and the moves they make.
 *
 * A move either appends events that are well-formed in the machine's state and
 * returns true, or changes nothing and returns false.
 */
#ifndef SER_ORACLE_MACHINE_H
#define SER_ORACLE_MACHINE_H

#include "operations.h"
#include "random.h"
#include "random_trace.h"

enum {
    MOST_THREADS = trace_most_names,
    MOST_LOCKS = 16,
    BARRIERS = 2,
    MOST_CALLS = 4,
    MOVE_COUNT = 21
};

typedef struct thread_state {
    bool must_be_forked, forked, never_runs, joined;
    uint32_t depth; /* open begins */
    bool closing;   /* releases its locks, then ends its block */
    bool waiting;
    bool reacquires; /* its next step acquires reacquired */
    bool arrived;    /* its next step departs from barrier */
    bool awaited;    /* what it waits for has happened */
    uint32_t condition, reacquired, barrier;
    uint32_t calls[MOST_CALLS];
    uint32_t call_count;
} thread_state;

typedef struct lock_state {
    uint32_t holder, depth;        /* exclusive */
    uint32_t shared[MOST_THREADS]; /* depth of each thread */
    uint32_t shared_count;         /* threads whose depth is not 0 */
} lock_state;

typedef struct machine machine;

struct machine {
    random_source random;
    event_list *events;
    uint32_t wanted; /* length of the trace */
    thread_state threads[MOST_THREADS];
    lock_state lock_states[MOST_LOCKS];
    bool barrier_used[BARRIERS];
    uint32_t weights[MOVE_COUNT];
    uint32_t thread_count, variables, locks, conditions;
    /* Chances in percent. */
    uint32_t stick;         /* the same thread goes on */
    uint32_t nest;          /* a begin within a block */
    uint32_t private_share; /* an access goes to the thread's own variable */
    uint32_t guarded;       /* an access is made under the variable's lock */
    uint32_t strict;        /* locks are kept to the end of the block */
    uint32_t quiet_until;   /* until there are so many events, all of that holds */
};

typedef struct move {
    bool (*make)(machine *m, uint32_t thread);
    uint32_t weight;
    uint32_t profiles; /* bit set of trace_profile */
    bool essential;
} move;

extern const move machine_moves[MOVE_COUNT];

/* Moves that a thread has committed itself to. */
bool machine_reacquire(machine *m, uint32_t thread);
bool machine_depart(machine *m, uint32_t thread, uint32_t barrier);
bool machine_close(machine *m, uint32_t thread);

/* Moves of locks (lock_moves.c). */
bool machine_acquire(machine *m, uint32_t thread, uint32_t lock);
bool machine_acquire_shared(machine *m, uint32_t thread, uint32_t lock);
bool machine_release(machine *m, uint32_t thread, uint32_t lock);
bool machine_release_shared(machine *m, uint32_t thread, uint32_t lock);
bool machine_release_any(machine *m, uint32_t thread);
bool machine_fail_try(machine *m, uint32_t thread, uint32_t lock);

bool machine_emit(machine *m, uint32_t thread, ser_op op, uint32_t object);

#endif
