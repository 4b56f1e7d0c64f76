/* SPDX-License-Identifier: MIT */
/*
 * redact.h - traces without values and inputs, for those who may not see what a program works on.
 *
 * Runs are recorded without the values of accesses (record/events/finish.h). Nondeterministic
 * inputs and standard input are needed for replays, and are removed once these were made. Names of
 * variables, files and functions stay.
 */
#ifndef SER_SESSION_SURROUNDINGS_REDACT_H
#define SER_SESSION_SURROUNDINGS_REDACT_H

#include "base/status.h"

/* Writes the trace anew, without values of accesses and without inputs. */
ser_status ser_redact_trace(const char *path, ser_error *error);

/* Does that with all traces of an output folder; removes what the program read from standard input
 * and what it printed. */
ser_status ser_redact_folder(const char *folder, ser_error *error);

#endif
