/* SPDX-License-Identifier: MIT */
/*
 * trials.h - what is remembered of candidates over all runs of a job: how often each place was
 * tried, which runs were seen, and how long the trials may still take.
 */
#ifndef SER_SESSION_RUN_CANDIDATES_TRIALS_H
#define SER_SESSION_RUN_CANDIDATES_TRIALS_H

#include "base/names.h"
#include "base/vector.h"
#include "order/run.h"

typedef struct ser_trials {
    ser_names *places;            /* code of blocks; NULL: none yet */
    SER_VECTOR(unsigned) replays; /* by place */
    SER_VECTOR(uint64_t) runs;    /* that were predicted from: their paths (ser_trials_is_new) */
    unsigned derived;             /* of these: replays that took another path */
    unsigned probes;              /* that were made (probes.h) */
    unsigned files;               /* names that were given to replays */
    double until;                 /* by ser_clock_now(), nothing new is begun; 0: not set yet */
} ser_trials;

void ser_trials_fini(ser_trials *trials);

/* How often the code of the block with that first event was tried; valid until the next call. */
unsigned *ser_trials_of(ser_trials *trials, const ser_run *run, uint32_t begin);

/* Is there no run before in which all threads took the same paths? Notes it. What decides is the
 * operations of each thread and their places, not how threads were scheduled. O(events). */
bool ser_trials_is_new(ser_trials *trials, const ser_run *run);

#endif
