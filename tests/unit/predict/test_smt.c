/* SPDX-License-Identifier: MIT */
/* The engine "smt" on tasks made by hand, and on random ones against all their runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "common_tasks.h"
#include "predict/search.h"

static ser_outcome solve(const ser_task *task, ser_criterion criterion, bool bits)
{
    ser_search_options options = {.criterion = criterion, .smt_bits = bits};
    ser_answer answer;
    ser_search_smt.run(task, &options, &answer);
    ser_outcome outcome = answer.outcome;
    assert_int_not_equal(outcome, SER_UNKNOWN);
    if (outcome == SER_VIOLATED)
        assert_true(task_order_violates(task, answer.order.items, answer.order.count, criterion));
    ser_answer_fini(&answer);
    return outcome;
}

/* Compares with the definition, with both kinds of order variables. */
static ser_outcome decide(const char *text, ser_criterion criterion)
{
    ser_task *task = text_task(text);
    ser_outcome expected = by_definition(task, criterion);
    for (int bits = 0; bits < 2; bits++)
        if (solve(task, criterion, bits) != expected)
            fail_by_definition(text, criterion, expected);
    ser_task_destroy(task);
    return expected;
}

static void test_locks(void **state)
{
    (void)state;
    expect_none("1( 1am 1rx 1wx 1lm 1) 2am 2wx 2lm");
    expect_violation("1( 1am 1rx 1wx 1lm 1) 2wx");
    expect_violation("1( 1am 1rx 1wx 1lm 1) 2an 2wx 2ln");
}

/* A thread that stops at a broken read in its section keeps the lock. */
static void test_stopped_lock_holder(void **state)
{
    (void)state;
    expect_none("1( 1wx 1am 1wx 1lm 1) 2am 2wx 2ry? 2lm");
    expect_violation("1( 1wx 1am 1wx 1lm 1) 2am 2wx 2ry 2lm");
    expect_none("1( 1wx 1am 1wx 1lm 1) 2am 2wx");
}

static void test_locks_held_at_the_start(void **state)
{
    (void)state;
    expect_none("@3am 1( 1wx 1wx 1) 3wy 2am 2wx");
    expect_violation("@3am 1( 1wx 1wx 1) 3wy 3lm 2am 2wx");
    expect_violation("@3am @4sn 1( 1wx 1wx 1) 3wy 3lm 2am 2sn 2wx");
    expect_none("@3am @4sn 1( 1wx 1wx 1) 3wy 3lm 2am 2an 2wx");
}

/* 2n is the wait; what follows it needs the notify, and that needs the wait. */
static void test_wait_and_notify(void **state)
{
    (void)state;
    expect_violation("2n 1( 1wx 1n<1 1wx 1) 2wx<3");
    expect_none("2n 1( 1wx 1wx 1n<1 1) 2wx<4");
    expect_none("2n 1n<1 2wx<2 1( 1wx<3 1wx 1)");
}

/* The block's notify (1n) may not find the wait (2n) pending: it comes before it, or
 * after a step that ended it. */
static void test_clear_lists(void **state)
{
    (void)state;
    expect_violation("1( 1rx 1n!4 2wx 2n 2n 1rx 1)");
    expect_violation("1( 1rx 2wx 2n 2n 1n!3<3 1rx 1)");
    expect_none("1( 1rx 2wy 2n 1n!3<3 1rx 1) 3wx<2");
    /* Two waiters pending at one notify, as observed, are no obstacle. */
    expect_violation("2n 3n 1( 1wx 1n<1<2 2wx<4 3wx<4 1wx 1)");
}

static void test_reader_writer_lock(void **state)
{
    (void)state;
    expect_none("1( 1sm 1wx 1ry 1em 1) 2am 2rx 2wy 2lm");
    expect_violation("1( 1sm 1wx 1ry 1em 1) 2sm 2rx 2wy 2em");
    expect_none("1( 1am 1wx 1ry 1lm 1) 2sm 2rx 2wy 2em");
}

/* Thread 2 goes on only if it fails to get the lock. */
static void test_failed_try(void **state)
{
    (void)state;
    expect_violation("1am 1( 1rx 2n<2 2tm 2wx 1wx 1) 1lm");
    expect_none("1am 1( 1rx 1lm 2n<3 2tm 2wx 1wx 1)");
    expect_none("1am 2tm? 1lm 1( 1rx 1wx 1) 2wx");
    expect_violation("@3am 1( 1rx 2tm 2wx 1wx 1) 3lm");
    expect_none("@3am 1( 1rx 3lm<1 2n<2 2tm 2wx 1wx 1)");
    expect_violation("1sm 1( 1rx 2n<2 2tm 2wx 1wx 1) 1em");
}

