/* SPDX-License-Identifier: MIT */
/* Around which locks could threads wait for each other? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "explore/inversion.h"
#include "unit/small_run.h"

/* How many circles of three threads and more there are, and the interleaving of the first. */
static void expect(const char *text, size_t circles, const char *interleaving)
{
    small_trace trace = small_trace_of(text);
    ser_run *run = small_run_of(&trace);
    ser_lock_circle_list list = {0};
    ser_event_list order = {0};
    char tried[256] = "";
    ser_lock_circles_find(run, &list);
    assert_int_equal(list.count, circles);
    if (list.count)
        ser_lock_circle_make(run, &list.items[0], &order);
    for (size_t i = 0; i < order.count; i++)
        snprintf(tried + strlen(tried), sizeof tried - strlen(tried), "%u ", order.items[i]);
    assert_string_equal(tried, interleaving);
    ser_vector_free(&order);
    ser_vector_free(&list);
    ser_run_destroy(run);
    small_trace_free(&trace);
}

/* Each takes what the next one holds. Threads that another one has started wait for that. */
static void three_threads_may_wait_in_a_circle(void **state)
{
    (void)state;
    expect("T0|fork(T1) T1|acq(a) T1|acq(b) T1|rel(b) T1|rel(a) "
           "T0|fork(T2) T0|fork(T3) T0|w(x) T2|acq(b) T2|acq(c) T2|rel(c) T2|rel(b) "
           "T3|acq(c) T3|acq(a) T3|rel(a) T3|rel(c)",
           1, "1 2 6 7 9 13 ");
}

static void in_one_order_nobody_waits_forever(void **state)
{
    (void)state;
    expect("T1|acq(a) T1|acq(b) T1|rel(b) T1|rel(a) T2|acq(b) T2|acq(c) T2|rel(c) T2|rel(b) "
           "T3|acq(a) T3|acq(c) T3|rel(c) T3|rel(a)",
           0, "");
}

/* A waiter lets one of them sit down at a time; and one thread alone waits for nobody. */
static void a_common_lock_keeps_them_apart(void **state)
{
    (void)state;
    expect("T1|acq(g) T1|acq(a) T1|acq(b) T1|rel(b) T1|rel(a) T1|rel(g) "
           "T2|acq(b) T2|acq(c) T2|rel(c) T2|rel(b) "
           "T3|acq(g) T3|acq(c) T3|acq(a) T3|rel(a) T3|rel(c) T3|rel(g)",
           0, "");
    expect("T1|acq(a) T1|acq(b) T1|rel(b) T1|rel(a) T1|acq(b) T1|acq(c) T1|rel(c) T1|rel(b) "
           "T2|acq(c) T2|acq(a) T2|rel(a) T2|rel(c)",
           0, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_threads_may_wait_in_a_circle),
        cmocka_unit_test(in_one_order_nobody_waits_forever),
        cmocka_unit_test(a_common_lock_keeps_them_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
