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
    char *path;      /* of the trace; owned */
    char *schedule;  /* how threads took turns; owned */
    char *settings;  /* of the runtime, that make it so again; NULL: they do not. Owned */
    char *refused;   /* why the trace could not be read or analysed; NULL: it could. Owned */
    char *scheduler; /* NULL: as the runtime has it. Owned */
    uint64_t seed, depth, quantum; /* the last two: 0: as the runtime has it */
    ser_trace_size size;
    uint64_t undecided;   /* blocks */
    uint64_t unpredicted; /* of these: since there was no time left */
    uint64_t skipped;     /* blocks of code that was found violated often enough */
    uint64_t retried;     /* blocks that were interrupted only while they tried locks in vain */
    double seconds;       /* that the program ran */
    int exit;             /* the program's exit status; 128 plus the signal */
    int signal;           /* that ended it; 0: none */
    bool deadlock;        /* all its threads waited; it was ended */
    bool overran;         /* it took longer than it may; it was ended */
    bool interrupted;     /* while it was recorded */
    bool cut;             /* recording or analysis ended before the run did */
    bool removed;         /* there is no file any more */
} ser_run_trace;

/* What a run did wrong as a whole. For now: all its threads waited for ever. */
typedef struct ser_failure {
    char id[32];
    char *key;      /* what makes it this one; owned */
    char *waits;    /* who waits where for what, one line each; owned */
    char *location; /* the first of them; "": unknown. Owned */
    char *schedule; /* that led to it, in a replay; NULL: it was a run. Owned */
    size_t trace;   /* of the first run with it, or of the one that was replayed */
    uint64_t runs;  /* with it */
} ser_failure;

typedef struct ser_run_report {
    const char *name;     /* of the command of ours: "run" */
    char *const *command; /* the program and its arguments; NULL ends them */
    const char *atomic;   /* what --atomic said; NULL: nothing */
    SER_VECTOR(ser_run_trace) traces;
    ser_bugs bugs;
    SER_VECTOR(ser_failure) failures;
    /* Why not everything was done; NULL: it was. Then how many runs were wanted (0: as many as
     * there is time for), and how many violations were not replayed. */
    const char *stopped;
    uint64_t wanted_runs, not_replayed;
    uint64_t orders; /* of conflicting places, that explore has seen; 0: nobody counted */
} ser_run_report;

void ser_run_report_fini(ser_run_report *report);

/* A deadlock of the last trace's run, or of a replay of trace `trace` by a schedule (not NULL).
 * The messages are those of the recording, of which some tell who waits for what. */
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
