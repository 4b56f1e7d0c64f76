/* SPDX-License-Identifier: MIT */
/*
 * explorer.h - many runs of a program, for what cannot be predicted from one. Each is scheduled
 * differently: at random, by PCT, or towards an order of two conflicting places that was not seen
 * yet. From each run violations are predicted.
 */
#ifndef SER_SESSION_RUN_EXPLORER_H
#define SER_SESSION_RUN_EXPLORER_H

#include "session/run/job.h"

/* How long to go on with new runs. */
typedef struct ser_exploration {
    double seconds;    /* of all runs */
    double times;      /* not 0: of those after the first, and at least so many times as long as
                          that one and what was found out from it took */
    uint64_t least;    /* so many in any case, if ten seconds are enough for them */
    uint64_t runs;     /* at most so many; 0: any number */
    uint64_t patience; /* until so many in a row have shown nothing new; 0: never */
} ser_exploration;

/* What was found is confirmed after that, by ser_run_conclude. */
ser_status ser_explore_program(ser_run_job *job, const ser_exploration *limits, ser_error *error);

#endif
