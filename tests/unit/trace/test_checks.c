/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>

#include "trace/blocks/checks.h"
#include "unit/small_trace.h"

/* All accesses are of shared variables. */
static uint64_t end_of_first(const char *text, uint64_t begin)
{
    small_trace trace = small_trace_of(text);
    ser_checks *checks = ser_checks_create(trace.symbols);
    for (size_t i = 0; i < trace.count; i++)
        ser_checks_see(checks, &trace.events[i], true);
    uint64_t end = ser_checks_end_of(checks, begin);
    ser_checks_destroy(checks);
    small_trace_free(&trace);
    return end;
}

static void check_and_act_in_one_call_are_a_block(void **state)
{
    (void)state;
    assert_int_equal(end_of_first("T1|acq(l)|a.c:1\nT1|r(x)|a.c:2|flow=decides\nT1|rel(l)|a.c:3\n"
                                  "T1|acq(l)|a.c:4\nT1|r(x)|a.c:5|flow=data\nT1|w(x)|a.c:5\n"
                                  "T1|rel(l)|a.c:6\n",
                                  0),
                     6);
}

static void a_second_look_makes_none(void **state)
{
    (void)state;
    assert_int_equal(end_of_first("T1|acq(l)|a.c:1\nT1|r(x)|a.c:2|flow=decides\nT1|rel(l)|a.c:3\n"
                                  "T1|acq(l)|a.c:4\nT1|r(x)|a.c:5\nT1|w(x)|a.c:5\n"
                                  "T1|rel(l)|a.c:6\n",
                                  0),
                     0);
}

static void a_call_that_has_returned_must_have_handed_the_value_on(void **state)
{
    (void)state;
    static const char *const flows[] = {"decides", "decides,handed"};
    static const uint64_t ends[] = {0, 9};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "T1|call(buy)|\nT1|call(any)|\nT1|acq(l)|\nT1|r(x)||flow=%s\nT1|rel(l)|\n"
                 "T1|ret(any)|\nT1|call(take)|\nT1|acq(l)|\nT1|w(x)|\nT1|rel(l)|\nT1|ret(take)|\n",
                 flows[i]);
        assert_int_equal(end_of_first(text, 1), ends[i]);
    }
}

static void a_wait_or_a_new_round_parts_them(void **state)
{
    (void)state;
    assert_int_equal(end_of_first("T1|acq(l)|a.c:1\nT1|r(x)|a.c:2|flow=decides\nT1|rel(l)|a.c:3\n"
                                  "T1|wait(c)|a.c:3\nT1|acq(l)|a.c:4\nT1|w(x)|a.c:5\n"
                                  "T1|rel(l)|a.c:6\n",
                                  0),
                     0);
    assert_int_equal(end_of_first("T1|acq(l)|a.c:7\nT1|r(x)|a.c:8|flow=decides\nT1|rel(l)|a.c:9\n"
                                  "T1|acq(l)|a.c:4\nT1|w(x)|a.c:5\nT1|rel(l)|a.c:6\n",
                                  0),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_and_act_in_one_call_are_a_block),
        cmocka_unit_test(a_second_look_makes_none),
        cmocka_unit_test(a_call_that_has_returned_must_have_handed_the_value_on),
        cmocka_unit_test(a_wait_or_a_new_round_parts_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
