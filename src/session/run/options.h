/* SPDX-License-Identifier: MIT */
/*
 * options.h - the options of `run` and `explore` that hold for all their runs. How the program is
 * recorded is in ser_recording.
 */
#ifndef SER_SESSION_RUN_OPTIONS_H
#define SER_SESSION_RUN_OPTIONS_H

#include "session/effort.h"
#include "session/source.h"

/* How long the first recording may keep us busy (deadline.h). */
typedef struct ser_haste {
    double times; /* as long as it took; 0: any time */
    double least; /* seconds, of a small run */
    bool all;     /* not only prediction: replays as well */
} ser_haste;

typedef struct ser_run_options {
    const char *name;   /* of the command, for the report: "run" */
    const char *folder; /* for what is made */
    ser_reading reading;
    const char *atomic;    /* reading.atomic where the user chose it, for the report; else NULL */
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
    ser_haste haste;
    uint64_t disk;   /* bytes that the folder may have; 0: any number */
    bool redact;     /* no values and inputs stay in the folder */
    double allotted; /* seconds, which follow from it, */
    double deadline; /* and by ser_clock_now() when they are over; 0: none, or not yet */
} ser_run_options;

#endif
