/* SPDX-License-Identifier: MIT */
/*
 * record.h - runs a program and makes a trace of it. The main header of src/record.
 *
 * While the program runs, what it records goes into a spool beside the trace
 * (T.srt.part); when it has ended, however it ended, the trace is made of it and the
 * spool removed. If that cannot be done (a full disk, a recorder that was killed),
 * the spool stays, and ser_finish makes the trace later. docs/recording.md
 *
 *     capture/   the program, its channel, and the file its records are kept in
 *     memory/    which bytes are which variable
 *     naming/    what variables, locks, threads and places are called
 *     events/    records become events: a survey of all, then the trace
 *     dump/      rings and spools as they are, printed for developers
 *     spooled.h  makes the trace once all records are there
 *     past.h     what a recording that begins in the middle of a run must know
 *
 * capture/ uses none of the others; outside of memory/ and naming/, files include only their main
 * headers (memory.h, naming.h).
 */
#ifndef SER_RECORD_RECORD_H
#define SER_RECORD_RECORD_H

#include "record/capture/limit.h"
#include "record/capture/program.h"
#include "record/events/finish.h"

typedef struct ser_record_options {
    char *const *command; /* the program and its arguments; NULL ends them */
    const char *trace;
    bool parallel;
    const char *runtime; /* for SERIATIM_OPTIONS; "" for none */
    ser_limit limit;
    bool verify, shared, redact; /* see finish.h */
    /* The schedule that the threads are to follow (runtime/core/turns/replay.h); none: they are
     * free. */
    const ser_turn *turns;
    size_t turn_count;
    bool elides;         /* while they follow it, as without one; false: only in */
    const ser_gap *gaps; /* what the run that is replayed has elided */
    size_t gap_count;
    /* Nondeterministic inputs of another run, to be given back (contract/inputs.h). */
    const ser_record *inputs;
    size_t input_count;
    const char *output;  /* file for what the program prints, both streams; NULL: as ours */
    const char *folder;  /* its working folder; NULL: ours */
    int input;           /* descriptor that is its standard input; 0: ours */
    uint64_t step_limit; /* steps of the schedule after which the program pauses until `look` raises
                            it; 0: none */
    /* Sees the records as they come, in order; may be NULL. False ends the program. */
    bool (*look)(void *context, ser_program *program, const ser_record *records, size_t count);
    /* Called again and again while the program runs; may be NULL. False: it is left running, and
     * not recorded any further. */
    bool (*tend)(void *context, ser_program *program);
    void *context;
    bool only_look; /* there is neither a spool nor a trace: `look` keeps what it needs */
    /* Once `look` has seen what it waited for (is_done; may be NULL), the program has this
     * many seconds left. */
    bool (*is_done)(const void *context);
    double grace;
    bool is_all_or_nothing; /* no trace is made if the deadline comes before is_done */
    bool owned;         /* all processes that the program starts are ended with it (program.h) */
    bool interruptible; /* a signal for us ends the program, if it does not end by itself */
    double deadline;    /* when the program is ended, by ser_clock_now(); 0: never */
    bool replaces;      /* a spool of that name, left by a recorder that died, may be replaced */
} ser_record_options;

typedef struct ser_record_outcome {
    int status;         /* of the program: its exit status, or 128 plus a signal */
    int signal;         /* that ended it; 0: none */
    bool instrumented;  /* it claimed the channel, and was not in vain; else there is no trace */
    bool is_java;       /* the program is `java` itself */
    bool deadlock;      /* all its threads waited; it was ended */
    bool out_of_time;   /* the budget was used up; it was ended */
    bool overran;       /* the deadline had come; it was ended */
    bool interrupted;   /* seriatim got a signal, and the program ended or was ended */
    double seconds;     /* that it ran */
    bool left;          /* running: `tend` returned false */
    bool dismissed;     /* `look` returned false, or the grace period is over; it was ended */
    char stopped[1024]; /* why recording ended before the program did; empty: it did not */
    ser_finish_result trace;
} ser_record_outcome;

/* A note of the trace of a program that a signal ended begins so. */
#define SER_RECORD_SIGNAL_NOTE "the program was ended by signal %d"

/*
 * The trace's spool, beside it. To be freed.
 */
char *ser_record_spool_path(const char *trace);

/* What went wrong with the program is in the outcome; what went wrong with the
 * recording is an error, and the message says where the records are. */
ser_status ser_record_program(const ser_record_options *options, ser_record_outcome *outcome,
                              ser_error *error);

#endif
