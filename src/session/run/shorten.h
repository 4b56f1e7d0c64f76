/* SPDX-License-Identifier: MIT */
/*
 * shorten.h - runs that fail with as few context switches as possible: what a person has to read.
 *
 * The schedule of a run that failed is a list of turns. Parts of it are left out, larger ones
 * first (delta debugging), and the program is run with the rest: where the same failure comes with
 * fewer context switches, that run is the next one to shorten. A bounded number of runs.
 */
#ifndef SER_SESSION_RUN_SHORTEN_H
#define SER_SESSION_RUN_SHORTEN_H

#include "session/run/job.h"

/* Of all failures that another run than the first had. Shorter runs become traces of the report,
 * behind all others. */
ser_status ser_run_shorten_failures(ser_run_job *job, ser_error *error);

#endif
