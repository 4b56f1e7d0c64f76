/* SPDX-License-Identifier: MIT */
/*
 * deadline.h - how long a job may take after its first recording (ser_haste, options.h).
 *
 * Prediction gets half of what is left once the trace was read; a hasty job spends the rest on
 * replays, most promising first. What was not done then is counted in the report. The end of a
 * replay that was begun in time is awaited, so that the last one may end a little later.
 */
#ifndef SER_SESSION_RUN_DEADLINE_H
#define SER_SESSION_RUN_DEADLINE_H

#include "session/run/job.h"

/* The first run was recorded, in that many seconds. */
void ser_deadline_begin(ser_run_job *job, double seconds);

/* The first run was analysed. */
void ser_deadline_predicted(ser_run_job *job);

/* When prediction stops that begins now, after the trace was read in that many seconds; 0: never.
 * What follows it, the monitor, takes about as long as to read the trace if it finds nothing. */
double ser_deadline_of_prediction(const ser_run_options *options, double reading);

/* When the monitor stops that begins now; 0: never. */
double ser_deadline_of_monitor(const ser_run_options *options);

/* Is nothing new to be begun: as ser_run_should_stop, or because the deadline has passed? */
bool ser_run_is_over(const ser_run_job *job);

#endif
