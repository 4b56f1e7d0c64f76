/* SPDX-License-Identifier: MIT */
/*
 * once.h - one more run of a job: recorded under a schedule, and analysed.
 */
#ifndef SER_SESSION_RUN_ONCE_H
#define SER_SESSION_RUN_ONCE_H

#include "session/run/job.h"

/* How the threads of one run are scheduled. */
typedef struct ser_run_schedule {
    const char *scheduler; /* NULL: as the options say */
    uint64_t seed;
    uint64_t depth, quantum, length;   /* 0: as the options say */
    uint64_t linger, hold, hold_after; /* settings of the runtime; 0: none */
    const ser_turn *turns;             /* to follow first; */
    size_t turn_count;                 /* 0: none */
    const char *aim;                   /* what the turns are for; NULL: nothing */
} ser_run_schedule;

/* Sets the runtime's settings; those of the run before are forgotten. */
void ser_run_use_schedule(ser_run_job *job, const ser_run_schedule *schedule);

/* Records one more run and analyses it. Quietly: without messages about the trace, and with the
 * program's output discarded. A run after the first that is interrupted, or that the end of all
 * runs cuts short, is not added to job->report.traces, unless it took far longer than all
 * others and did not get on: it may hang. Nor is one that ended before it recorded anything, which
 * is counted. */
ser_status ser_run_once(ser_run_job *job, const ser_run_schedule *schedule, bool quietly,
                        ser_error *error);

/* Records a run that is not part of the report, without messages, its output discarded. */
ser_status ser_run_record_quietly(ser_run_job *job, const char *path, ser_error *error);

/* Closes the trace of the last run; in memory it stays (job->kept) only if something of it is
 * still to be replayed. */
void ser_run_leave_last(ser_run_job *job);

#endif
