/* SPDX-License-Identifier: MIT */
/*
 * state.h - what of the past still matters at a point of a trace: which locks are held, which
 * threads wait for which condition or are inside of which barrier, what is left in semaphores,
 * which variables were freed.
 *
 * Of variables nothing is remembered but that: a read whose write lies before the point reads the
 * value that its variable has there, like an initial value.
 *
 * A point is *clear* if it is known which notify wakes each thread that waits there: none that came
 * before. At other points a thread was woken and has not gone on yet, so that a later event decides
 * whose notify it was.
 *
 * Cost: O(1) per event, but for threads that wait for the same condition. Memory: what is held and
 * waits, a bit or two an object.
 */
#ifndef SER_STREAM_STATE_H
#define SER_STREAM_STATE_H

#include "base/vector.h"
#include "trace/checkpoint.h"
#include "trace/event.h"

/* An event that goes on having an effect: an acquire without its release, a wait. */
typedef struct ser_pending {
    ser_event event;
    uint64_t number;
    bool ends_wait; /* its thread waited before: until this event, which can then not come later */
} ser_pending;

typedef SER_VECTOR(ser_pending) ser_pending_list;

/* A condition, with those that wait for it and the notifies that one of them may have got. */
typedef struct ser_waiters {
    ser_pending_list waits, notifies;
} ser_waiters;

/* A thread that has arrived at a barrier and not departed. */
typedef struct ser_inside {
    ser_event arrival;
    uint64_t round;
} ser_inside;

typedef struct ser_stream_barrier {
    uint64_t round;                /* the newest one, from 1; 0: nobody has arrived */
    bool is_closed;                /* a thread has departed from it: the next arrival begins one */
    SER_VECTOR(ser_inside) inside; /* in the order of their arrivals, and so of rounds */
} ser_stream_barrier;

typedef struct ser_stream_state {
    ser_pending_list held; /* outermost acquires without their release */
    SER_VECTOR(ser_waiters) conditions;
    SER_VECTOR(uint32_t) waits_for; /* by thread: 1 + the condition; 0: it does not wait */
    SER_VECTOR(ser_stream_barrier) barriers;
    SER_VECTOR(uint32_t) stocks; /* by semaphore: posts without their take */
    size_t unclear;              /* conditions with notifies */
    uint64_t late;               /* the last ordered-last access; 0: there was none */
} ser_stream_state;

/* An all-zero state is that before the first event. */
void ser_stream_state_fini(ser_stream_state *state);

/* What needs more than a look. */
void ser_stream_state_take_other(ser_stream_state *state, const ser_event *event, uint64_t number);

/* The next event has happened. Accesses and marks change nothing, unless their thread has waited.
 */
static inline void ser_stream_state_take(ser_stream_state *state, const ser_event *event,
                                         uint64_t number)
{
    bool is_plain = ser_op_has((ser_op)event->op, SER_READS | SER_WRITES | SER_OPENS | SER_CLOSES);
    bool waits = event->thread < state->waits_for.count && state->waits_for.items[event->thread];
    if (!is_plain || event->flags & SER_EVENT_LATE || waits)
        ser_stream_state_take_other(state, event, number);
}

/* The same for what a checkpoint has of the past (trace/checkpoint.h). */
void ser_stream_state_take_past(ser_stream_state *state, const ser_past_event *past);

/* To be finished; of an all-zero state. */
void ser_stream_state_copy(ser_stream_state *copy, const ser_stream_state *state);

static inline bool ser_stream_state_is_clear(const ser_stream_state *state)
{
    return state->unclear == 0;
}

#endif
