/* SPDX-License-Identifier: MIT */
/* Which reads could come before the writes that they saw, in the middle of a block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>

#include "explore/reversal.h"
#include "unit/marked_trace.h"
#include "unit/small_run.h"

typedef struct subject {
    small_trace trace;
    ser_run *run;
} subject;

/* Every event has a place of its own. */
static subject open_subject(const char *text)
{
    subject s = {.trace = marked_trace_of(text)};
    for (size_t i = 0; i < s.trace.count; i++)
        s.trace.events[i].site = (uint32_t)i;
    s.run = small_run_of(&s.trace);
    return s;
}

/* The reversals as "write>read ...", and the interleaving of the first. */
static void expect(const char *trace, const char *reversals, const char *interleaving)
{
    subject s = open_subject(trace);
    ser_reversal_list list = {0};
    ser_event_list order = {0};
    char found[256] = "", tried[256] = "";
    ser_reversals_find(s.run, &list);
    for (size_t i = 0; i < list.count; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%u>%u ", list.items[i].write,
                 list.items[i].read);
    assert_string_equal(found, reversals);
    if (list.count)
        ser_reversal_make(s.run, list.items[0].write, list.items[0].read, &order);
    for (size_t i = 0; i < order.count; i++)
        snprintf(tried + strlen(tried), sizeof tried - strlen(tried), "%u ", order.items[i]);
    assert_string_equal(tried, interleaving);
    ser_vector_free(&order);
    ser_vector_free(&list);
    ser_run_destroy(s.run);
    small_trace_free(&s.trace);
}

/* T1 checks and acts; T2 finds nothing to do, but would if it read before the write. */
static void a_check_may_come_within_a_block(void **state)
{
    (void)state;
    expect("T1|begin T1|r(x) T1|w(x) T1|end T2|begin T2|r(x) T2|end", "3>6 ", "1 2 5 6 ");
}

/* Both accesses are locked: T1 stops before it takes the lock for its write. */
static void the_first_thread_stops_before_a_common_lock(void **state)
{
    (void)state;
    expect("T1|begin T1|acq(l) T1|r(x) T1|rel(l) T1|acq(l) T1|w(x) T1|rel(l) T1|end "
           "T2|acq(l) T2|r(x) T2|rel(l)",
           "6>10 ", "1 2 3 4 9 10 ");
}

static void nothing_comes_within_a_block_that_has_not_begun(void **state)
{
    (void)state;
    /* One section: T1 has made no access when it must stop. */
    expect("T1|begin T1|acq(l) T1|r(x) T1|w(x) T1|rel(l) T1|end T2|acq(l) T2|r(x) T2|rel(l)", "",
           "");
    expect("T1|w(x) T2|r(x)", "", "");                 /* no block */
    expect("T1|begin T1|w(x) T1|r(x) T1|end", "", ""); /* no other thread */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_check_may_come_within_a_block),
        cmocka_unit_test(the_first_thread_stops_before_a_common_lock),
        cmocka_unit_test(nothing_comes_within_a_block_that_has_not_begun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
