/* SPDX-License-Identifier: MIT */
/*
 * facts.h - what single events of a trace mean, found by looking back.
 *
 * Which transaction an event belongs to, which acquires and releases count,
 * which notify woke a waiter, which round of a barrier an arrival is part of,
 * which post served a semaphore's wait. Everything is read off the trace by
 * plain scans, since this is what fast engines are measured against.
 *
 * Events have their numbers, from 1; 0 is none. Blocks are the ones that are
 * marked (SER_EVENT_OPENS, SER_EVENT_CLOSES).
 */
#ifndef SER_ORACLE_FACTS_H
#define SER_ORACLE_FACTS_H

#include "operations.h"

typedef struct facts {
    ser_event *events; /* a copy with plain operations (operations.h); events[0] is event 1 */
    size_t count;
    size_t *transaction; /* number of the first event of its transaction; 0: takes no part */
    size_t *close;       /* by first event: the last one of that transaction; 0: it stays open */
    size_t *previous;    /* its thread's event before it */
    bool *inner;         /* of a re-entrant acquire or release */
    size_t *woken_by;    /* the notify that ended the wait its thread was in */
    size_t *round;       /* of an arrival or departure, counted from 1 for each barrier */
    size_t *post;        /* the post that a take used */
} facts;

/* The events must be well-formed. */
void facts_init(facts *f, const ser_event *events, size_t count);
void facts_fini(facts *f);

static inline const ser_event *event_at(const facts *f, size_t number)
{
    return &f->events[number - 1];
}

static inline bool takes_part(const facts *f, size_t number)
{
    return f->transaction[number] != 0;
}

/* Is it that operation on that object, and does it count (is not inner)? */
bool is_operation(const facts *f, size_t number, ser_op op, uint32_t object);

bool is_acquire_of(const facts *f, size_t number, uint32_t lock);
bool is_release_of(const facts *f, size_t number, uint32_t lock);

/* Does an acquire still hold its lock just before a later event? */
bool still_holds(const facts *f, size_t acquire, size_t later);

#endif
