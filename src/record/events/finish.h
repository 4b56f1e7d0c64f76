/* SPDX-License-Identifier: MIT */
/*
 * finish.h - from a spool to a trace: the second pass over the records. The door of
 * src/record/events, with survey.h, the first pass.
 *
 * Walks through the spool as the survey did, so that objects get the same ids, and turns records
 * into events: an access becomes one event for each cell it covers, together one multi-variable
 * access; a range one event per cell. What could not be recorded is stated in the trace's notes.
 * Memory: names, and four bytes a cell.
 */
#ifndef SER_RECORD_EVENTS_FINISH_H
#define SER_RECORD_EVENTS_FINISH_H

#include "base/status.h"
#include "record/events/survey.h"

typedef struct ser_finish_options {
    const char *spool, *trace;
    bool verify;   /* compare what is read with what was written */
    bool shared;   /* elide what only one thread accesses; the survey must have watched sharing */
    bool redact;   /* leave out what was read and written */
    uint64_t lost; /* events that the runtime could not record, in all, if that is known */
    const char **notes; /* more sentences for the trace; NULL ends them. May be NULL */
} ser_finish_options;

typedef struct ser_finish_result {
    uint64_t events;
    uint64_t lost;             /* events that the runtime could not record */
    uint64_t turns;            /* that there were; 0: not known */
    uint64_t stolen;           /* times that a thread lost its turn while it computed elsewhere */
    uint64_t mismatches;       /* with verify: values read that were not written */
    uint64_t elided;           /* operations that the trace only counts */
    uint64_t late;             /* ordered-last accesses: they follow elided ones (SER_EVENT_LATE) */
    bool cut;                  /* the spool does not end with a whole block */
    SER_VECTOR(char) messages; /* for people, lines: the deadlock, the first mismatch */
} ser_finish_result;

/* The note of a trace whose values were left out. */
#define SER_FINISH_REDACTED "values and inputs were left out (--redact)"

/* The note that says which build of the program was recorded begins so; its build id follows. */
#define SER_FINISH_BUILD "build of the program: "

/* `survey` is the survey of this spool; NULL: one is made here. It cannot be used again. On
 * failure no trace is left behind. result->messages is the caller's to free. */
ser_status ser_finish(const ser_finish_options *options, ser_record_survey *survey,
                      ser_finish_result *result, ser_error *error);

#endif
