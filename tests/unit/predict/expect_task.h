/* SPDX-License-Identifier: MIT */
/*
 * expect_task.h - what tests of search engines expect of tasks in text (text_task.h).
 *
 * The test defines `decide`: the engine's answer, which it has compared with the definition.
 */
#ifndef EXPECT_TASK_H
#define EXPECT_TASK_H

#include <stdlib.h>

#include "random_task.h"
#include "task_definition.h"

/* 1: the engine is asked by the criterion of paths only. */
#ifndef EXPECTED_CRITERIA
#define EXPECTED_CRITERIA 2
#endif

static ser_outcome decide(const char *text, ser_criterion criterion);

static inline const char *criterion_name(ser_criterion criterion)
{
    return criterion == SER_CRITERION_PATH ? "path" : "serializability";
}

static inline ser_outcome by_definition(const ser_task *task, ser_criterion criterion)
{
    task_run run;
    task_run_init(&run, task);
    return task_run_can_violate(&run, criterion) ? SER_VIOLATED : SER_NO_VIOLATION;
}

/* The engine did not answer what the definition says. */
static inline void fail_by_definition(const char *text, ser_criterion criterion,
                                      ser_outcome expected)
{
    fail_msg("%s, %s: %s", text, criterion_name(criterion),
             expected == SER_VIOLATED ? "violation missed" : "violation invented");
}

static inline void expect_by(const char *text, ser_criterion criterion, ser_outcome expected)
{
    if (decide(text, criterion) != expected)
        fail_msg("%s, %s: another answer than the test has", text, criterion_name(criterion));
}

static inline void expect_all(const char *text, ser_outcome expected)
{
    for (int criterion = 0; criterion < EXPECTED_CRITERIA; criterion++)
        expect_by(text, (ser_criterion)criterion, expected);
}

static inline void expect_violation(const char *text)
{
    expect_all(text, SER_VIOLATED);
}

static inline void expect_none(const char *text)
{
    expect_all(text, SER_NO_VIOLATION);
}

/* How many random tasks of each kind: SER_TEST_TASKS in the environment, or as many. */
static inline int random_test_count(int standard)
{
    const char *tasks = getenv("SER_TEST_TASKS");
    return tasks ? (int)strtol(tasks, NULL, 10) : standard;
}

/* Which ones: SER_TEST_SEED. */
static inline uint64_t random_test_seed(void)
{
    const char *seed = getenv("SER_TEST_SEED");
    return seed ? strtoull(seed, NULL, 10) : 1;
}

#endif
