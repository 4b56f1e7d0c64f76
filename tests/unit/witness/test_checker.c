/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "unit/witness/judged.h"

static void finds_shortest_paths(void **state)
{
    (void)state;
    assert_path("T1|begin T1|r(x) T1|w(x) T1|end T2|w(x)", 1, "1 2 5 3",
                "path 2 5 3, broken, 2 switches");
    const char *trace = "T1|begin T1|w(z) T1|w(x) T1|w(u) T1|w(z) T1|end T2|r(x) T2|w(a) T3|r(a) "
                        "T3|w(u) T4|w(z)";
    assert_path(trace, 1, "1 2 3 7 8 9 10 4 5 11", "path 3 7 8 9 10 4, broken, 4 switches");
    assert_path(trace, 1, "1 2 3 7 8 9 10 4 11 5", "path 2 11 5, broken, 5 switches");
}

static void lets_broken_reads_happen(void **state)
{
    (void)state;
    const char *trace = "T1|begin T1|w(x) T1|w(x) T1|end T2|r(x) T2|w(y)";
    assert_path(trace, 1, "1 2 5 3", "path 2 5 3, broken 5, 2 switches");
    assert_path(trace, 1, "1 2 5 6",
                "step 4, event 6: its thread stopped at event 5, a broken read");
    assert_path("T1|begin T1|r(x) T1|r(x) T1|end T2|rmw(x)", 1, "1 2 5 3",
                "path 2 5 3, broken 3, 2 switches");
    /* A broken read-modify-write does not write. */
    assert_path("T2|w(x) T1|begin T1|r(x) T1|r(x) T1|end T3|w(x) T2|rmw(x)", 2, "1 2 3 7 4",
                "no path leaves the block of event 2 and comes back to it");
}

static void follows_program_order_and_conflicts(void **state)
{
    (void)state;
    const char *trace = "T1|begin T1|w(x) T1|r(y) T1|end T2|r(x) T2|w(y) T3|r(x)";
    assert_path(trace, 1, "1 2 5 6 3", "path 2 5 6 3, broken 3, 2 switches");
    assert_path(trace, 1, "1 2 7 3", NO_PATH);
    assert_path(trace, 1, "1 2 5 3 6", NO_PATH);
    /* What its own thread does after the block cannot come back. */
    assert_path("T1|begin T1|w(x) T1|end T1|r(x) T2|r(x)", 1, "1 2 3 4 5", NO_PATH);
}

static void knows_the_traces_of_the_definition(void **state)
{
    (void)state;
    const char *first = "T3|r(x) T2|w(x) T1|begin T1|r(x) T1|r(y) T1|r(y) T1|end T3|w(y)";
    assert_path(first, 3, "1 2 3 4 5 8 6", "path 5 8 6, broken 6, 4 switches");
    const char *second = "T3|w(z) T3|r(x) T2|w(x) T1|begin T1|r(x) T1|w(z) T1|r(y) T1|end T3|w(y)";
    assert_path(second, 4, "3 4 5 6 1 2 9 7",
                "step 7, event 9: its thread stopped at event 2, a broken read");
    assert_path(second, 4, "3 4 5 6 1 7",
                "no path leaves the block of event 4 and comes back to it");
}

static void finds_cycles_of_transactions(void **state)
{
    (void)state;
    /* T2 leaves its block before it was entered. */
    const char *trace = "T1|begin T1|w(x) T1|w(y) T1|end T2|begin T2|w(x) T2|w(y) T2|end";
    const char *order = "5 6 1 2 3 7";
    assert_judged(trace, 1, false, order, NO_PATH);
    assert_judged(trace, 1, true, order, "path 3 7 6 2, broken, 2 switches");
    assert_judged(trace, 1, true, "1 2 3 5 6 7",
                  "the block of event 1 lies on no cycle of transactions");
    /* The way home may lead through an earlier transaction of the block's thread. */
    const char *earlier = "T2|begin T2|w(x) T1|r(x) T1|begin T1|w(y) T1|end T2|r(y) T2|end";
    assert_judged(earlier, 4, false, "1 2 3 4 5 7",
                  "no path leaves the block of event 4 and comes back to it");
    assert_judged(earlier, 4, true, "1 2 3 4 5 7", "path 5 7 2 3 3 5, broken, 2 switches");
}

/* In the model data, whatever its value is good for. */
static void stops_at_compare_exchanges_that_fail(void **state)
{
    (void)state;
    const ser_checker_model data = {.equal_values = true};
    subject s;
    open_subject(&s, "T0|begin T0|end T1|w(x) T2|rmw(x) T2|w(y)");
    s.events[4].flow = SER_FLOW_DATA;
    ser_checker_destroy(s.checker);
    s.checker = ser_checker_create(s.events, (uint32_t)s.trace.count, &data);
    assert_string_equal(judge(&s, 1, false, "4 5"),
                        "step 2, event 5: its thread stopped at event 4, a broken read");
    s.events[4].flow |= SER_FLOW_MODIFIES;
    assert_string_equal(judge(&s, 1, false, "4 5"), NO_PATH);
    close_subject(&s);
}

/* A read that was followed with another value in one order may be broken in the next one. */
static void forgets_what_was_followed(void **state)
{
    (void)state;
    static const uint64_t values[] = {0, 0, 1, 2, 2, 0, 9};
    static const char guards[] = "@7;@7,5,slt32";
    subject s;
    open_subject(&s, "T0|begin T0|end T1|w(x) T1|w(x) T2|r(x) T2|w(y) T1|w(x)");
    for (size_t i = 2; i < s.trace.count; i++) {
        s.events[i + 1].flags |= SER_EVENT_HAS_VALUE;
        s.events[i + 1].value = values[i];
    }
    uint32_t number = ser_symbols_add_guards(s.trace.symbols, guards, strlen(guards));
    s.events[5].flow = (uint16_t)(SER_FLOW_DECIDES | number << SER_GUARDS_SHIFT);
    const ser_checker_model model = {.equal_values = true, .guards = s.trace.symbols};
    ser_checker_destroy(s.checker);
    s.checker = ser_checker_create(s.events, (uint32_t)s.trace.count, &model);
    const char *broken = "step 7, event 6: its thread stopped at event 5, a broken read";
    assert_string_equal(judge(&s, 1, false, "1 2 3 4 7 5 6"), broken);
    assert_string_equal(judge(&s, 1, false, "1 2 3 5 6"), NO_PATH);
    assert_string_equal(judge(&s, 1, false, "1 2 3 4 7 5 6"), broken);
    close_subject(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_shortest_paths),
        cmocka_unit_test(lets_broken_reads_happen),
        cmocka_unit_test(follows_program_order_and_conflicts),
        cmocka_unit_test(knows_the_traces_of_the_definition),
        cmocka_unit_test(finds_cycles_of_transactions),
        cmocka_unit_test(stops_at_compare_exchanges_that_fail),
        cmocka_unit_test(forgets_what_was_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
