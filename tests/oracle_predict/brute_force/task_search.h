/* SPDX-License-Identifier: MIT */
/*
 * task_search.h - a search engine that only the tests use.
 *
 * It runs a task by the words of predict/task/task.h, remembers the states it was in, and
 * is otherwise as simple as can be. Where it goes wrong, the task is: so mistakes in
 * tasks and segments are distinguished from mistakes of the real engines.
 */
#ifndef SER_ORACLE_TASK_SEARCH_H
#define SER_ORACLE_TASK_SEARCH_H

#include "predict/search.h"

extern const ser_search_engine task_search_engine;

/* What the engine gets wrong on purpose, so that self_test.c can see it caught. */
typedef enum task_flaw {
    FLAW_NONE,
    FLAW_NO_LOCKS,             /* locks keep nobody out */
    FLAW_SHARED_IS_EXCLUSIVE,  /* readers keep readers out */
    FLAW_STOPPED_RELEASES,     /* a thread that stops gives up its locks */
    FLAW_NO_NEEDS,             /* nothing has to happen before */
    FLAW_BROKEN_IS_ENOUGH,     /* what is needed may be a broken read */
    FLAW_NO_CLEAR,             /* any wait may be pending */
    FLAW_BROKEN_GOES_ON,       /* a broken read does not stop its thread */
    FLAW_BROKEN_NEVER_HAPPENS, /* reads only happen unbroken */
    FLAW_BROKEN_RMW_WRITES,
    FLAW_READS_CONFLICT,
    FLAW_NO_PROGRAM_ORDER, /* paths follow conflicts only */
    FLAW_NO_TRANSACTIONS,  /* other blocks are not contracted */
    FLAW_NO_MOVES,         /* each step is taken by itself */
    FLAW_FREED_GOES_ON,
    FLAW_NO_WAY_BACK, /* paths do not go back within a move */
    FLAW_COUNT
} task_flaw;

extern task_flaw task_search_flaw;
extern const char *const task_flaw_names[FLAW_COUNT];

#endif
