/* SPDX-License-Identifier: MIT */
/*
 * replay_report.h - what `seriatim replay` saw, for people and for programs.
 */
#ifndef SER_REPORT_REPLAY_REPORT_H
#define SER_REPORT_REPLAY_REPORT_H

#include <stdio.h>

#include "base/output/json.h"
#include "order/run.h"

typedef enum ser_replay_verdict {
    SER_REPLAY_SHOWN,
    SER_REPLAY_NOT_SHOWN,
    SER_REPLAY_DIVERGED, /* the program did something else */
} ser_replay_verdict;

/* What it says of the prediction (docs/replay.md). */
typedef enum ser_replay_outcome {
    SER_REPLAY_UNTESTED,  /* nothing */
    SER_REPLAY_CONFIRMED, /* the trace of the replay has the violation */
    SER_REPLAY_REFUTED,   /* a thread left its recorded path after a changed read, and the block was
                             not violated */
} ser_replay_outcome;

typedef struct ser_replay_result {
    ser_replay_verdict verdict;
    ser_replay_outcome outcome;
    bool by_place;      /* the last attempt was by place, */
    bool in_bounds;     /* and no turn of it was lost that should have reached its end */
    uint32_t left;      /* refuted: the event of the recorded run where the thread left its path */
    unsigned attempts;  /* that were made */
    uint32_t event;     /* where it diverged: an event of the recorded run; 0: none */
    char reason[1024];  /* why it was not shown */
    int status, signal; /* how the program ended; as in ser_record_outcome */
    bool deadlock;
    bool waited; /* it diverged by a wait or a wake-up that only one of the runs has */
    uint64_t
        missing_inputs; /* nondeterministic inputs within the schedule that were not replayed */
    bool other_build;   /* the program is not the build that was recorded */
    bool stopped;       /* by a signal, or since the budget was used up */
    bool left_schedule; /* and was ended for that */
    bool out_of_grace;  /* it was ended: it continued after the schedule for too long, or left it */
    bool misuses_memory; /* the run that happened again uses memory that was freed */
} ser_replay_result;

typedef struct ser_replay_report {
    const ser_replay_result *result;
    const ser_run *run; /* the recorded one */
    uint32_t block;     /* its first event; 0: there is none, the run was to happen again */
} ser_replay_report;

/* Readable; the last line is the verdict. */
void ser_replay_report_text(const ser_replay_report *report, FILE *file);

/* The JSON object of the command line's contract. */
void ser_replay_report_json(const ser_replay_report *report, ser_json *json);

const char *ser_replay_outcome_name(ser_replay_outcome outcome);

#endif
