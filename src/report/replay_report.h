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

typedef struct ser_replay_result {
    ser_replay_verdict verdict;
    unsigned attempts;  /* that were made */
    uint32_t event;     /* where it diverged: an event of the recorded run; 0: none */
    char reason[1024];  /* why it was not shown */
    int status, signal; /* how the program ended; as in ser_record_outcome */
    bool deadlock;
    uint64_t missing_inputs; /* calls within the schedule that were not answered as recorded */
    bool stopped;            /* by a signal, or since the budget was used up */
    bool out_of_grace;       /* it went on after the schedule, and was ended */
} ser_replay_result;

typedef struct ser_replay_report {
    const ser_replay_result *result;
    const ser_run *run; /* the recorded one */
    uint32_t block;     /* its first event */
} ser_replay_report;

/* Readable; the last line is the verdict. */
void ser_replay_report_text(const ser_replay_report *report, FILE *file);

/* The JSON object of the command line's contract. */
void ser_replay_report_json(const ser_replay_report *report, ser_json *json);

#endif
