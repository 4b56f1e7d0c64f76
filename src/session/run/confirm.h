/* SPDX-License-Identifier: MIT */
/*
 * confirm.h - the last part of the main job: forces the program into every violation
 * that was predicted, and says what it did to it.
 */
#ifndef SER_SESSION_RUN_CONFIRM_H
#define SER_SESSION_RUN_CONFIRM_H

#include "session/run/job.h"

/* Replays all bugs that have a witness, and gives them their status and consequence. */
ser_status ser_run_replay(ser_run_job *job, ser_error *error);

#endif
