/* SPDX-License-Identifier: MIT */
/*
 * run_report.h - what `seriatim run` found, for people and for programs.
 */
#ifndef SER_REPORT_RUN_REPORT_H
#define SER_REPORT_RUN_REPORT_H

#include "bugs/bugs.h"
#include "bugs/failures.h"
#include "report/describe.h"
#include "trace/blocks/unmatched.h"

/* Which blocks there were. */
typedef struct ser_looked {
    uint64_t kinds[SER_BLOCK_WHOLE + 1]; /* how many of each kind */
    uint64_t conflicting;                /* with data that another thread uses, not both reading */
    SER_VECTOR(char *) functions;        /* whose calls are blocks, a few of them; owned */
    uint64_t more_functions;
} ser_looked;

enum {
/* Kinds of settling a block (ser_settler_name): the static check, each engine, something else. */
#define SER_X(name, help) +1
    SER_SETTLERS = 2 SER_SEARCH_ENGINES(SER_X),
#undef SER_X
    SER_SEGMENT_CLASSES = 33 /* sizes of segments, by powers of two */
};

/* One recorded run of the program. */
typedef struct ser_run_trace {
    char *path;      /* of the trace; owned */
    char *schedule;  /* how threads were scheduled; owned */
    char *settings;  /* of the runtime, that reproduce the run; NULL: not reproducible. Owned */
    char *refused;   /* why the trace could not be read or analysed; NULL: it could. Owned */
    char *scheduler; /* NULL: the runtime's default. Owned */
    uint64_t seed;
    uint64_t depth, quantum, length; /* 0: the runtime's default */
    ser_trace_size size;
    ser_looked looked;
    uint64_t undecided;                           /* blocks */
    uint64_t verdicts[SER_VERDICT_VIOLATION + 1]; /* of prediction: how many blocks */
    uint64_t settled[SER_SETTLERS];               /* blocks, by what decided them */
    uint64_t segments[SER_SEGMENT_CLASSES];       /* blocks, by the bits of their segment's size */
    uint64_t orders;                              /* of conflicting places, seen up to this run */
    uint64_t unpredicted;                         /* of these: because the time was up */
    uint64_t skipped; /* blocks of code that was found violated often enough */
    uint64_t retried; /* blocks that were interrupted, but not in data: by locks only */
    double seconds;   /* that the program ran */
    int exit;         /* the program's exit status; 128 plus the signal */
    int signal;       /* that ended it; 0: none */
    bool deadlock;    /* all its threads waited; it was ended */
    bool overran;     /* it exceeded its time limit and was ended */
    bool interrupted; /* while it was recorded */
    bool cut;         /* recording or analysis ended before the run did */
    bool removed;     /* there is no file any more */
    bool violated;    /* some block was interrupted in it */
    bool entered;     /* another thread came between, be it where that is no bug */
    bool has_output;  /* it is known what it printed: */
    bool prints_news; /* no earlier run printed the same lines */
    char *printed;    /* a file with them, as long as it is needed; NULL: there is none */
    uint64_t output;  /* a sum of the lines (session/run/evidence/outputs.h) */
    uint64_t hash;    /* of its events */
    bool repeats;     /* it is equal to an earlier one, and was not analysed once more */
    bool shortened;   /* it is a failed run with fewer context switches, made of another one */
    bool derived;     /* it is that of a replay which took another path, and was predicted from */
} ser_run_trace;

/* Candidates that were replayed, by what came of it. */
typedef struct ser_candidate_counts {
    uint64_t shown, refuted, untested;
} ser_candidate_counts;

typedef struct ser_run_report {
    const char *name;     /* of the subcommand: "run" */
    char *const *command; /* the program and its arguments; NULL ends them */
    const char *atomic;   /* what --atomic said; NULL: nothing */
    SER_VECTOR(ser_run_trace) traces;
    ser_bugs bugs;
    size_t replaced; /* times that a run has shown a bug better than the one before */
    ser_bugs spares; /* bugs of the list as other runs show them (session/run/evidence/spares.h) */
    ser_bugs minor;  /* violations by the definition that are no bugs; `consequence` says why */
    bool verbose;    /* show what is else only counted */
    ser_failures failures;
    ser_unmatched unmatched; /* of --atomic FILE: lines that match nothing in any run */
    /* Why the work is incomplete; NULL: it is complete. If it is not: how many runs were wanted (0:
     * as many as time allows), and how many violations were not replayed. */
    const char *stopped;
    uint64_t wanted_runs, not_replayed;
    ser_candidate_counts candidates;
    uint64_t empty_runs; /* after the first, which recorded nothing; they are not in traces */
    uint64_t suppressed; /* findings that were taken out */
    uint64_t orders;     /* of conflicting places that explore has seen; 0: not counted */
} ser_run_report;

/* Counts what prediction said of a block of the trace. */
void ser_run_trace_count(ser_run_trace *trace, const ser_block_result *result);

/* "static", or an engine's name. */
const char *ser_settler_name(size_t settler);

void ser_run_report_fini(ser_run_report *report);

/* How many of the bugs, the first ones, are shown: refuted ones are only counted. */
size_t ser_run_shown(const ser_run_report *report);

/* How many of the bugs, the first ones, were not refuted. */
size_t ser_run_standing(const ser_run_report *report);

/* How many threads took part in the run with most of them. */
uint64_t ser_run_threads(const ser_run_report *report);

/* What to change in the code to fix it: a sentence without its end, not escaped; NULL: not known.
 * To be freed. */
char *ser_run_advice(const ser_bug *bug);

/* Of the readable report. */
void ser_run_looked_text(const ser_run_trace *trace, FILE *file);
void ser_run_unmatched_text(const ser_run_report *report, FILE *file);
void ser_run_uncounted_text(const ser_run_report *report, FILE *file);
void ser_run_memory_error_text(const ser_bug *bug, FILE *file);
void ser_run_verdict_text(const ser_run_report *report, FILE *file);
/* Failures without a cause that is shown; and those that an entry of that id leads to. */
void ser_run_failures_text(const ser_run_report *report, FILE *file);
void ser_run_caused_text(const ser_run_report *report, const char *cause, FILE *file);
/* The command that repeats a run, or forces a schedule (NULL: none). */
void ser_run_again_text(const ser_run_report *report, size_t trace, const char *schedule,
                        FILE *file);

/* Runs of the program that were recorded for their own sake: the first so many traces. */
size_t ser_run_count(const ser_run_report *report);

/* A run after the first, of as many as there is time for, which a limit for those has cut, or kept
 * from being analysed to its end. There could always be more of them, so that nothing is left
 * undecided by that; but a run that may hang is. */
bool ser_run_is_cut_sample(const ser_run_report *report, size_t trace);

/* SER_VIOLATION, SER_UNDECIDED or SER_OK. */
ser_status ser_run_verdict(const ser_run_report *report);

/* Readable; the last line is the verdict. */
void ser_run_report_text(const ser_run_report *report, FILE *file);

/* The JSON object of the command line's contract. */
void ser_run_report_json(const ser_run_report *report, ser_json *json);

#endif
