/* SPDX-License-Identifier: MIT */
/*
 * run.h - the observed run in memory, with its structure: threads and their events, atomic blocks,
 * critical sections, and couples (reads-from edges: a read and the write it saw, a wait and the
 * notify that woke it, ...).
 *
 * Events are named by their number, from 1; 0 stands for none. Events without effect (skip) keep
 * their number and are in no thread's list. An event with SER_EVENT_JOINED is always followed by
 * the next event of the same multi-variable access, called a step. If an event of a step has
 * SER_EVENT_LATE, the first of the step has it here, and no other.
 *
 * Memory: about 52 bytes per event, and 4 more per call and return. Read-only once loaded, so
 * threads may share it.
 */
#ifndef SER_ORDER_RUN_H
#define SER_ORDER_RUN_H

#include "base/status.h"
#include "base/vector.h"
#include "trace/event.h"
#include "trace/reads.h"
#include "trace/symbols.h"

typedef SER_VECTOR(uint32_t) ser_event_list;

typedef struct ser_run_thread {
    ser_event_list events; /* events.items[i] has eid i + 1 */
    ser_event_list calls;  /* those of them that are calls and returns */
    uint32_t fork;         /* 0: it has no fork */
    uint32_t possible;     /* how many of its events can happen in an interleaving (freed.h) */
    uint32_t number;       /* in the order of creation; SER_NO_OBJECT: not known
                              (ser_symbols_thread_number) */
} ser_run_thread;

/* One lock that a thread holds: a list that grows at its head and shares tails. It may also
 * have some that are released: see ser_run_held. */
typedef struct ser_held {
    uint32_t acquire; /* the event; its object is the lock */
    uint32_t next;    /* 0 ends the list */
} ser_held;

typedef struct ser_run_block {
    uint32_t thread;
    uint32_t begin, end; /* first and last event; end 0: still open at the end of the trace */
    ser_block_kind kind; /* as its first event suggests, unless the caller sets it */
    uint32_t spared;     /* events of its thread within it that the run does not have */
} ser_run_block;

/* A step of several events. */
typedef struct ser_run_step {
    uint32_t first, last;
    bool reads_other; /* one of them is a read of what another thread wrote */
} ser_run_step;

typedef struct ser_run {
    const ser_symbols *symbols;
    uint32_t count;    /* events 1 .. count */
    ser_event *events; /* events[1 .. count] */
    uint32_t *eid;     /* number within its thread, from 1; 0 for skipped events */
    /*
     * couple[e], 0 for none:
     *   read, rmw    the write (or rmw) it read from; 0: the initial value
     *   wait         the notify that woke it; 0: it woke by itself, or never
     *   take         the post that served it; 0: the initial stock
     *   tryfail      an acquire that held the lock
     */
    uint32_t *couple;
    /*
     * match[e], 0 for none (re-entrant inner acquires and releases have none):
     *   acquire      its release; 0: never released
     *   release      its acquire
     *   depart       the first arrival of its round
     *   arrive       the next arrival of the same round
     *   notify       the first wait coupled with it
     *   wait         the next wait coupled with the same notify
     *   call         the call that it is made in
     *   return       its call
     */
    uint32_t *match;
    uint32_t *block_of;         /* 1 + index of the block an event is in; 0: outside blocks */
    uint32_t *held;             /* of ser_run_held: where the list begins */
    uint32_t failed_tries;      /* how many there are */
    uint32_t joined;            /* events with SER_EVENT_JOINED */
    uint32_t late;              /* steps with SER_EVENT_LATE */
    bool frees;                 /* a variable is freed somewhere */
    bool tells_values;          /* an event has a value or a flow */
    SER_VECTOR(ser_held) holds; /* holds.items[0] is unused */
    bool sections_overlap;      /* lists of holds may have some that are released */
    SER_VECTOR(ser_run_thread) threads;
    SER_VECTOR(ser_run_block) blocks;
    SER_VECTOR(ser_run_step) steps; /* those of several events, in the order of the trace */
    const ser_reads *reads;         /* which reads may change; NULL: the model avp. Not owned */
    /* What its events are called in the trace (numbering.h); NULL: the same. Not owned. */
    const struct ser_numbering *numbering;
} ser_run;

/* Builds a run out of validated and marked events, batch by batch. */
typedef struct ser_run_builder ser_run_builder;

ser_run_builder *ser_run_builder_create(const ser_symbols *symbols);
/* SER_INPUT if the trace is too long (more than 2^32 - 2 events). */
ser_status ser_run_builder_add(ser_run_builder *builder, const ser_event *events, size_t count,
                               ser_error *error);