/* A broken read-modify-write does not write. */
static void test_read_modify_write(void **state)
{
    (void)state;
    expect_none("1( 1rx 2ux? 1rx 1)");
    expect_violation("1( 1rx 2ux 1rx 1)");
    expect_violation("1( 1ux 1wy 2ux 1ux 1)");
    expect_violation("1( 1ux 1wy 1ux 1) 2ux");
    expect_none("1( 1wx 2wx 2ux<1 1) 1wy");
    expect_none("2wy 2ux? 1( 1rx 1ry 1)");
    /* Broken or not, it reads: the block's writes conflict with it. */
    expect_violation("1( 1wx 2ux? 1wx 1)");
}

/* A transaction may be left at an access before the one where it was entered. */
static void test_serializability_asks_for_more(void **state)
{
    (void)state;
    const char *text = "2{ 2ry 1( 1wx 1wy 1) 2rx 2}";
    expect_by(text, SER_CRITERION_PATH, SER_NO_VIOLATION);
    expect_by(text, SER_CRITERION_SERIALIZABILITY, SER_VIOLATED);
    expect_none("2ry 1( 1wx 1wy 1) 2rx");
    /* Through what follows the block in its thread. */
    text = "2{ 2rx 1( 1wx 1) 1wy 2ry 2}";
    expect_by(text, SER_CRITERION_PATH, SER_NO_VIOLATION);
    expect_by(text, SER_CRITERION_SERIALIZABILITY, SER_VIOLATED);
    /* Two others that lean on each other, but not on the block. */
    expect_none("2{ 2wx 3{ 3wx 3wy 3} 2ry 2} 1( 1wz 1wz 1)");
}

/* Steps that wait for each other, or for what cannot happen, never happen. */
static void test_steps_that_cannot_happen(void **state)
{
    (void)state;
    expect_none("1( 1rx 2wx<4 1wx 3wx<2 1)");
    expect_none("1( 1rx 2ry? 2wx 1wx 1)");
    expect_none("1( 1rx? 2wx 1wx 1)");
}

static void test_random_tasks(void **state)
{
    (void)state;
    static const random_sizes kinds[] = {
        {2, 9, 2, 0, 0, 0, 5, 5, 5, 0, 0},    {3, 9, 2, 0, 0, 20, 5, 0, 5, 0, 0},
        {3, 10, 2, 1, 40, 0, 5, 0, 2, 0, 0},  {3, 10, 3, 2, 40, 10, 10, 5, 5, 0, 0},
        {4, 9, 2, 0, 0, 0, 10, 10, 5, 0, 0},  {2, 11, 1, 1, 50, 10, 5, 0, 2, 0, 0},
        {3, 9, 3, 0, 0, 0, 20, 15, 0, 0, 0},  {3, 8, 1, 0, 0, 50, 0, 0, 5, 0, 0},
        {4, 10, 2, 1, 30, 10, 5, 5, 5, 0, 0}, {2, 11, 3, 2, 30, 0, 10, 20, 2, 0, 0},
        {3, 9, 3, 0, 0, 20, 0, 0, 5, 40, 0},  {3, 10, 3, 1, 20, 30, 5, 10, 2, 40, 0},
    };
    random_tally tally = decide_random_tasks(kinds, sizeof kinds / sizeof *kinds, 40);
    assert_in_range(tally.violated[0], tally.tasks / 8, tally.tasks - tally.tasks / 8);
    assert_true(tally.violated[1] > tally.violated[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        COMMON_TESTS,
        cmocka_unit_test(test_locks),
        cmocka_unit_test(test_stopped_lock_holder),
        cmocka_unit_test(test_locks_held_at_the_start),
        cmocka_unit_test(test_wait_and_notify),
        cmocka_unit_test(test_clear_lists),
        cmocka_unit_test(test_reader_writer_lock),
        cmocka_unit_test(test_failed_try),
        cmocka_unit_test(test_read_modify_write),
        cmocka_unit_test(test_serializability_asks_for_more),
        cmocka_unit_test(test_steps_that_cannot_happen),
        cmocka_unit_test(test_random_tasks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
