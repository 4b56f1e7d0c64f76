/* SPDX-License-Identifier: MIT */
/* The engine "dpor" on tasks made by hand, and on random ones against all their runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "common_tasks.h"
#include "predict/dpor/explore.h"
#include "predict/dpor/probe.h"

static ser_answer solve_within(const ser_task *task, ser_criterion criterion, uint32_t switches)
{
    ser_search_options options = {.criterion = criterion, .switches = switches};
    ser_answer answer;
    ser_search_dpor.run(task, &options, &answer);
    return answer;
}

static ser_outcome solve(const ser_task *task, ser_criterion criterion)
{
    ser_answer answer = solve_within(task, criterion, UINT32_MAX);
    ser_outcome outcome = answer.outcome;
    assert_int_not_equal(outcome, SER_UNKNOWN);
    if (outcome == SER_VIOLATED)
        assert_true(task_order_violates(task, answer.order.items, answer.order.count, criterion));
    ser_answer_fini(&answer);
    return outcome;
}

/* The search without bounds alone: narrower ones before it could hide what it misses. */
static ser_outcome explore_at_once(const ser_task *task, ser_criterion criterion)
{
    ser_search_options options = {.criterion = criterion};
    ser_answer answer = {.outcome = SER_NO_VIOLATION};
    ser_dpor_result result = ser_explore(task, criterion, &options, UINT32_MAX, &answer);
    if (result == SER_EXPLORED_FOUND)
        assert_true(task_order_violates(task, answer.order.items, answer.order.count, criterion));
    ser_answer_fini(&answer);
    assert_true(result == SER_EXPLORED_FOUND || result == SER_EXPLORED_ALL);
    return result == SER_EXPLORED_FOUND ? SER_VIOLATED : SER_NO_VIOLATION;
}

/* The engine's answer, which must be that of the definition. */
static ser_outcome decide(const char *text, ser_criterion criterion)
{
    ser_task *task = text_task(text);
    ser_outcome expected = by_definition(task, criterion);
    if (solve(task, criterion) != expected || explore_at_once(task, criterion) != expected)
        fail_by_definition(text, criterion, expected);
    ser_task_destroy(task);
    return expected;
}

static void test_different_locks(void **state)
{
    (void)state;
    expect_violation("1am 1( 1rx 1wx 1) 1lm 2ak 2wx 2lk");
}

/* A race that only one order of what comes after the block shows: pruning there as in
 * the paper would miss it. */
static void test_race_behind_the_block(void **state)
{
    (void)state;
    expect_violation("1( 1rx 1wx 1) 2ry 2wx 3wy");
    expect_violation("1( 1rx 1wx 1) 2ry 2rz 2wx 3wy 4wz");
}

static void test_needs(void **state)
{
    (void)state;
    expect_none("1( 1rx 1wx 1) 1n 2wx<3");
    expect_violation("1( 1rx 1wx 1) 1n 2n 2wx");
    expect_violation("1( 1rx 1n 1wx 1) 2wx<2");
    expect_violation("1( 1rx 1rx 1) 2ux");
}

static void test_moves(void **state)
{
    (void)state;
    expect_none("1( 1rx+ 1rx 1) 2wx");
    expect_violation("1( 1wy 1wx 1) 2rx+ 2ry");
    expect_none("1( 1wy 1wx 1) 2rx 2ry");
    expect_none("1( 1rx 1rx 1) 1wy 2ux+ 2uy");
    /* the other's write would keep the block's last move from writing */
    expect_violation("1( 1uc 1ua+ 1ub 2wa 3rc+ 3rb 1)");
}

static void test_failed_tries(void **state)
{
    (void)state;
    expect_violation("2am 3tm 2lm 1( 1rx 1wx 1) 3wx");
    /* the lock is free again before the block can start */
    expect_none("2am 3tm 2lm 1( 1rx<3 1wx 1) 3rx 3wx<4");
    expect_none("2am 2lm 3tm? 1( 1rx 1wx 1) 3wx");
}

static void test_serializability(void **state)
{
    (void)state;
    const char *text = "2{ 2rx 1( 1wx 1wy 1) 2ry 2}";
    expect_by(text, SER_CRITERION_PATH, SER_NO_VIOLATION);
    expect_by(text, SER_CRITERION_SERIALIZABILITY, SER_VIOLATED);
}

