/* SPDX-License-Identifier: MIT */
/*
 * confirm.h - the last part of the main job: forces the program into every predicted violation, and
 * notes the consequence for the program.
 */
#ifndef SER_SESSION_RUN_CONFIRM_H
#define SER_SESSION_RUN_CONFIRM_H

#include "session/replaying.h"
#include "session/run/job.h"

/* Replays the bugs of a trace that have a witness and were not tried yet, and gives them their
 * status and consequence. */
ser_status ser_run_replay(ser_run_job *job, size_t trace, ser_error *error);

/* Notes what a replay of a bug showed: its status, and the consequence, with what the program
 * printed instead. */
ser_status ser_run_note_replay(ser_run_job *job, ser_bug *bug, const ser_replay_aim *aim,
                               const ser_replay_result *result, ser_error *error);

/* The inputs of a recorded run that replays of it get; *inputs is NULL if they get none. */
ser_status ser_run_find_inputs(const ser_run_job *job, ser_loaded *recorded,
                               const ser_input_list **inputs, ser_error *error);

/* The grace period of a run in which only the schedule matters, not the program's end. */
double ser_run_short_grace(const ser_run_job *job);

#endif
