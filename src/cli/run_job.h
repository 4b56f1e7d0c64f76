/* SPDX-License-Identifier: MIT */
/*
 * run_job.h - what `run` and `explore` have in common: recorded runs of a program, what
 * was found in them, and the report.
 */
#ifndef SER_CLI_RUN_JOB_H
#define SER_CLI_RUN_JOB_H

#include "cli/predict_settings.h"
#include "cli/recording.h"
#include "cli/replaying.h"
#include "report/run_report.h"

typedef struct ser_run_job {
    const ser_arguments *arguments;
    const char *folder;
    ser_recording recording;
    ser_run_report report;
    size_t started; /* runs, with those that were interrupted */
} ser_run_job;

/* How threads take turns in one run. */
typedef struct ser_run_schedule {
    const char *scheduler; /* NULL: as the options say */
    uint64_t seed;
    uint64_t depth, quantum; /* 0: as the options say */
    const ser_turn *turns;   /* to follow first; */
    size_t turn_count;       /* 0: none */
    const char *aim;         /* what the turns are for; NULL: nothing */
} ser_run_schedule;

/* Runs do_it, with the job made of the arguments, unless only help was asked for. The name is
 * that of the command. */
ser_status ser_run_with_job(const char *name, const ser_arguments *arguments,
                            ser_status (*do_it)(ser_run_job *job, ser_error *error),
                            ser_error *error);

/* The seed that the options give, or 1. */
uint64_t ser_run_first_seed(const ser_run_job *job);

/* Sets the runtime's settings. */
void ser_run_use_schedule(ser_run_job *job, const ser_run_schedule *schedule);

/* Records one more run and analyses it. Quietly: without a word about the trace, and with
 * the program's output thrown away. A run after the first that is interrupted, or that the end
 * of all runs cuts short, leaves nothing: job->report.traces does not grow. */
ser_status ser_run_once(ser_run_job *job, const ser_run_schedule *schedule, bool quietly,
                        ser_error *error);

/* Is nothing new to be begun: after a signal, or when the budget is used up? */
bool ser_run_should_stop(void);

/* Confirms what was predicted, and reports. `status` is what the runs ended with; the
 * command's status. */
ser_status ser_run_finish(ser_run_job *job, ser_status status, ser_error *error);

/* Options of both commands. */
#define SER_OPTIONS_RUN                                                                            \
    {.name = "output",                                                                             \
     .letter = 'o',                                                                                \
     .kind = SER_OPTION_TEXT,                                                                      \
     .argument = "DIR",                                                                            \
     .standard = "seriatim.out",                                                                   \
     .help = "folder for what is made: traces, result.json, a schedule for each violation"},       \
        {.name = "atomic",                                                                         \
         .kind = SER_OPTION_TEXT,                                                                  \
         .argument = "MODE|FILE",                                                                  \
         .standard = "auto",                                                                       \
         .help =                                                                                   \
             "what is atomic: markers (annotations), locks (spans in which a thread holds a "      \
             "lock), functions (calls that touch shared data twice or more), auto (markers where " \
             "there are any, else locks and functions), or a file of function names"},             \
        SER_OPTIONS_EFFORT("10"),                                                                  \
        {.name = "no-replay", .help = "do not force the program into what was predicted"},         \
        SER_OPTIONS_REPLAYING,                                                                     \
        {.name = "lenient",                                                                        \
         .help = "drop events that break a rule of well-formed traces, instead of refusing the "   \
                 "trace"},                                                                         \
    {                                                                                              \
        .name = "program-status",                                                                  \
        .help = "exit with the program's own status instead of the verdict"                        \
    }

#endif
