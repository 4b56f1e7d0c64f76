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
    char *schedule; /* how threads were scheduled; owned */
    char *settings; /* settings of the runtime that reproduce the run; NULL: it is not reproducible.
                       Owned */
    char *refused;  /* why the trace could not be read or analysed; NULL: it could. Owned */
    char *scheduler;               /* NULL: the runtime's default. Owned */
    uint64_t seed, depth, quantum; /* of the last two, 0 is the runtime's default */
    ser_trace_size size;
    uint64_t undecided;   /* blocks */
    uint64_t unpredicted; /* of these: because the time was up */
    uint64_t skipped;     /* blocks of code that was found violated often enough */
    uint64_t retried;     /* blocks that were interrupted only while they retried a lock */
    int exit;             /* the program's exit status; 128 plus the signal */
    int signal;           /* that ended it; 0: none */
    bool deadlock;        /* all its threads waited; it was ended */
    bool overran;         /* it exceeded its time limit and was ended */
    bool interrupted;     /* while it was recorded */
    bool cut;             /* recording or analysis ended before the run did */
    bool removed;         /* there is no file any more */
} ser_run_trace;

/* A failure of a whole run. For now only deadlocks: all threads wait forever. */
typedef struct ser_failure {
    char id[SER_BUG_ID_SIZE];
    char *key;      /* equal for the same failure; owned */
    char *waits;    /* one line per thread: where it waits for what; owned */
    char *location; /* the first of them; "": unknown. Owned */
    char *schedule; /* that led to it, in a replay; NULL: it was a run. Owned */
    size_t trace;   /* of the first run with it, or of the one that was replayed */
    uint64_t runs;  /* with it */
} ser_failure;

typedef struct ser_run_report {
    const char *name;     /* of the subcommand: "run" */
    char *const *command; /* the program and its arguments; NULL ends them */
    const char *atomic;   /* what --atomic said; NULL: nothing */
    SER_VECTOR(ser_run_trace) traces;
    ser_bugs bugs;
    SER_VECTOR(ser_failure) failures;
    /* Why the work is incomplete; NULL: it is complete. If it is not: how many runs were wanted (0:
     * as many as time allows), and how many violations were not replayed. */
    const char *stopped;
    uint64_t wanted_runs, not_replayed;
    uint64_t orders; /* of conflicting places that explore has seen; 0: not counted */
} ser_run_report;

void ser_run_report_fini(ser_run_report *report);

/* A deadlock of the last trace's run, or of a replay of trace `trace` by a schedule (not NULL).
 * `messages` are those of the recording; some of them say which thread waits for what. */
void ser_run_add_deadlock(ser_run_report *report, size_t trace, const char *schedule,
                          const char *messages, size_t size);
void ser_run_failures_fini(ser_run_report *report);
void ser_run_failures_text(const ser_run_report *report, FILE *file);
void ser_run_failures_json(const ser_run_report *report, ser_json *json);

/* SER_VIOLATION, SER_UNDECIDED or SER_OK. */
ser_status ser_run_verdict(const ser_run_report *report);

/* Readable; the last line is the verdict. */
void ser_run_report_text(const ser_run_report *report, FILE *file);

/* The JSON object of the command line's contract. */
void ser_run_report_json(const ser_run_report *report, ser_json *json);

#endif
