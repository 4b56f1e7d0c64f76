/* SPDX-License-Identifier: MIT */
/*
 * program.h - inside of program_trace: programs, and who writes and runs them.
 */
#ifndef SER_ORACLE_PROGRAM_H
#define SER_ORACLE_PROGRAM_H

#include "operations.h"
#include "random.h"
#include "random_trace.h"

enum { MOST_THREADS = 8, MOST_STATEMENTS = 48, LOCKS = 3, CONDITIONS = 2 };

typedef struct statement {
    ser_op op;
    uint32_t object;
} statement;

typedef struct program {
    statement statements[MOST_STATEMENTS];
    size_t count, at;
    uint32_t depth[LOCKS], shared_depth[LOCKS]; /* while it is written, then while it runs */
    bool must_be_forked, forked, joined;
    bool waiting, notified;
} program;

typedef struct author {
    random_source random;
    trace_profile profile;
    program programs[MOST_THREADS];
    uint32_t threads, variables, locks;
    /* Chances in percent. */
    uint32_t blocks, sections, writes, guarded, disciplined, synchronised, open, stick;
    event_list *events;
    size_t wanted, written; /* statements */
} author;

/* Interleaves the programs into author->events (program_schedule.c). */
void run_programs(author *a);

#endif
