/* SPDX-License-Identifier: MIT */
/* Which writes reads accept, and how far threads go, in each model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>
#include <stdio.h>

#include "predict/model.h"
#include "unit/small_run.h"

typedef struct fixture {
    small_trace trace;
    ser_run *run;
    ser_reads reads;
} fixture;

/* values: of the events, in order; -1: none. */
static fixture start(const char *text, const int *values)
{
    fixture f = {.trace = small_trace_of(text)};
    for (size_t i = 0; i < f.trace.count; i++) {
        if (values[i] < 0)
            continue;
        f.trace.events[i].value = (uint64_t)values[i];
        f.trace.events[i].flags |= SER_EVENT_HAS_VALUE;
    }
    f.run = small_run_of(&f.trace);
    ser_model_make_data(&f.reads, f.run);
    return f;
}

static void end(fixture *f)
{
    ser_reads_fini(&f->reads);
    ser_run_destroy(f->run);
    small_trace_free(&f->trace);
}

static void test_equal_values_are_accepted(void **state)
{
    (void)state;
    fixture f = start("T1|w(x) T1|r(x) T2|w(x) T2|w(x) T2|w(y)", (int[]){7, 7, 8, 7, 7});
    assert_true(ser_reads_accepts(&f.reads, 2, 1));
    assert_false(ser_reads_accepts(&f.reads, 2, 3));
    assert_true(ser_reads_accepts(&f.reads, 2, 4));
    assert_false(ser_reads_accepts(&f.reads, 2, 5));
    assert_false(ser_reads_accepts(&f.reads, 2, 0)); /* nobody has read it */
    assert_int_equal(f.reads.rules.items[2].limit, SER_LIMIT_NEXT);
    end(&f);
}

static void test_the_initial_value_counts_if_it_was_read(void **state)
{
    (void)state;
    fixture f = start("T1|r(x) T2|w(x) T2|w(x) T3|r(x)", (int[]){0, 1, 0, 0});
    assert_true(ser_reads_accepts(&f.reads, 1, 0));
    assert_true(ser_reads_accepts(&f.reads, 1, 3));
    assert_true(ser_reads_accepts(&f.reads, 4, 0));
    assert_false(ser_reads_accepts(&f.reads, 4, 2));
    end(&f);
}

/* A thread that is not in the trace wrote 9, and perhaps more. */
static void test_missing_writes_spoil_their_variable(void **state)
{
    (void)state;
    fixture f = start("T1|w(x) T1|r(x) T2|w(x) T2|r(x) T1|w(y) T2|w(y) T2|r(y)",
                      (int[]){7, 9, 7, 7, 1, 1, 1});
    assert_false(ser_reads_accepts(&f.reads, 2, 3));
    assert_false(ser_reads_accepts(&f.reads, 4, 1));
    assert_true(ser_reads_accepts(&f.reads, 7, 5));
    end(&f);
}

static void test_two_initial_values_are_a_missing_write(void **state)
{
    (void)state;
    fixture f = start("T1|r(x) T2|r(x) T1|w(x)", (int[]){1, 2, 1});
    assert_false(ser_reads_accepts(&f.reads, 1, 3));
    end(&f);
}

static void test_without_values_nothing_is_accepted(void **state)
{
    (void)state;
    fixture f = start("T1|w(x) T1|r(x) T2|w(x) T2|r(x)", (int[]){7, -1, -1, 7});
    assert_false(ser_reads_accepts(&f.reads, 2, 3));
    assert_false(ser_reads_accepts(&f.reads, 4, 3));
    assert_true(ser_reads_accepts(&f.reads, 4, 1));
    end(&f);
}

/* It may be a compare-exchange, and its value is what it wrote. */
static void test_updates_accept_nothing(void **state)
{
    (void)state;
    fixture f = start("T1|w(x) T1|rmw(x) T2|w(x) T2|r(x)", (int[]){7, 8, 7, 7});
    assert_false(ser_reads_accepts(&f.reads, 2, 3));
    assert_false(f.reads.writes_anyway.items[2]);
    end(&f);
}

/* By the first event of the text; `flows`: of the events, in order. */
static void expect_limit(const char *text, const uint16_t *flows, uint32_t limit)
{
    fixture f = {.trace = small_trace_of(text)};
    for (size_t i = 0; i < f.trace.count; i++)
        f.trace.events[i].flow = flows[i];
    f.run = small_run_of(&f.trace);
    ser_model_make_data(&f.reads, f.run);
    assert_int_equal(f.reads.rules.items[1].limit, limit);
    end(&f);
}

enum { DATA = SER_FLOW_DATA, RAN = SER_FLOW_RAN, LEAVES = SER_FLOW_LEAVES };

static void test_a_read_that_is_data_only_has_no_limit(void **state)
{
    (void)state;
    expect_limit("T1|r(x) T1|w(x) T2|w(x) T1|r(x)", (uint16_t[]){DATA, 0, 0, 0}, SER_LIMIT_NONE);
    expect_limit("T1|r(x) T1|w(x) T2|w(x) T1|r(x)", (uint16_t[4]){0}, SER_LIMIT_NEXT);
}

/* Before the first write there is nothing dirty to read. */
static void test_code_outside_is_a_limit_behind_a_write(void **state)
{
    (void)state;
    expect_limit("T1|r(x) T1|skip T1|w(x) T1|w(y) T1|skip T1|r(x)",
                 (uint16_t[]){DATA, RAN, 0, 0, RAN, 0}, 6);
    expect_limit("T1|r(x) T1|w(x) T1|skip", (uint16_t[]){DATA, 0, RAN}, SER_LIMIT_END);
    expect_limit("T1|r(x) T1|skip T1|w(x) T1|r(y)", (uint16_t[]){DATA, LEAVES, 0, 0}, 4);
    expect_limit("T1|r(x) T1|skip T1|skip T1|w(x) T1|r(y)",
                 (uint16_t[]){DATA, LEAVES, SER_FLOW_RETURNS, 0, 0}, SER_LIMIT_NONE);
}

static void test_code_outside_of_other_threads_forbids_writes(void **state)
{
    (void)state;
    expect_limit("T1|r(x) T1|acq(l) T1|w(x) T2|w(x) T2|skip", (uint16_t[]){DATA, 0, 0, 0, RAN}, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_values_are_accepted),
        cmocka_unit_test(test_the_initial_value_counts_if_it_was_read),
        cmocka_unit_test(test_missing_writes_spoil_their_variable),
        cmocka_unit_test(test_two_initial_values_are_a_missing_write),
        cmocka_unit_test(test_without_values_nothing_is_accepted),
        cmocka_unit_test(test_updates_accept_nothing),
        cmocka_unit_test(test_a_read_that_is_data_only_has_no_limit),
        cmocka_unit_test(test_code_outside_is_a_limit_behind_a_write),
        cmocka_unit_test(test_code_outside_of_other_threads_forbids_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
