/* SPDX-License-Identifier: MIT */
/* What the run in memory knows of calls: which one an event is made in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "order/run.h"
#include "unit/small_run.h"

typedef struct expected {
    uint32_t event, call;
} expected;

static void expect_calls(const char *text, const expected *all, size_t count)
{
    small_trace trace = small_trace_of(text);
    ser_run *run = small_run_of(&trace);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(ser_run_call_around(run, all[i].event), all[i].call);
    ser_run_destroy(run);
    small_trace_free(&trace);
}

static void test_calls_nest(void **state)
{
    (void)state;
    static const expected all[] = {{1, 0}, {2, 0}, {3, 2}, {4, 2}, {5, 4},
                                   {6, 4}, {7, 2}, {8, 2}, {9, 0}, {10, 0}};
    expect_calls("T1|r(x) T1|call(f) T1|r(x) T1|call(g) T1|r(x) T1|ret(g) T1|w(x) T1|ret(f) "
                 "T1|r(x) T1|call(f)",
                 all, sizeof all / sizeof *all);
}

static void test_threads_have_calls_of_their_own(void **state)
{
    (void)state;
    static const expected all[] = {{3, 1}, {4, 2}, {6, 0}, {7, 2}};
    expect_calls("T1|call(f) T2|call(g) T1|r(x) T2|r(x) T1|ret(f) T1|w(x) T2|w(x)", all,
                 sizeof all / sizeof *all);
}

/* A trace may begin in the middle of a call. */
static void test_return_without_call(void **state)
{
    (void)state;
    static const expected all[] = {{2, 0}, {4, 3}, {6, 0}, {8, 0}};
    expect_calls("T1|ret(f) T1|r(x) T1|call(g) T1|r(x) T1|ret(g) T1|r(x) T1|ret(h) "
                 "T1|r(x)",
                 all, sizeof all / sizeof *all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_nest),
        cmocka_unit_test(test_threads_have_calls_of_their_own),
        cmocka_unit_test(test_return_without_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
