/* SPDX-License-Identifier: MIT */
/*
 * options.h - what `run` and `explore` are told about all their runs. How the program is
 * recorded is in ser_recording.
 */
#ifndef SER_SESSION_RUN_OPTIONS_H
#define SER_SESSION_RUN_OPTIONS_H

#include "session/effort.h"
#include "session/source.h"

typedef struct ser_run_options {
    const char *name;   /* of the command, for the report: "run" */
    const char *folder; /* for what is made */
    ser_reading reading;
    const char *atomic;    /* reading.atomic where somebody chose it, for the report; else NULL */
    ser_effort effort;     /* of prediction */
    const char *scheduler; /* of all runs; NULL: each run's own */
    uint64_t seed;         /* of the first run */
    bool aside;          /* the program's standard output goes to standard error, since ours is for
                            a report */
    bool no_replay;      /* violations are not confirmed */
    bool no_inputs;      /* replays do not get the nondeterministic inputs of the recorded run */
    unsigned attempts;   /* of one replay */
    unsigned candidates; /* that are replayed, of one place; 0: none */
    double grace;        /* seconds that the program may go on after a replayed schedule */
} ser_run_options;

#endif
