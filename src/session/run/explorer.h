/* SPDX-License-Identifier: MIT */
/*
 * explorer.h - many runs of a program, where prediction from one is not enough. Each is scheduled
 * differently: at random, by PCT, or towards an order of two conflicting places that was not seen
 * yet. From each run violations are predicted.
 */
#ifndef SER_SESSION_RUN_EXPLORER_H
#define SER_SESSION_RUN_EXPLORER_H

#include "session/run/job.h"

/* New runs for so many seconds, but at most `runs` of them (0: any number). What was found is
 * confirmed after that, by ser_run_conclude. */
ser_status ser_explore_program(ser_run_job *job, double seconds, uint64_t runs, ser_error *error);

#endif