static bool probe(const char *text)
{
    ser_task *task = text_task(text);
    ser_search_options options = {.switches = UINT32_MAX};
    ser_answer answer = {.outcome = SER_NO_VIOLATION};
    bool found = ser_probe(task, &options, &answer);
    if (found)
        assert_true(
            task_order_violates(task, answer.order.items, answer.order.count, SER_CRITERION_PATH));
    ser_answer_fini(&answer);
    ser_task_destroy(task);
    return found;
}

static void test_probing(void **state)
{
    (void)state;
    assert_true(probe("1( 1rx 1wx 1) 2wx"));
    assert_true(probe("1( 1rx 1ry 1rx 1wz 1) 3wz 3wy 3wa 2ra 2wx"));
    assert_false(probe("1am 1( 1rx 1wx 1) 1lm 2am 2wx 2lm"));
    assert_false(probe("1( 1wx 1) 2wx"));
    /* thread 2 would have to be late, not the block: this is left to the search */
    assert_false(probe("2wx 1( 1wx 1wx 1)"));
    expect_violation("2wx 1( 1wx 1wx 1)");
}

static uint64_t explored(const char *text)
{
    ser_task *task = text_task(text);
    ser_answer answer = solve_within(task, SER_CRITERION_PATH, UINT32_MAX);
    assert_int_equal(answer.outcome, SER_NO_VIOLATION);
    ser_task_destroy(task);
    ser_answer_fini(&answer);
    return answer.explored;
}

/* What is independent is not tried in several orders. */
static void test_reduction(void **state)
{
    (void)state;
    assert_in_range(explored("1( 1wx 1wy 1) 2wx 3wy 4wa 4wb 5wc 5wd 6we 6wf"), 1, 8);
    assert_in_range(explored("1am 1( 1wx 1wy 1) 1lm 2am 2wx 2wy 2lm 3wa 4wb"), 1, 8);
}

static void test_bound_on_switches(void **state)
{
    (void)state;
    /* Thread 1 could go on when it has to be left. */
    ser_task *task = text_task("1( 1rx 1rx 1wy 1) 2wx 3wy");
    ser_answer answer = solve_within(task, SER_CRITERION_PATH, 0);
    assert_int_equal(answer.outcome, SER_UNKNOWN);
    assert_int_equal(answer.reason, SER_REASON_SWITCHES);
    ser_answer_fini(&answer);
    answer = solve_within(task, SER_CRITERION_PATH, 1);
    assert_int_equal(answer.outcome, SER_VIOLATED);
    ser_answer_fini(&answer);
    ser_task_destroy(task);
}

static void test_limits(void **state)
{
    (void)state;
    ser_task *task = text_task("1( 1wx 1wy 1) 2wx 3wy");
    ser_search_options options = {.memory = 1};
    ser_answer answer;
    ser_search_dpor.run(task, &options, &answer);
    assert_int_equal(answer.outcome, SER_UNKNOWN);
    assert_int_equal(answer.reason, SER_REASON_MEMORY);
    ser_answer_fini(&answer);
    ser_task_destroy(task);
}

/* So many threads and steps that it cannot end before it is asked to. */
static void test_stop(void **state)
{
    (void)state;
    char text[512] = "1( 1wx 1wy 1)";
    for (int thread = 2; thread < 10; thread++)
        for (int i = 0; i < 5; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), " %dwz", thread);
    strcat(text, " 2wx 3wy");
    ser_task *task = text_task(text);
    atomic_bool stop = true;
    ser_search_options options = {.switches = UINT32_MAX, .stop = &stop};
    ser_answer answer;
    ser_search_dpor.run(task, &options, &answer);
    assert_int_equal(answer.outcome, SER_UNKNOWN);
    assert_int_equal(answer.reason, SER_REASON_INTERRUPTED);
    ser_answer_fini(&answer);
    options = (ser_search_options){.switches = UINT32_MAX, .deadline = 1};
    ser_search_dpor.run(task, &options, &answer);
    assert_int_equal(answer.reason, SER_REASON_TIME);
    ser_answer_fini(&answer);
    ser_task_destroy(task);
}

static void test_random(void **state)
{
    (void)state;
    random_tally tally = decide_random_tasks(common_kinds, COMMON_KINDS, 400);
    assert_true(tally.violated[1] > tally.violated[0] && tally.violated[0] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        COMMON_TESTS,
        cmocka_unit_test(test_different_locks),
        cmocka_unit_test(test_race_behind_the_block),
        cmocka_unit_test(test_needs),
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_failed_tries),
        cmocka_unit_test(test_serializability),
        cmocka_unit_test(test_probing),
        cmocka_unit_test(test_reduction),
        cmocka_unit_test(test_bound_on_switches),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
