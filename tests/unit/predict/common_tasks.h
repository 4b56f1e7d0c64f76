/* SPDX-License-Identifier: MIT */
/*
 * common_tasks.h - hand-made tasks that every search engine must decide, and kinds of random ones.
 */
#ifndef COMMON_TASKS_H
#define COMMON_TASKS_H

#include "expect_task.h"

static inline void test_common_conflicts(void **state)
{
    (void)state;
    expect_violation("1( 1rx 1wx 1) 2wx");
    expect_none("1( 1rx 1rx 1) 2rx");
    expect_none("1( 1wx 1) 2wx");
    expect_none("1( 1rx 1) 1wx 2wx");
    expect_none("1n 2wx");
    expect_none("1( 1wx 1wy 1) 2wx 3wy");
    expect_violation("1( 1wx 1wy 1) 2wx 2wy");
    expect_violation("1( 1wx 1wz 1) 2rx 2wy 3ry 3rz");
    expect_violation("1( 1ux 1ux 1) 2ux");
    expect_none("1( 1rx 1rx 1) 3ny 3wx<2 2ux");
}

static inline void test_common_locks(void **state)
{
    (void)state;
    expect_none("1am 1( 1rx 1wx 1) 1lm 2am 2wx 2lm");
    expect_violation("1( 1am 1rx 1lm 1am 1wx 1lm 1) 2am 2wx 2lm");
    /* read locks do not exclude each other, but writers */
    expect_violation("1sm 1( 1rx 1rx 1) 1em 2sm 2wx 2em");
    expect_none("1sm 1( 1rx 1rx 1) 1em 2am 2wx 2lm");
    /* what is held at the start */
    expect_none("@1am 1( 1rx 1wx 1) 1lm 2am 2wx 2lm");
    expect_none("@2am 2wx 2lm 1am 1( 1rx 1wx 1) 1lm");
    /* Thread 3 can leave its section only if it reads y as it did; stopped there, it keeps the lock
     * that the block needs. */
    expect_violation("1( 1wx 3am 3rx 3rz 3ry 3lm 1am 1wz 1lm 1)");
    expect_none("1( 1wx 3am 3rx 3rz 3ry? 3lm 1am 1wz 1lm 1)");
}

/* Of two traces that a literal reading of the paper's segment confuses, in the first
 * thread 3 must read x before the write that the block needs, in the second it cannot. */
static inline void test_common_contested_reads(void **state)
{
    (void)state;
    expect_violation("3rx 2wx 1( 1rx 1ry 1ry 1) 3wy");
    expect_none("3wz 3rx 2wx 1( 1rx 1wz 1ry 1) 3wy");
}

/* A notify of thread 2 that may not find thread 3 waiting. */
static inline void test_common_waits(void **state)
{
    (void)state;
    expect_violation("1( 1rx 1wx 1) 2n!4 3n 3n 2wx");
    expect_violation("3n 3n 2n!1 1( 1rx 1wx 1) 2wx");
    expect_none("3n 2n<1!1 1( 1rx 1wx 1) 2wx");
    /* a read of another write, which no later step needs, ends the wait */
    expect_violation("3n 3ry? 2n<1!1 1( 1rx 1wx 1) 2wx");
}

#define COMMON_TESTS                                                                               \
    cmocka_unit_test(test_common_conflicts), cmocka_unit_test(test_common_locks),                  \
        cmocka_unit_test(test_common_contested_reads), cmocka_unit_test(test_common_waits)

static const random_sizes common_kinds[] = {
    {.threads = 2, .steps = 8, .variables = 2, .locks = 1, .lock_percent = 30},
    {.threads = 3, .steps = 9, .variables = 2, .locks = 2, .lock_percent = 40},
    {.threads = 3, .steps = 8, .variables = 3, .rmw_percent = 30, .noise_percent = 3},
    {.threads = 4, .steps = 9, .variables = 2, .locks = 1, .lock_percent = 50},
    {.threads = 4, .steps = 9, .variables = 3, .need_percent = 15, .clear_percent = 15},
    {.threads = 5, .steps = 9, .variables = 4, .lock_percent = 10, .locks = 2},
    {.threads = 3,
     .steps = 10,
     .variables = 3,
     .locks = 2,
     .lock_percent = 30,
     .rmw_percent = 10,
     .need_percent = 5,
     .clear_percent = 10,
     .noise_percent = 2},
    {.threads = 3, .steps = 9, .variables = 3, .rmw_percent = 20, .join_percent = 40},
    {.threads = 4,
     .steps = 10,
     .variables = 3,
     .locks = 1,
     .lock_percent = 20,
     .rmw_percent = 30,
     .need_percent = 5,
     .clear_percent = 10,
     .noise_percent = 2,
     .join_percent = 40},
};
enum { COMMON_KINDS = sizeof common_kinds / sizeof *common_kinds };

#endif
