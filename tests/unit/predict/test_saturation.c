/* SPDX-License-Identifier: MIT */
/* Saturation on tasks made by hand, and on random ones against all their runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "predict/saturation/saturation.h"
#define EXPECTED_CRITERIA 1
#include "expect_task.h"

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
    expect_violation("1( 1rx 1wx 1) 2wx");
    expect_violation("1( 1wx 1wy 1) 2wx 2wy");
    expect_none("1( 1rx 1rx 1) 2rx");
    expect_none("1( 1wx 1wy 1) 2wx 3wy");
    expect_none("1( 1rx 1) 1wx 2wx");
    expect_none("1n 2wx");
    /* the other thread must have seen a write that comes too late, or too early */
    expect_none("1( 1wx 1wy 1) 1wz 2rz 2rx 2wy");
    expect_none("2rx 1( 1wx 1wy 1) 2ry");
}

static void test_several_threads(void **state)
{
    (void)state;
    expect_violation("1( 1wx 1wz 1) 2rx 2wy 3ry 3rz");
    expect_violation("1( 1wx 1wz 1) 2rx 2wa 3ra 3wb 4rb 4wc 5rc 5rz");
    expect_none("1( 1wx 1wz 1) 2rx 2ra 3ra 3rz");
    expect_none("3ra 2rx 2wa 1( 1wx 1wz 1) 3rz");
    /* the path would have to come through thread 2 before it gets there */
    expect_none("2wy 2rx 1( 1wx 1wz 1) 3ry 3rz");
}

static void test_reads(void **state)
{
    (void)state;
    /* what thread 3 has read must not be overwritten before it has */
    expect_violation("3rx 2wx 1( 1rx 1ry 1ry 1) 3wy");
    expect_none("3wz 3rx 2wx 1( 1rx 1wz 1ry 1) 3wy");
    /* a write that comes before a read comes before what the read sees */
    expect_none("1wa 2ra 2wb 1( 1wx 1rb 1wx 1) 1wa 2ra 2rx");
    expect_violation("1( 1ux 1ux 1) 2ux");
    expect_none("1( 1rx 1rx 1) 3ny 3wx<2 2ux");
}

static void test_locks(void **state)
{
    (void)state;
    expect_none("1am 1( 1rx 1wx 1) 1lm 2am 2wx 2lm");
    expect_none("1sm 1( 1rx 1rx 1) 1em 2am 2wx 2lm");
    expect_violation("1sm 1( 1rx 1rx 1) 1em 2sm 2wx 2em");
    expect_none("@1am 1( 1rx 1wx 1) 1lm 2am 2wx 2lm");
    expect_none("@2am 2wx 2lm 1am 1( 1rx 1wx 1) 1lm");
    expect_violation("1( 1am 1rx 1lm 1am 1wx 1lm 1) 2am 2wx 2lm");
    /* what a stopped thread holds it keeps */
    expect_violation("1( 1wx 3am 3rx 3rz 3ry 3lm 1am 1wz 1lm 1)");
    expect_none("1( 1wx 3am 3rx 3rz 3ry? 3lm 1am 1wz 1lm 1)");
    /* a section that must come before the block must be left before, too */
    expect_none("1am 1wy 1( 1rx 1wx 1) 1lm 2ry 2am 2lm 2wx");
}

static void test_waits(void **state)
{
    (void)state;
    expect_violation("1( 1rx 1wx 1) 2n!4 3n 3n 2wx");
    expect_violation("3n 3n 2n!1 1( 1rx 1wx 1) 2wx");
    expect_none("3n 2n<1!1 1( 1rx 1wx 1) 2wx");
    expect_violation("3n 3ry? 2n<1!1 1( 1rx 1wx 1) 2wx");
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

typedef struct tally {
    int tasks, open;
} tally;

static void compare_random(uint64_t seed, const random_sizes *sizes, int count, tally *sums)
{
    task_random random = {seed};
    char text[RANDOM_TASK_LENGTH];
    for (int i = 0; i < count; i++) {
        random_task_text(&random, sizes, text);
        sums->tasks++;
        sums->open += decide(text, SER_CRITERION_PATH) == SER_UNKNOWN;
        (void)decide(text, SER_CRITERION_SERIALIZABILITY);
    }
}

/* SER_TEST_TASKS in the environment: how many of each kind; SER_TEST_SEED: other ones. */
static void test_random(void **state)
{
    (void)state;
    static const random_sizes sizes[] = {
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
    int count = random_test_count(1000);
    uint64_t seed = random_test_seed();
    tally sums = {0, 0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        compare_random(seed * 1000 + i, &sizes[i], count, &sums);
    print_message("%d tasks, %d left open\n", sums.tasks, sums.open);
    assert_in_range(sums.open, 0, sums.tasks / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_thread), cmocka_unit_test(test_several_threads),
        cmocka_unit_test(test_reads),      cmocka_unit_test(test_locks),
        cmocka_unit_test(test_waits),      cmocka_unit_test(test_serializability),
        cmocka_unit_test(test_limits),     cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
