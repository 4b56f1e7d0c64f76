/* SPDX-License-Identifier: MIT */
/*
 * predict_windows.h - predict --window and --follow: the trace is not loaded, but read as a stream.
 */
#ifndef SER_CLI_COMMANDS_PREDICT_WINDOWS_H
#define SER_CLI_COMMANDS_PREDICT_WINDOWS_H

#include "base/options/options.h"

/* Is it asked for? */
bool ser_wants_windows(const ser_arguments *arguments);

/* Also instead of a run that does not fit into memory. */
ser_status ser_run_in_windows(const ser_arguments *arguments, ser_error *error);

#endif
