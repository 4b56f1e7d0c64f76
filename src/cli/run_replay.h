/* SPDX-License-Identifier: MIT */
/*
 * run_replay.h - the last part of the main job: forces the program into every violation
 * that was predicted, and says what it did to it.
 */
#ifndef SER_CLI_RUN_REPLAY_H
#define SER_CLI_RUN_REPLAY_H

#include "cli/recording.h"
#include "report/run_report.h"

typedef struct ser_run_job {
    const ser_arguments *arguments;
    const char *folder;
    ser_recording recording;
    ser_run_report report;
} ser_run_job;

/* Settings of the runtime under which a trace of the report was recorded. */
void ser_run_use_schedule(ser_run_job *job, uint64_t schedule);

/* Replays all bugs that have a schedule, and gives them their status and consequence. */
ser_status ser_run_replay(ser_run_job *job, ser_error *error);

#endif