/* The finished run; the builder is gone. */
ser_run *ser_run_builder_finish(ser_run_builder *builder);
/* Instead of finish; accepts NULL. */
void ser_run_builder_discard(ser_run_builder *builder);

void ser_run_destroy(ser_run *run);

/* The thread with that number of creation; false if there is none. */
bool ser_run_find_thread(const ser_run *run, uint32_t number, uint32_t *thread);

/* The locks that an event's thread holds after it: as long as `held` is not 0,
 * holds.items[held].acquire is one, and ser_run_next_held gives the next. */
static inline uint32_t ser_run_first_held(const ser_run *run, uint32_t event, uint32_t held)
{
    while (held && run->sections_overlap) {
        uint32_t release = run->match[run->holds.items[held].acquire];
        if (!release || release > event)
            break;
        held = run->holds.items[held].next;
    }
    return held;
}

static inline uint32_t ser_run_held(const ser_run *run, uint32_t event)
{
    return ser_run_first_held(run, event, run->held[event]);
}

static inline uint32_t ser_run_next_held(const ser_run *run, uint32_t event, uint32_t held)
{
    return ser_run_first_held(run, event, run->holds.items[held].next);
}

/* The event whose function and place name a block: its first one; of a span of locks that a
 * function has begun for its caller, the first in the caller; of a check that a function makes for
 * its caller, the call of that. O(events of the block's thread in
 * it). */
uint32_t ser_run_naming_event(const ser_run *run, uint32_t block);

/* The call in which an event lies that a small function without events of its calls makes, such as
 * one that only locks; or the call of which a function takes a lock and returns before anything is
 * accessed; 0: it is no such event. */
uint32_t ser_run_wrapped_in(const ser_run *run, uint32_t event);

/* The event of a thread with that eid (from 1 to the thread's number of events). */
static inline uint32_t ser_run_at(const ser_run *run, uint32_t thread, uint32_t eid)
{
    return run->threads.items[thread].events.items[eid - 1];
}

/* The event before or after in its thread; 0 if there is none. */
static inline uint32_t ser_run_previous(const ser_run *run, uint32_t event)
{
    uint32_t eid = run->eid[event];
    return eid > 1 ? ser_run_at(run, run->events[event].thread, eid - 1) : 0;
}

/* The innermost call that the event is in; of a call, what it is made in. 0: none that is known.
 * O(log calls). */
uint32_t ser_run_call_around(const ser_run *run, uint32_t event);

/* The end of a call; 0: it does not end, or is longer than anybody wants to know. */
uint32_t ser_run_return_of(const ser_run *run, uint32_t call);

/* Where it was called; SER_NO_SITE: not known. A return is at the place that it goes back to. */
uint32_t ser_run_called_at(const ser_run *run, uint32_t call);

static inline uint32_t ser_run_next(const ser_run *run, uint32_t event)
{
    uint32_t thread = run->events[event].thread, eid = run->eid[event];
    return eid < run->threads.items[thread].events.count ? ser_run_at(run, thread, eid + 1) : 0;
}

static inline bool ser_run_is_joined(const ser_run *run, uint32_t event)
{
    return run->events[event].flags & SER_EVENT_JOINED;
}

/* Of the first event of a step: must the step come after everything that precedes it in the trace?
 */
static inline bool ser_run_is_late(const ser_run *run, uint32_t event)
{
    return run->events[event].flags & SER_EVENT_LATE;
}

/* The step of several events that an event is part of; NULL if it is one alone. O(log steps). */
const ser_run_step *ser_run_find_step(const ser_run *run, uint32_t event);

/* The first and the last event of the step that an event is part of; mostly itself. */
static inline uint32_t ser_run_step_first(const ser_run *run, uint32_t event)
{
    bool alone = event <= 1 || !ser_run_is_joined(run, event - 1);
    return alone ? event : ser_run_find_step(run, event)->first;
}

static inline uint32_t ser_run_step_last(const ser_run *run, uint32_t event)
{
    return ser_run_is_joined(run, event) ? ser_run_find_step(run, event)->last : event;
}

/* Does an event of the step read what another thread wrote, or see another thread's lock? */
bool ser_run_step_reads_other(const ser_run *run, uint32_t event);

/* The last event of a thread before an event of another one, by their numbers; 0 if there
 * is none. O(log events). */
uint32_t ser_run_last_before(const ser_run *run, uint32_t thread, uint32_t event);

/* Was the wait pending just before the notify in the observed run? */
bool ser_run_pending_at(const ser_run *run, uint32_t wait, uint32_t notify);

#endif
