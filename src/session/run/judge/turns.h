/* SPDX-License-Identifier: MIT */
/*
 * turns.h - does a thread that looks at an atomic variable and writes it later do so when it is its
 * turn?
 *
 * Threads of a lock-free algorithm wait until a slot has the number that is theirs, use it, and
 * store the next number. That nobody else writes in between is the art of the algorithm, which no
 * lock tells. So it counts that somebody did.
 */
#ifndef SER_SESSION_RUN_JUDGE_TURNS_H
#define SER_SESSION_RUN_JUDGE_TURNS_H

#include "order/run.h"

/* The accesses that show a violation, in its order. */
typedef struct ser_shown_path {
    const uint32_t *events;
    size_t count;
} ser_shown_path;

/* Of accesses of one variable by one thread: are both atomic, and has no other thread written it in
 * between, neither in the run nor as it is shown? O(events between them). */
bool ser_may_have_turns(const ser_run *run, const ser_shown_path *shown, uint32_t read,
                        uint32_t write);

#endif
