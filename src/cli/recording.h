/* SPDX-License-Identifier: MIT */
/*
 * recording.h - a program that a command runs and records, as its options say.
 *
 *     ser_recording recording;
 *     status = ser_recording_init(&recording, arguments, &help, error);
 *     status = ser_recording_run(&recording, "trace.srt", error);
 *     ser_recording_fini(&recording);
 */
#ifndef SER_CLI_RECORDING_H
#define SER_CLI_RECORDING_H

#include <sys/types.h>

#include "base/options.h"
#include "base/vector.h"
#include "record/capture/settings.h"
#include "record/record.h"

typedef struct ser_recording {
    ser_settings settings; /* of the runtime; what is added later overrides */
    SER_VECTOR(char *) command;
    ser_record_options options;
    ser_record_outcome outcome; /* of the last run */
    off_t input;                /* where standard input is read from in each run; -1: it is no
                                   file that can be read again */
    double run_limit;           /* seconds that one run may take; 0: any time */
    double until;               /* when all runs end, by ser_clock_now(); 0: not by the time */
} ser_recording;

/* The program is what the operands from `first` on say. With *help set, only help on the settings
 * of the runtime was asked for. To be finished in any case. */
ser_status ser_recording_init(ser_recording *recording, const ser_arguments *arguments,
                              size_t first, bool *help, ser_error *error);
void ser_recording_fini(ser_recording *recording);

/* Runs the program and writes the trace; says what went wrong with the program.
 * SER_INPUT if there is no trace; SER_UNDECIDED, without a message, if a signal or
 * a limit ended the program before it recorded anything. */
ser_status ser_recording_run(ser_recording *recording, const char *trace, ser_error *error);

/* The same without a word about the program. */
ser_status ser_recording_run_quietly(ser_recording *recording, const char *trace, ser_error *error);

/* Says what is in the trace. */
void ser_recording_tell_trace(const char *path, const ser_finish_result *result);

/* For programs that the user did not start himself: replays, and runs after the first. All that
 * they start ends with them. */
void ser_recording_own(ser_recording *recording);

/* How the program is run and recorded. */
#define SER_OPTIONS_RECORDING                                                                      \
    {.name = "mode",                                                                               \
     .kind = SER_OPTION_CHOICE,                                                                    \
     .argument = "MODE",                                                                           \
     .standard = "serial",                                                                         \
     .choices = "serial|parallel",                                                                 \
     .help = "serial: one thread runs at a time, and the same seed gives the same run; parallel: " \
             "threads run at once, for programs that need their cores"},                           \
        {.name = "scheduler",                                                                      \
         .kind = SER_OPTION_CHOICE,                                                                \
         .argument = "NAME",                                                                       \
         .choices = "round-robin|random|pct",                                                      \
         .help = "how the next thread is chosen in serial mode"},                                  \
        {.name = "seed",                                                                           \
         .kind = SER_OPTION_NUMBER,                                                                \
         .argument = "N",                                                                          \
         .most = UINT64_MAX,                                                                       \
         .help = "what the random decisions of the scheduler depend on"},                          \
        {.name = "quantum",                                                                        \
         .kind = SER_OPTION_NUMBER,                                                                \
         .argument = "N",                                                                          \
         .least = 1,                                                                               \
         .most = UINT32_MAX,                                                                       \
         .help = "events until the next thread's turn, on average"},                               \
        {.name = "depth",                                                                          \
         .kind = SER_OPTION_NUMBER,                                                                \
         .argument = "N",                                                                          \
         .least = 1,                                                                               \
         .most = 64,                                                                               \
         .help = "for pct: how many ordering decisions a bug may need"},                           \
        {.name = "length",                                                                         \
         .kind = SER_OPTION_NUMBER,                                                                \
         .argument = "N",                                                                          \
         .least = 1,                                                                               \
         .most = UINT64_MAX,                                                                       \
         .help = "for pct: how many events the run is expected to have"},                          \
        {.name = "exact",                                                                          \
         .kind = SER_OPTION_TEXT,                                                                  \
         .argument = "N",                                                                          \
         .help = "operations after which accesses of memory that threads do not share are "        \
                 "elided: a number, or all to record everything (1000000)"},                       \
        {.name = "no-calls", .help = "do not record calls of functions and returns"},              \
        {.name = "inputs",                                                                         \
         .help = "record what the time, random numbers and process numbers were, and give it "     \
                 "back in replays; this is so unless --no-inputs or the setting inputs=0 is "      \
                 "given"},                                                                         \
        {.name = "no-inputs", .help = "neither record nor replay nondeterministic inputs"},        \
        {.name = "runtime",                                                                        \
         .kind = SER_OPTION_TEXT,                                                                  \
         .argument = "A=1:B=2",                                                                    \
         .help =                                                                                   \
             "further settings, as in the environment variable SERIATIM_OPTIONS; help=1 lists "    \
             "them"},                                                                              \
        {.name = "limit",                                                                          \
         .kind = SER_OPTION_TEXT,                                                                  \
         .argument = "N",                                                                          \
         .help =                                                                                   \
             "record no more than this many events (10M), bytes (2Gbytes) or seconds (30s), or "   \
             "several of these with commas; the program goes on. Without it: as many events as "   \
             "an analysis can hold in half of the memory"},                                        \
        {.name = "run-limit",                                                                      \
         .kind = SER_OPTION_SECONDS,                                                               \
         .argument = "SECONDS",                                                                    \
         .help = "end the program after this time, and go on with what was recorded. Without it: " \
                 "the first run takes as long as it takes, later ones and replays ten times as "   \
                 "long as it or 10 seconds, whichever is more"},                                   \
    {                                                                                              \
        .name = "verify",                                                                          \
        .help = "compare every value read with the value written last, and say where they differ"  \
    }

#endif
