/* SPDX-License-Identifier: MIT */
/*
 * checkpoint.h - what of a trace's past still matters at a point of it, as events of the trace:
 * acquires without their release, waits that are pending and notifies that one of them may have
 * got, arrivals of threads that are inside of a barrier, posts that nobody has taken, what was
 * freed, the last ordered-last access; and where it is wanted (`keeps_threads`), which threads were
 * forked and joined and what they have opened and not closed.
 *
 * These events, in their order, leave whoever takes them in the state that the whole past leaves
 * behind, but for values and last writes of variables: a read after the point whose write lies
 * before it reads the value that its variable has there, like an initial value.
 *
 * For the native format, which has such points in files (trace/native/native_index.h), and for the
 * checker of witnesses (witness/from_checkpoint.h). What searches for violations has a state of its
 * own (stream/state.h), so that a mistake of one is seen by the other.
 *
 * Cost: O(1) per access; otherwise O(what the thread holds, who waits, or is inside of a barrier).
 */
#ifndef SER_TRACE_CHECKPOINT_H
#define SER_TRACE_CHECKPOINT_H

#include "base/vector.h"
#include "trace/event.h"

/* An event of the past. */
typedef struct ser_past_event {
    ser_event event;
    uint64_t number;
    uint64_t times; /* posts: how many are left of the semaphore; others: 1 */
    bool ends_wait; /* a wait: the thread waited before, until this event */
} ser_past_event;

typedef SER_VECTOR(ser_past_event) ser_past_events;

/* Of a barrier: threads inside of a round, and the departure that closed it, if one did. */
typedef struct ser_past_round {
    uint32_t barrier;
    ser_past_events inside;
    ser_past_event closing; /* number 0: it is open */
} ser_past_round;

/* What a thread has begun. */
typedef struct ser_past_thread {
    ser_past_events holds; /* acquires, re-entrant ones too */
    ser_past_events opens; /* begins and calls */
    bool waits;            /* its last event is a wait */
} ser_past_thread;

typedef struct ser_checkpoint {
    bool keeps_threads;
    SER_VECTOR(ser_past_thread) by_thread;
    ser_past_events waits, notifies; /* by number */
    SER_VECTOR(ser_past_round)
    rounds;                      /* in which somebody is inside, or that are the newest of
                                    their barrier and open; by number */
    ser_past_events posts;       /* the last one per semaphore; times 0: none is left */
    SER_VECTOR(uint32_t) posted; /* by semaphore: 1 + its place in posts; 0: none was */
    ser_past_events frees;       /* the last one per variable */
    SER_VECTOR(uint32_t) freed;  /* by variable: 1 + its place in frees; 0: it was not */
    ser_past_event late;         /* number 0: there was none */
    ser_past_events threads;     /* forks and joins */
} ser_checkpoint;

/* An all-zero one is that before the first event. */
void ser_checkpoint_fini(ser_checkpoint *checkpoint);

/* What needs more than a look. */
void ser_checkpoint_take_other(ser_checkpoint *checkpoint, const ser_event *event, uint64_t number);

/* The next event has happened. */
static inline void ser_checkpoint_take(ser_checkpoint *checkpoint, const ser_event *event,
                                       uint64_t number)
{
    unsigned roles = ser_op_roles((ser_op)event->op);
    bool is_access = (roles & (SER_READS | SER_WRITES)) && !(roles & SER_FREES);
    bool is_mark = (roles & (SER_OPENS | SER_CLOSES)) && !checkpoint->keeps_threads;
    bool waits = event->thread < checkpoint->by_thread.count &&
                 checkpoint->by_thread.items[event->thread].waits;
    if (!(is_access || is_mark) || event->flags & SER_EVENT_LATE || waits)
        ser_checkpoint_take_other(checkpoint, event, number);
}

/* The same for one that another checkpoint has (ser_checkpoint_list). */
void ser_checkpoint_take_past(ser_checkpoint *checkpoint, const ser_past_event *past);

/* All of them, by number; to be freed. */
void ser_checkpoint_list(const ser_checkpoint *checkpoint, ser_past_events *events);

#endif
