/* SPDX-License-Identifier: MIT */
/*
 * stale.h - does a block that looks at something, lets others in and then acts (SER_BLOCK_CHECK)
 * act upon what may have changed?
 *
 * What was looked at counts only if it is acted upon without a second look, and if some write of
 * another thread, or several of its kind in a row, would have led to another decision: a consumer
 * that has seen an item may take it as long as others only add items. To free memory is no such
 * act: what comes of it is a use of that memory.
 */
#ifndef SER_SESSION_RUN_JUDGE_STALE_H
#define SER_SESSION_RUN_JUDGE_STALE_H

#include "order/run.h"
#include "session/run/judge/turns.h"

typedef enum ser_staleness {
    SER_STALE_LOOKED_AGAIN, /* what is written was read again, though it is written anyway */
    SER_STALE_BUT_TRUE,     /* others do not change the decision */
    SER_STALE
} ser_staleness;

/* What is known about the run, and about the violation. */
typedef struct ser_stale_hints {
    const bool *racy;     /* by variable (survey/races.h) */
    const bool *own;      /* by variable: the C++ library's own (judge/library.h) */
    ser_shown_path path;  /* the events that show the violation */
    const ser_run *first; /* of the program; NULL: this is it, or it is gone */
} ser_stale_hints;

/* Of a block, by its index; hints: NULL for none. O(events) for a variable that is acted upon. */
ser_staleness ser_find_staleness(const ser_run *run, uint32_t block, const ser_stale_hints *hints);

/* Has the call that made a read returned before a write of the same thread, and kept to itself what
 * it saw, or has one of those around it? O(events of these calls and between them). */
bool ser_is_forgotten(const ser_run *run, uint32_t read, uint32_t write);

/* Has another thread read what the block had written before it came in between with the event, so
 * that it comes after what the block does, and not between look and act? */
bool ser_is_answer(const ser_run *run, uint32_t block, uint32_t event);

/* The critical section of a block that an event is in, by its first acquire; outside of any: the
 * event. If the block is itself a critical section: one inside of it, if there is any. */
uint32_t ser_section_of(const ser_run *run, uint32_t block, uint32_t event);

#endif
