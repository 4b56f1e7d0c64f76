/* SPDX-License-Identifier: MIT */
/*
 * checker/observed.h - inside of the checker: reads-from edges and other partners of events in the
 * trace.
 *
 * Everything is found by one pass over the events, as the definition says, and without code of the
 * predictor.
 *
 * Events are named by their number, from 1; 0 stands for none. Memory: 12 bytes per event.
 * Read-only once found.
 */
#ifndef SER_WITNESS_CHECKER_OBSERVED_H
#define SER_WITNESS_CHECKER_OBSERVED_H

#include "base/vector.h"
#include "witness/checker/operations.h"

typedef SER_VECTOR(uint32_t) ser_event_numbers;

typedef struct ser_observed_thread {
    uint32_t first; /* its first event; 0: it has none */
    uint32_t fork;  /* 0: it has none */
} ser_observed_thread;

typedef struct ser_observed {
    const ser_event *events; /* events[1 .. count]; not owned */
    uint32_t count;
    SER_VECTOR(ser_observed_thread) threads;
    uint32_t *next; /* the thread's event after it */
    /*
     * source[e], 0 for none:
     *   read, rmw    the write (or rmw) it read from; 0: the initial value
     *   wait         the notify that woke it; 0: it woke by itself, or never
     *   take         the post that served it; 0: the initial stock
     *   tryfail      the acquire that held the lock; of several shared ones the latest
     *   depart       the first arrival of its round
     */
    uint32_t *source;
    /*
     * chain[e], 0 at the end:
     *   notify       the first of the waits it woke
     *   wait         the next wait that the same notify woke
     *   arrive       the next arrival of its round
     */
    uint32_t *chain;
    /* An access of a variable that was freed before it; NULL if nothing is freed. */
    bool *after_free;
    /* Operands are below these. */
    uint32_t variables, locks, conditions;
} ser_observed;

void ser_observed_init(ser_observed *observed, const ser_event *events, uint32_t count);
void ser_observed_fini(ser_observed *observed);

/* Is the event followed by another one of the same step? */
static inline bool ser_observed_is_joined(const ser_observed *observed, uint32_t event)
{
    const ser_event *now = &observed->events[event];
    return (now->flags & SER_EVENT_JOINED) && event < observed->count &&
           ser_checked_is_access(&now[1]) && now[1].thread == now->thread;
}

/* Was the wait pending in the observed trace when that event happened? */
bool ser_observed_pending_at(const ser_observed *observed, uint32_t wait, uint32_t event);

#endif
