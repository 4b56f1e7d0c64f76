/* SPDX-License-Identifier: MIT */
/*
 * turns.h - has another thread written a variable between a look at it and the act upon that look?
 *
 * Where a look and an act are all that makes a block, a violation by other data says nothing of
 * them. And threads of a lock-free algorithm wait until a slot has the number that is theirs, use
 * it, and store the next number: that nobody else writes in between is the art of the algorithm,
 * which no lock tells. So it counts that somebody did.
 */
#ifndef SER_SESSION_RUN_JUDGE_TURNS_H
#define SER_SESSION_RUN_JUDGE_TURNS_H

#include "order/run.h"

/* The accesses that show a violation, in its order. */
typedef struct ser_shown_path {
    const uint32_t *events;
    size_t count;
    const ser_event_list *order; /* of all events then; NULL: that of the run */
    const bool *spun;            /* by variable: as good as atomic (survey/spun.h); NULL: none */
} ser_shown_path;

/* Of accesses of one variable by one thread: has another one written it in between, as it is shown,
 * or in the run? Also true if the act is not in the order, as it comes after the violation.
 * O(events of the order). */
bool ser_came_between(const ser_run *run, const ser_shown_path *shown, uint32_t look, uint32_t act);

/* Are both atomic, or as good as that, and does the thread, right after the act, look at what it
 * wrote before the look? Whoever came between has written that as well: Lamport's fast mutex. */
bool ser_is_split(const ser_run *run, const ser_shown_path *shown, uint32_t read, uint32_t write);

/* Are both atomic, or as good as that, and has nobody come between? */
bool ser_may_have_turns(const ser_run *run, const ser_shown_path *shown, uint32_t read,
                        uint32_t write);

#endif
