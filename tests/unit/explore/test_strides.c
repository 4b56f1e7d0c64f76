/* SPDX-License-Identifier: MIT */
/* Where a thread has done one thing, as seen by the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>

#include "explore/strides.h"
#include "unit/small_run.h"

/* The last events of the strides of the first thread of the run. */
static void expect(const char *text, const char *ends)
{
    small_trace trace = small_trace_of(text);
    ser_run *run = small_run_of(&trace);
    ser_event_list list = {0};
    char found[256] = "";
    ser_strides_find(run, 0, &list);
    for (size_t i = 0; i < list.count; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%u ", list.items[i]);
    assert_string_equal(found, ends);
    ser_vector_free(&list);
    ser_run_destroy(run);
    small_trace_free(&trace);
}

static void a_critical_section_is_one(void **state)
{
    (void)state;
    expect("T1|acq(l) T1|acq(m) T1|w(x) T1|rel(m) T1|w(x) T1|rel(l) T1|acq(l) T1|rel(l) T2|r(x)",
           "6 8 ");
}

static void so_is_a_write_that_others_may_read(void **state)
{
    (void)state;
    expect("T1|r(x) T1|w(x) T1|w(y) T1|r(y) T1|w(x) T2|r(x)", "2 5 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_critical_section_is_one),
        cmocka_unit_test(so_is_a_write_that_others_may_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
