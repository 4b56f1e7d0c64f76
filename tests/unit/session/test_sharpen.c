/* SPDX-License-Identifier: MIT */
/* Witnesses that stop the thread which comes between at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>

#include "session/run/evidence/sharpen.h"
#include "unit/marked_trace.h"
#include "unit/small_run.h"

/* The recorded order up to its event `last` is the witness; what becomes of it. */
static void expect(const char *text, uint32_t last, const char *sharper)
{
    small_trace trace = marked_trace_of(text);
    ser_run *run = small_run_of(&trace);
    ser_block_result result = {.block = 0};
    char found[128] = "";
    for (uint32_t i = 1; i <= last; i++)
        ser_vector_push(&result.order, i);
    ser_sharpen(run, &result);
    for (size_t i = 0; i < result.order.count; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%u ", result.order.items[i]);
    assert_string_equal(found, sharper);
    ser_vector_free(&result.order);
    ser_witness_facts_fini(&result.facts);
    ser_run_destroy(run);
    small_trace_free(&trace);
}

/* T2 takes something and brings it back. */
static void the_other_thread_stops_after_its_first_section(void **state)
{
    (void)state;
    expect("T1|begin T1|r(x) T2|acq(l) T2|w(x) T2|rel(l) T2|acq(l) T2|w(x) T2|rel(l) T1|acq(l) "
           "T1|r(x) T1|rel(l) T1|end",
           10, "1 2 3 4 5 9 10 ");
}

static void a_section_is_never_cut(void **state)
{
    (void)state;
    expect("T1|begin T1|r(x) T2|acq(l) T2|w(x) T2|w(x) T2|rel(l) T1|r(x) T1|end", 7,
           "1 2 3 4 5 6 7 ");
}

/* T1 gets the lock only if T2 gives it back. */
static void what_the_block_needs_stays(void **state)
{
    (void)state;
    expect("T1|begin T1|r(x) T2|w(x) T2|acq(l) T2|w(x) T2|w(y) T2|rel(l) T1|acq(l) T1|r(y) T1|r(x) "
           "T1|rel(l) T1|end",
           10, "1 2 3 4 5 6 7 8 9 10 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_other_thread_stops_after_its_first_section),
        cmocka_unit_test(a_section_is_never_cut),
        cmocka_unit_test(what_the_block_needs_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
