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
 * Cost: O(1) per access; otherwise O(what is held, waits, or is inside of the barrier).
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

typedef struct ser_checkpoint {
    bool keeps_threads;
    ser_past_events holds;           /* acquires, re-entrant ones too */
    ser_past_events waits, notifies; /* by number */
    SER_VECTOR(ser_past_round)
    rounds;                     /* in which somebody is inside, or that are the newest of
                                   their barrier and open; by number */
    ser_past_events posts;      /* one per semaphore with posts that are left */
    ser_past_events frees;      /* the last one per variable */
    SER_VECTOR(uint32_t) freed; /* by variable: 1 + its place in frees; 0: it was not */
    ser_past_event late;        /* number 0: there was none */
    ser_past_events threads;    /* forks and joins */
    ser_past_events opens;      /* begins and calls */
} ser_checkpoint;

/* An all-zero one is that before the first event. */
void ser_checkpoint_fini(ser_checkpoint *checkpoint);

/* What needs more than a look. */
void ser_checkpoint_take_other(ser_checkpoint *checkpoint, const ser_event *event, uint64_t number);

/* The next event has happened. */
static inline void ser_checkpoint_take(ser_checkpoint *checkpoint, const ser_event *event,
                                       uint64_t number)
{
    bool is_plain = ser_op_is_access((ser_op)event->op) && !ser_op_frees((ser_op)event->op) &&
                    !(event->flags & SER_EVENT_LATE);
    if (!is_plain || checkpoint->waits.count)
        ser_checkpoint_take_other(checkpoint, event, number);
}

/* All of them, by number; to be freed. */
void ser_checkpoint_list(const ser_checkpoint *checkpoint, ser_past_events *events);

#endif
