/* SPDX-License-Identifier: MIT */
/*
 * trial_options.h - what the command lines of both oracles share, and how a trace that shows a
 * difference is kept.
 */
#ifndef SER_ORACLE_TRIAL_OPTIONS_H
#define SER_ORACLE_TRIAL_OPTIONS_H

#include <time.h>

#include "random_trace.h"

typedef struct trial_options {
    uint64_t seed, count;
    const char *keep; /* folder for traces that show a difference */
    bool self_test;
} trial_options;

/* --seed, --count, --keep, --profile, --threads, --events and --self-test. False if it is another
 * one, or its value is wrong or missing. *used is 1 or 2. *any_profile becomes false if one is
 * chosen. */
bool parse_trial_option(trial_options *options, trace_limits *limits, bool *any_profile,
                        const char *name, const char *value, int *used);

/* Says on standard error that the option is wrong; the exit status. */
int refuse_option(const char *oracle, const char *option);

/* DIR/ORACLE-SEED-WHAT.std, and says so. */
void keep_trace(const trial_options *options, const char *oracle, uint64_t seed, const char *what,
                const event_list *raw);

/* How far it is, every ten seconds. *next is 0 at first. */
void show_progress(time_t *next, uint64_t done, uint64_t count);

#endif
