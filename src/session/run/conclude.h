/* SPDX-License-Identifier: MIT */
/*
 * conclude.h - the end of a job: replays what was predicted, and completes the report.
 */
#ifndef SER_SESSION_RUN_CONCLUDE_H
#define SER_SESSION_RUN_CONCLUDE_H

#include "session/run/job.h"

/* Confirms what was predicted, and completes the report, if there was a run at all. `status` is
 * what the runs ended with, and is returned unless it was SER_OK and confirming fails. */
ser_status ser_run_conclude(ser_run_job *job, ser_status status, ser_error *error);

#endif
