/* SPDX-License-Identifier: MIT */
/*
 * run_command.h - what `run` and `explore` do around their runs: the job of the arguments before,
 * the report after.
 */
#ifndef SER_CLI_COMMANDS_RUN_COMMAND_H
#define SER_CLI_COMMANDS_RUN_COMMAND_H

#include "base/options/options.h"
#include "session/run/job.h"

/* Runs do_it, with the job made of the arguments, unless only help was asked for. The name is
 * that of the command. */
ser_status ser_run_command(const char *name, const ser_arguments *arguments,
                           ser_status (*do_it)(ser_run_job *job, const ser_arguments *arguments,
                                               ser_error *error),
                           ser_error *error);

#endif
