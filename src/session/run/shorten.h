/* SPDX-License-Identifier: MIT */
/*
 * shorten.h - finds failing runs with few context switches, which are easier to understand.
 *
 * The schedule of a run that failed is a list of turns. Parts of it are left out, larger ones
 * first (delta debugging), and the program is run with the rest: where the same failure comes with
 * fewer context switches, that run is the next one to shorten. A bounded number of runs.
 */
#ifndef SER_SESSION_RUN_SHORTEN_H
#define SER_SESSION_RUN_SHORTEN_H

#include "session/run/job.h"

/* Shortens all failures that happened in a run other than the first. Shorter runs become traces
 * of the report, after all others. */
ser_status ser_run_shorten_failures(ser_run_job *job, ser_error *error);

#endif
