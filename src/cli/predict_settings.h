/* SPDX-License-Identifier: MIT */
/*
 * predict_settings.h - how blocks are decided, from the options of `predict`.
 */
#ifndef SER_CLI_PREDICT_SETTINGS_H
#define SER_CLI_PREDICT_SETTINGS_H

#include "base/options.h"
#include "predict/predict.h"

/* Options for that, with the standard time for a block. */
#define SER_OPTIONS_EFFORT(SECONDS)                                                                \
    {.name = "timeout",                                                                            \
     .letter = 't',                                                                                \
     .kind = SER_OPTION_SECONDS,                                                                   \
     .argument = "SECONDS",                                                                        \
     .standard = SECONDS,                                                                          \
     .help = "give up on a block after this time; it stays unknown"},                              \
        {.name = "memory",                                                                         \
         .kind = SER_OPTION_NUMBER,                                                                \
         .argument = "MB",                                                                         \
         .least = 1,                                                                               \
         .most = UINT64_C(1) << 30,                                                                \
         .help = "memory for the search of one block, in megabytes; all jobs together, and the "   \
                 "survey of the trace before them, may use the sum; if not given, half of the "    \
                 "machine's divided by the number of jobs"},                                       \
    {                                                                                              \
        .name = "jobs", .letter = 'j', .kind = SER_OPTION_NUMBER, .argument = "N", .least = 1,     \
        .most = 1024,                                                                              \
        .help = "blocks to work on at the same time; if not given, as many as there are cores"     \
    }

/* How much work is done: --timeout, --memory, --jobs. By the portfolio, for the path
 * criterion. */
ser_predict_options ser_predict_effort(const ser_arguments *arguments);

/* All options of `predict`, but not the callbacks. Texts are those of the arguments. */
ser_predict_options ser_predict_settings(const ser_arguments *arguments);

#endif
