/* SPDX-License-Identifier: MIT */
/* Saturation on tasks made by hand, and on random ones against all their runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "predict/saturation/saturation.h"
#define EXPECTED_CRITERIA 1
#include "common_tasks.h"

static ser_outcome solve(const ser_task *task, const ser_search_options *options)
{
    ser_answer answer = {.outcome = SER_UNKNOWN};
    ser_search_saturation.run(task, options, &answer);
    ser_outcome outcome = answer.outcome;
    if (outcome == SER_VIOLATED)
        assert_true(
            task_order_violates(task, answer.order.items, answer.order.count, options->criterion));
    ser_answer_fini(&answer);
    return outcome;
}

/* The engine may leave a task open, but not be wrong. */
static ser_outcome decide(const char *text, ser_criterion criterion)
{
    ser_task *task = text_task(text);
    ser_search_options options = {.criterion = criterion};
    ser_outcome outcome = solve(task, &options), right = by_definition(task, criterion);
    if (outcome != SER_UNKNOWN && outcome != right)
        fail_by_definition(text, criterion, right);
    ser_task_destroy(task);
    return outcome;
}

static void test_one_thread(void **state)
{
    (void)state;
    /* the other thread must have seen a write that comes too late, or too early */
    expect_none("1( 1wx 1wy 1) 1wz 2rz 2rx 2wy");
    expect_none("2rx 1( 1wx 1wy 1) 2ry");
}

static void test_several_threads(void **state)
{
    (void)state;
    expect_violation("1( 1wx 1wz 1) 2rx 2wa 3ra 3wb 4rb 4wc 5rc 5rz");
    expect_none("1( 1wx 1wz 1) 2rx 2ra 3ra 3rz");
    expect_none("3ra 2rx 2wa 1( 1wx 1wz 1) 3rz");
    /* the path would have to come through thread 2 before it gets there */
    expect_none("2wy 2rx 1( 1wx 1wz 1) 3ry 3rz");
}

static void test_reads(void **state)
{
    (void)state;
    /* a write that comes before a read comes before what the read sees */
    expect_none("1wa 2ra 2wb 1( 1wx 1rb 1wx 1) 1wa 2ra 2rx");
}

/* A section that must come before the block must be left before it, too. */
static void test_sections(void **state)
{
    (void)state;
    expect_none("1am 1wy 1( 1rx 1wx 1) 1lm 2ry 2am 2lm 2wx");
}

/* By serializability, what is proven for paths is not enough. */
static void test_serializability(void **state)
{
    (void)state;
    assert_int_equal(decide("1( 1rx 1wx 1) 2wx", SER_CRITERION_SERIALIZABILITY), SER_VIOLATED);
    assert_int_equal(decide("1( 1wx 1wy 1) 2wx 3wy", SER_CRITERION_SERIALIZABILITY), SER_UNKNOWN);
}

static void test_limits(void **state)
{
    (void)state;
    ser_task *task = text_task("1( 1wx 1wx 1) 2wx");
    atomic_bool stop = true;
    assert_int_equal(solve(task, &(ser_search_options){.memory = 1}), SER_UNKNOWN);
    assert_int_equal(solve(task, &(ser_search_options){.deadline = 1}), SER_UNKNOWN);
    assert_int_equal(solve(task, &(ser_search_options){.stop = &stop}), SER_UNKNOWN);
    ser_task_destroy(task);
}

static void test_random(void **state)
{
    (void)state;
    random_tally tally = decide_random_tasks(common_kinds, COMMON_KINDS, 1000);
    assert_in_range(tally.open[0], 0, tally.tasks / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        COMMON_TESTS,
        cmocka_unit_test(test_one_thread),
        cmocka_unit_test(test_several_threads),
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_serializability),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
