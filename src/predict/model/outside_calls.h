/* SPDX-License-Identifier: MIT */
/*
 * outside_calls.h - where threads run code that is not recorded, and so may read any memory.
 *
 * The trace marks it by skip events (SER_FLOW_RAN, LEAVES, RETURNS). From LEAVES to RETURNS, or to
 * the thread's end, such code may run at any time. Read-only once found. O(events) to find.
 */
#ifndef SER_PREDICT_MODEL_OUTSIDE_CALLS_H
#define SER_PREDICT_MODEL_OUTSIDE_CALLS_H

#include "order/run.h"

typedef struct ser_outside_calls {
    const ser_run *run;
    SER_VECTOR(ser_event_list) marks; /* by thread: skip events, rising */
    bool *away;                       /* by event: its thread is outside; NULL: no thread ever is */
    ser_event_list threads;           /* that have marks */
    uint32_t *join;                   /* by thread: the event that joins it; 0: none */
} ser_outside_calls;

/* How outside code of other threads is ordered with a thread. */
typedef enum ser_outside_order {
    SER_OUTSIDE_BEFORE, /* all of it runs before the thread starts, or there is none */
    SER_OUTSIDE_AROUND, /* some of it runs when the thread has been joined */
    SER_OUTSIDE_DURING, /* some may run meanwhile */
} ser_outside_order;

void ser_outside_calls_init(ser_outside_calls *calls, const ser_run *run);
void ser_outside_calls_fini(ser_outside_calls *calls);

static inline bool ser_outside_is_away(const ser_outside_calls *calls, uint32_t event)
{
    return calls->away && calls->away[event];
}

/* O(threads with marks * (depth of forks + log events)). */
ser_outside_order ser_outside_order_of(const ser_outside_calls *calls, uint32_t thread);

#endif
