/* SPDX-License-Identifier: MIT */
/*
 * job.h - what `run` and `explore` have in common: recorded runs of a program, what
 * was found in them, and the report.
 *
 *     ser_run_job job = {.options = ...};
 *     ser_recording_init(&job.recording, ...)
 *     status = ser_run_start(&job, error);
 *     status = ser_run_schedules(&job, 20, error);    or ser_explore_program (explorer.h)
 *     status = ser_run_conclude(&job, status, error);         (conclude.h)
 *     use job.report
 *     ser_run_job_fini(&job);
 */
#ifndef SER_SESSION_RUN_JOB_H
#define SER_SESSION_RUN_JOB_H

#include "report/run_report.h"
#include "session/recording.h"
#include "session/run/candidates/trials.h"
#include "session/run/kept.h"
#include "session/run/options.h"

typedef struct ser_run_job {
    ser_run_options options;
    ser_recording recording;
    ser_run_report report;
    size_t settings;          /* length of the runtime's settings that hold for all runs */
    size_t started;           /* runs, with those that were interrupted */
    double run_started;       /* when the last of them did, by ser_clock_now() */
    ser_loaded last;          /* the trace of the last run, until the next one begins */
    ser_prediction predicted; /* from it */
    ser_kept kept;            /* those in which something is left to replay */
    double seconds;           /* that the first run took */
    ser_trials trials;        /* of candidates */
    bool is_full;             /* the folder has become too large: no new runs */
} ser_run_job;

/* Makes the folder. The recording is initialised by then. */
ser_status ser_run_start(ser_run_job *job, ser_error *error);
void ser_run_job_fini(ser_run_job *job);

/* Makes that many runs: the first is scheduled round-robin, the others at random. */
ser_status ser_run_schedules(ser_run_job *job, uint64_t schedules, ser_error *error);

/* The first run, once there is another one; NULL if its trace was not kept. */
const ser_run *ser_run_first(const ser_run_job *job);

/* Bugs, better evidence for them, and failures so far. */
size_t ser_run_found(const ser_run_job *job);

/* True after a signal, or when the budget is used up: nothing new is started then. */
bool ser_run_should_stop(void);

/* Writes the report as result.json into the folder. */
ser_status ser_run_save(const ser_run_job *job, ser_error *error);

#endif
