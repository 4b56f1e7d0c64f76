/* SPDX-License-Identifier: MIT */
/* Which orders of a run's events are tried next. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>

#include "explore/coverage.h"
#include "unit/small_run.h"

/* The interleavings that are tried one after the other, with a | behind each. */
static void expect(const char *text, const char *sites, const char *interleavings)
{
    small_trace trace = small_trace_of(text);
    place_small_trace(&trace, sites);
    ser_run *run = small_run_of(&trace);
    ser_coverage *coverage = ser_coverage_create();
    ser_event_list order = {0};
    char aim[64], tried[256] = "";
    ser_coverage_add(coverage, run);
    while (ser_coverage_choose(coverage, 0, &order, aim, sizeof aim)) {
        for (size_t i = 0; i < order.count; i++)
            snprintf(tried + strlen(tried), sizeof tried - strlen(tried), "%u ", order.items[i]);
        snprintf(tried + strlen(tried), sizeof tried - strlen(tried), "|");
        order.count = 0;
    }
    assert_string_equal(tried, interleavings);
    ser_vector_free(&order);
    ser_coverage_destroy(coverage);
    ser_run_destroy(run);
    small_trace_free(&trace);
}

static void the_other_order_of_two_accesses_is_tried(void **state)
{
    (void)state;
    expect("T1|w(x) T2|w(x)", "12", "2 |");
}

/* T1 has not asked for anything again: it waits for ever, if it takes the lock too late. */
static void a_notification_may_come_before_its_wait(void **state)
{
    (void)state;
    expect("T1|acq(l) T1|rel(l) T1|wait(c) T2|acq(l) T2|notifyall(c) T2|rel(l) T1|acq(l) T1|rel(l)",
           "11123345", "4 5 |");
}

/* Data and lock are used at the same lines: the orders are two nevertheless. */
static void a_notification_is_told_from_data_of_its_line(void **state)
{
    (void)state;
    expect("T1|r(x) T1|acq(l) T1|rel(l) T1|wait(c) T2|w(x) T2|acq(l) T2|notify(c) T2|rel(l) "
           "T1|acq(l) T1|rel(l)",
           "1111222211", "5 |1 5 6 7 |");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_other_order_of_two_accesses_is_tried),
        cmocka_unit_test(a_notification_may_come_before_its_wait),
        cmocka_unit_test(a_notification_is_told_from_data_of_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
