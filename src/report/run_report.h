/* SPDX-License-Identifier: MIT */
/*
 * run_report.h - what `seriatim run` found, for people and for programs.
 */
#ifndef SER_REPORT_RUN_REPORT_H
#define SER_REPORT_RUN_REPORT_H

#include "bugs/bugs.h"
#include "report/describe.h"

/* One recorded run of the program. */
typedef struct ser_run_trace {
    char *path;     /* of the trace; owned */
    char *schedule; /* how threads took turns; owned */
    char *settings; /* of the runtime, that make it so again; NULL: they do not. Owned */
    char *refused;  /* why the trace could not be read or analysed; NULL: it could. Owned */
    ser_trace_size size;
    uint64_t undecided; /* blocks */
    uint64_t skipped;   /* blocks of code that was found violated often enough */
    uint64_t retried;   /* blocks that were interrupted only while they tried locks in vain */
    int exit;           /* the program's exit status; 128 plus the signal */
    int signal;         /* that ended it; 0: none */
    bool deadlock;      /* all its threads waited; it was ended */
    bool cut;           /* recording or analysis ended before the run did */
} ser_run_trace;

typedef struct ser_run_report {
    char *const *command; /* the program and its arguments; NULL ends them */
    const char *atomic;   /* what --atomic said; NULL: nothing */
    SER_VECTOR(ser_run_trace) traces;
    ser_bugs bugs;
    uint64_t orders; /* of conflicting places, that explore has seen; 0: nobody counted */
} ser_run_report;

void ser_run_report_fini(ser_run_report *report);

/* SER_VIOLATION, SER_UNDECIDED or SER_OK. */
ser_status ser_run_verdict(const ser_run_report *report);

/* Readable; the last line is the verdict. */
void ser_run_report_text(const ser_run_report *report, FILE *file);

/* The JSON object of the command line's contract. */
void ser_run_report_json(const ser_run_report *report, ser_json *json);

#endif
