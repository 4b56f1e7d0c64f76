/* SPDX-License-Identifier: MIT */
/* Which wake-ups could come after a thread has looked, and before it waits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>

#include "explore/missed.h"
#include "unit/small_run.h"

/* The reversals as "release>notify ...". Sites are given as digits, one for each event. */
static void expect(const char *text, const char *sites, const char *reversals)
{
    small_trace trace = small_trace_of(text);
    ser_reversal_list list = {0};
    char found[256] = "";
    place_small_trace(&trace, sites);
    ser_run *run = small_run_of(&trace);
    ser_missed_wake_ups_find(run, &list);
    for (size_t i = 0; i < list.count; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%u>%u ", list.items[i].write,
                 list.items[i].read);
    assert_string_equal(found, reversals);
    ser_vector_free(&list);
    ser_run_destroy(run);
    small_trace_free(&trace);
}

static void changes_without_the_lock_are_missed(void **state)
{
    (void)state;
    expect("T1|acq(l) T1|r(x) T1|rel(l) T1|wait(c) T2|w(x) T2|notify(c) T1|acq(l) T1|rel(l)",
           "12345678", "3>6 ");
}

static void changes_or_wake_ups_with_the_lock_are_not(void **state)
{
    (void)state;
    expect("T1|acq(l) T1|r(x) T1|rel(l) T1|wait(c) T2|acq(l) T2|w(x) T2|rel(l) T2|notify(c) "
           "T1|acq(l) T1|rel(l)",
           "1234567891", "");
    expect("T1|acq(l) T1|r(x) T1|rel(l) T1|wait(c) T2|w(x) T2|acq(l) T2|notify(c) T2|rel(l) "
           "T1|acq(l) T1|rel(l)",
           "1234567891", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_without_the_lock_are_missed),
        cmocka_unit_test(changes_or_wake_ups_with_the_lock_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
