/* SPDX-License-Identifier: MIT */
/*
 * avp_world.h - almost view-preserving interleavings by the definition, one step at
 * a time.
 *
 * A run starts with no event executed. A thread that has not stopped may execute
 * its next event e if its fork, where it has one, has been executed, and
 *   - e is join(u): u's fork, where it has one, and all of u's events have been
 *     executed, and u did not stop;
 *   - e is an acquire: no other thread holds the lock (a shared one: no other thread
 *     holds it exclusively);
 *   - the event before it was a coupled wait: its notify has been executed;
 *   - e is a notify: all waits coupled with it are pending, and no wait is pending on
 *     that condition which was not pending there in the trace;
 *   - e is a departure: all arrivals of its round have been executed;
 *   - e is a take: the post that served it has been executed;
 *   - e begins a step with a late event: all events before it in the trace have been
 *     executed, and no thread stopped at one of them.
 * A read whose current last write is not its observed one is broken: it happens, and
 * its thread stops and keeps its locks. A broken rmw does not write. A failed try is
 * broken unless the acquire that held the lock in the trace holds it.
 *
 * Events that are joined are one step: once the first of them has happened, nobody but
 * its thread may go on until all have. A read of the step is broken if what it reads is
 * not the observed write when the step starts, unless it reads from the step itself. If
 * one is, the thread stops behind the step, and no rmw of the step writes.
 *
 * The definition says that a broken rmw does not write. Really it may have written, and so may a
 * compare-exchange that failed in the trace, where it is a read. A world that is `careful` has
 * that: who reads its variable before the next write stops there, too.
 *
 * An access of a variable that was freed is its thread's last step: freed by an event that
 * happened before the step, or that the trace has before it.
 *
 * With an overlay of reads (trace/reads.h) a read that changed does not stop its thread but
 * limits it: eids at and behind `limit` do not happen, the thread's end being one more
 * eid. What the thread writes from then on is dirty, and changes every thread that reads it. A
 * changed rmw writes if the overlay says so. A late event happens only if nothing was
 * changed or broken before it.
 *
 * For small traces only; nothing is clever here, and nothing is shared with src/ but
 * the types of an event and of the overlay.
 */
#ifndef SER_ORACLE_AVP_WORLD_H
#define SER_ORACLE_AVP_WORLD_H

#include "facts.h"
#include "trace/reads.h"

enum { AVP_MOST_EVENTS = 64, AVP_MOST_THREADS = 8, AVP_MOST_VARIABLES = 8, AVP_MOST_BLOCKS = 64 };

typedef struct avp_thread {
    size_t events[AVP_MOST_EVENTS];
    size_t count;
    size_t fork; /* 0: none */
} avp_thread;

typedef struct avp_block {
    size_t begin; /* its first event */
    size_t accesses;
} avp_block;

typedef struct avp_world {
    facts facts;
    const ser_reads *reads; /* NULL: avp */
    bool careful;
    size_t threads, variables;
    avp_thread thread[AVP_MOST_THREADS];
    size_t eid[AVP_MOST_EVENTS + 1];    /* number within its thread, from 1; 0: takes no part */
    size_t source[AVP_MOST_EVENTS + 1]; /* of a read the write, of a failed try the acquire, of a
                                           wait the notify; 0: none */
    size_t step[AVP_MOST_EVENTS + 1];   /* the first event of its step */
    bool frees[AVP_MOST_EVENTS + 1];
    avp_block blocks[AVP_MOST_BLOCKS];
    size_t block_count;
} avp_world;

/* Where a run stands. Everything else follows from how far each thread is. */
typedef struct avp_state {
    uint8_t at[AVP_MOST_THREADS]; /* events executed */
    bool stopped[AVP_MOST_THREADS];
    uint8_t limit[AVP_MOST_THREADS]; /* the eid that may not happen; 0: none */
    bool changed[AVP_MOST_THREADS];  /* it has a changed read */
    bool was_changed;                /* the thread of the newest step, before it */
    bool failed[AVP_MOST_THREADS];   /* the rmws of its last step did not write */
    uint8_t last_write[AVP_MOST_VARIABLES];
    bool dirty[AVP_MOST_VARIABLES];    /* that write is */
    bool doubtful[AVP_MOST_VARIABLES]; /* if careful: a broken rmw may have written since */
    bool spoiled;                      /* there was a changed read or a broken try */
    uint8_t inside;                    /* 1 + the thread that is within a step; 0: none is */
    bool breaking;                     /* and a read of that step is broken */
    bool ending;                       /* and it accesses a freed or doubtful variable */
} avp_state;

/* False if the trace is too large. */
bool avp_world_init(avp_world *world, const ser_event *events, size_t count,
                    const ser_reads *reads);
void avp_world_fini(avp_world *world);

static inline const ser_event *avp_event(const avp_world *world, size_t number)
{
    return event_at(&world->facts, number);
}

/* The acquire by which the thread holds the lock in that mode; 0: it does not. */
size_t avp_held_by(const avp_world *world, const avp_state *state, size_t thread, uint32_t lock,
                   bool shared);

bool avp_executed(const avp_world *world, const avp_state *state, size_t event);

/* The event that the thread may execute now; 0 if there is none. */
size_t avp_next(const avp_world *world, const avp_state *state, size_t thread);

/* Would the event be a broken read or try? */
bool avp_breaks(const avp_world *world, const avp_state *state, size_t event);

/* Executes an event that avp_next has named. */
void avp_step(const avp_world *world, avp_state *state, size_t event);

static inline bool avp_is_access(const avp_world *world, size_t event)
{
    return is_access(avp_event(world, event));
}

/* Did the executed access write? */
bool avp_wrote(const avp_world *world, const avp_state *state, size_t event);

#endif
