/* SPDX-License-Identifier: MIT */
/*
 * run_command.h - what `run` and `explore` have in common: making the job from the arguments, and
 * the report.
 */
#ifndef SER_CLI_COMMANDS_RUN_COMMAND_H
#define SER_CLI_COMMANDS_RUN_COMMAND_H

#include "cli/command.h"
#include "session/run/job.h"

/* Exit codes of both, after that for success. */
#define SER_EXIT_RUN                                                                               \
    {SER_VIOLATION, "a block was, or can be, violated; or the program failed or deadlocked"},      \
        {SER_USAGE, "wrong usage; no program was run"},                                            \
        {SER_INPUT, "the program is not instrumented, a recorded trace was refused, or something " \
                    "could not be written"},                                                       \
        {SER_UNDECIDED, "no violation was found, and something stayed undecided or was not done"}, \
        SER_EXIT_PROGRAM,                                                                          \
    {                                                                                              \
        0, NULL                                                                                    \
    }

/* Runs do_it, with the job made of the arguments, unless only help was asked for. The name is
 * that of the command. */
ser_status ser_run_command(const char *name, const ser_arguments *arguments,
                           ser_status (*do_it)(ser_run_job *job, const ser_arguments *arguments,
                                               ser_error *error),
                           ser_error *error);

#endif
