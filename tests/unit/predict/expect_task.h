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

typedef struct random_tally {
    uint32_t tasks;
    uint32_t violated[2], open[2]; /* by each criterion */
} random_tally;

static inline void decide_random_task(const char *text, random_tally *tally)
{
    tally->tasks++;
    for (int criterion = 0; criterion < 2; criterion++) {
        ser_outcome outcome = decide(text, (ser_criterion)criterion);
        tally->violated[criterion] += outcome == SER_VIOLATED;
        tally->open[criterion] += outcome == SER_UNKNOWN;
    }
}

/*
 * Has random tasks decided, by both criteria. SER_TEST_TASKS in the environment: how many of each
 * kind, instead of `standard`; SER_TEST_SEED: other ones.
 */
static inline random_tally decide_random_tasks(const random_sizes *kinds, size_t kind_count,
                                               uint32_t standard)
{
    const char *tasks = getenv("SER_TEST_TASKS"), *seed = getenv("SER_TEST_SEED");
    uint32_t count = tasks ? (uint32_t)strtoul(tasks, NULL, 10) : standard;
    uint64_t first = (seed ? strtoull(seed, NULL, 10) : 1) * 1000;
    random_tally tally = {0};
    for (size_t kind = 0; kind < kind_count; kind++) {
        task_random random = {first + kind};
        for (uint32_t i = 0; i < count; i++) {
            char text[RANDOM_TASK_LENGTH];
            random_task_text(&random, &kinds[kind], text);
            decide_random_task(text, &tally);
        }
    }
    print_message("%u random tasks, %u violated, %u not serializable, %u left open\n", tally.tasks,
                  tally.violated[0], tally.violated[1], tally.open[0]);
    return tally;
}

#endif
