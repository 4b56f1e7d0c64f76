/* SPDX-License-Identifier: MIT */
/*
 * failures.h - failures of whole runs: a signal ended the program, an exception that nobody catches
 * ended a thread, its exit status was not that of the first run, or all its threads waited forever.
 *
 * Two failures are the same if the same signal or exit status ended the program, or the same
 * places make the deadlock (waits.h), whichever threads they are and whoever else waits. Line
 * numbers are not part of the id, so that it survives unrelated changes. Failures own their texts.
 * Not thread-safe.
 */
#ifndef SER_BUGS_FAILURES_H
#define SER_BUGS_FAILURES_H

#include "base/vector.h"
#include "bugs/bugs.h"
#include "order/run.h"

typedef enum ser_failure_kind {
    SER_FAILURE_DEADLOCK,  /* all threads waited forever */
    SER_FAILURE_SIGNAL,    /* a signal ended the program */
    SER_FAILURE_EXCEPTION, /* that nobody catches, of a Java program */
    SER_FAILURE_EXIT,      /* another exit status than that of the first run */
    SER_FAILURE_USE_AFTER_FREE,
    SER_FAILURE_DOUBLE_FREE,
} ser_failure_kind;

/* Where a run diverges from a good one: the first event that differs. Texts that are unknown, or do
 * not apply, are empty; all are NULL if there is no such event, or the runs were not compared. */
typedef struct ser_difference {
    char *thread, *location; /* whose event, and where */
    char *variable; /* that it reads with a different value; "": the control flow differs */
    char *plain;    /* the variable as the source has it; NULL: not known */
    uint64_t value, expected;  /* what it reads, and read in the good run */
    char *writer, *written_at; /* the thread that wrote that value, and where */
    char *expected_writer;     /* the other thread that wrote the expected value; NULL: none */
    char *expected_written_at; /* and where; "": unknown */
    char *expected_location;   /* where the thread went in the good run */
} ser_difference;

typedef struct ser_failure {
    ser_failure_kind kind;
    int code;               /* the signal, or the exit status */
    SER_VECTOR(int) others; /* further exit statuses that are the same failure */
    char id[24];
    char *key;                 /* equal for the same failure */
    char *waits;               /* deadlock: one line per thread, where it waits for what; memory:
                                  what, who frees it, who uses it; exceptions: one line per
                                  thread; else "" */
    char *thread;              /* signal, exit: of the last event; "" if there is none */
    char *function;            /* where that was; "": unknown */
    char *location;            /* the same, or where the first thread waits; "": unknown */
    char *freed_at;            /* memory: where it is freed; else NULL */
    char *freed_by;            /* memory: the function that does it; else NULL */
    char *allocated_at;        /* memory: where it was allocated, "": unknown; else NULL */
    char *last_step;           /* signal, exit: what that event does, in words; NULL: not known */
    char *last_words;          /* what the program printed last; NULL: not known, or not asked */
    char *schedule;            /* that led to it, in a replay; NULL: it was a run */
    size_t seen;               /* trace of the first run with it, or of the one that was replayed */
    size_t trace;              /* the same, or that of a run with fewer context switches */
    uint64_t switches;         /* context switches of `trace`, */
    uint64_t seen_switches;    /* and of `seen`; 0: no shorter one was looked for */
    uint64_t runs;             /* with it */
    SER_VECTOR(size_t) traces; /* of these; not of replays by a schedule */
    ser_difference difference; /* from the first run */
    char *cause_key;           /* key of a violation that the run has; NULL: none is known */
    char cause[24];            /* id of the violation, or of the memory error, that leads to it; "":
                                  none is known */
    bool is_beside;            /* that is about the same data; whether it leads to this failure is
                                  not known */
} ser_failure;

typedef SER_VECTOR(ser_failure) ser_failures;

/* "deadlock", "use after free" */
const char *ser_failure_kind_name(ser_failure_kind kind);

void ser_failures_fini(ser_failures *failures);
void ser_failure_fini(ser_failure *failure);

/* A deadlock of run `trace`, or of a replay of it by a schedule (not NULL). `messages` are those of
 * the recording; some of them say which thread waits for what. */
void ser_failures_add_deadlock(ser_failures *failures, size_t trace, const char *schedule,
                               const char *messages, size_t size);

/* Exceptions that ended threads, as messages of the recording name them: equal for the same ones;
 * "": there are none. To be freed. */
char *ser_failure_exceptions(const char *messages, size_t size);
/* False: there are none. */
bool ser_failures_add_exceptions(ser_failures *failures, size_t trace, const char *messages,
                                 size_t size);

/* A signal or an exit status; `run` is what was recorded (NULL: nothing). */
void ser_failures_add_ending(ser_failures *failures, ser_failure_kind kind, int code, size_t trace,
                             const ser_run *run);

/* Memory that was used or freed after it was freed, in a run that was recorded. */
void ser_failures_add_memory_errors(ser_failures *failures, size_t trace, const ser_run *run);

/* Which violation, or memory error, leads to which failure? One bug is one entry: a failure that
 * has a cause is reported with it. To be called when the bugs have their ids. */
void ser_failures_find_causes(ser_failures *failures, const ser_bugs *bugs);

/* Where a run ended by a signal or a status: the number of its last event, or of the last one of
 * the thread that is more likely to have failed; 0: there is none. */
uint32_t ser_find_last_event(const ser_run *run);

/* The same failure in another run, which it is shown by from now on. */
void ser_failure_end_in(ser_failure *failure, const ser_run *run);

/* Did that recorded run fail so? */
bool ser_failure_is_in(const ser_failure *failure, size_t trace);

/* Takes the failure over: as a new one, or as one more run of a known one. */
void ser_failures_add(ser_failures *failures, ser_failure *failure);

/* A program that ends with many statuses, one of which is as good as the other (a sum, or nothing
 * at all that was returned), fails in one way. */
void ser_failures_unite_statuses(ser_failures *failures);

/* Finds where the bad run diverges from the good one; false if it does not. If true, the result
 * must be finished. */
bool ser_find_difference(const ser_run *good, const ser_run *bad, ser_difference *difference);
void ser_difference_fini(ser_difference *difference);

#endif
