/* SPDX-License-Identifier: MIT */
/*
 * job.h - what `run` and `explore` have in common: recorded runs of a program, what
 * was found in them, and the report.
 *
 *     ser_run_job job = {.options = ...};
 *     ser_recording_init(&job.recording, ...)
 *     status = ser_run_start(&job, error);
 *     status = ser_run_schedules(&job, 20, error);    or ser_explore_program (explorer.h)
 *     status = ser_run_conclude(&job, status, error);
 *     use job.report
 *     ser_run_job_fini(&job);
 */
#ifndef SER_SESSION_RUN_JOB_H
#define SER_SESSION_RUN_JOB_H

#include "report/run_report.h"
#include "session/recording.h"
#include "session/run/kept.h"
#include "session/run/options.h"
#include "session/run/trials.h"

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
} ser_run_job;

/* How threads take turns in one run. */
typedef struct ser_run_schedule {
    const char *scheduler; /* NULL: as the options say */
    uint64_t seed;
    uint64_t depth, quantum, length; /* 0: as the options say */
    const ser_turn *turns;           /* to follow first; */
    size_t turn_count;               /* 0: none */
    const char *aim;                 /* what the turns are for; NULL: nothing */
} ser_run_schedule;

/* Makes the folder. The recording is initialised by then. */
ser_status ser_run_start(ser_run_job *job, ser_error *error);
void ser_run_job_fini(ser_run_job *job);

/* That many runs: the first schedule is the plain one, the others are random. */
ser_status ser_run_schedules(ser_run_job *job, uint64_t schedules, ser_error *error);

/* Sets the runtime's settings; those of the run before are forgotten. */
void ser_run_use_schedule(ser_run_job *job, const ser_run_schedule *schedule);

/* Records one more run and analyses it. Quietly: without a word about the trace, and with
 * the program's output thrown away. A run after the first that is interrupted, or that the end
 * of all runs cuts short, leaves nothing: job->report.traces does not grow. Unless it was cut
 * after a time far longer than that of all others: it may hang. */
ser_status ser_run_once(ser_run_job *job, const ser_run_schedule *schedule, bool quietly,
                        ser_error *error);

/* A run that is no part of the report: without a word, its output thrown away. */
ser_status ser_run_record_quietly(ser_run_job *job, const char *path, ser_error *error);

/* The first run, once there is another one; NULL if its trace was not kept. */
const ser_run *ser_run_first(const ser_run_job *job);

/* Is nothing new to be begun: after a signal, or when the budget is used up? */
bool ser_run_should_stop(void);

/* Confirms what was predicted, and completes the report, if there was a run at all. `status` is
 * what the runs ended with, and is returned unless it was SER_OK and confirming fails. */
ser_status ser_run_conclude(ser_run_job *job, ser_status status, ser_error *error);

/* Writes the report as result.json into the folder. */
ser_status ser_run_save(const ser_run_job *job, ser_error *error);

#endif
