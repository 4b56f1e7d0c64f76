/* SPDX-License-Identifier: MIT */
/* A run that fails while a block is open has not all of the block's violation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "bugs/endings.h"
#include "unit/bugs/made_bug.h"
#include "unit/small_run.h"

/* What is asked of a violation of the function, in the variables, and of a run. */
static bool ask(bool (*question)(const ser_bug *bug, const ser_run *run), const char *function,
                const char *variables, const char *events, const char *sites)
{
    small_trace trace = small_trace_of(events);
    ser_bugs bugs = {0};
    ser_bug *bug = made_bug_add(&bugs, SER_INTENTION_FUNCTION, function, variables);
    if (sites)
        place_small_trace(&trace, sites);
    ser_bug_access between = {.thread = made_text("T2"),
                              .variable = made_text("x"),
                              .function = made_text("use"),
                              .location = made_text("9"),
                              .operation = "reads"};
    ser_vector_push(&bug->accesses, between);
    free(bug->accesses.items[0].location);
    bug->accesses.items[0].location = made_text("3");
    ser_run *run = small_run_of(&trace);
    bool answer = question(bug, run);
    ser_run_destroy(run);
    ser_bugs_fini(&bugs);
    small_trace_free(&trace);
    return answer;
}

/* Does it explain how the run ends? */
static bool explains(const char *function, const char *variables, const char *events,
                     const char *sites)
{
    return ask(ser_bug_explains_end, function, variables, events, sites);
}

static void what_was_seen_half_done_explains_it(void **state)
{
    (void)state;
    assert_true(explains("init", "x", "T1|call(init) T1|w(x) T2|r(x) T2|r(y)", NULL));
    assert_false(explains("other", "x", "T1|call(init) T1|w(x) T2|r(x) T2|r(y)", NULL));
    assert_false(explains("init", "z", "T1|call(init) T1|w(x) T2|r(x) T2|r(y)", NULL));
}

static void what_was_done_does_not(void **state)
{
    (void)state;
    assert_false(explains("init", "x", "T1|call(init) T1|w(x) T1|ret(init) T2|r(x) T2|r(y)", NULL));
    assert_false(explains("init", "x", "T1|w(x) T1|call(init) T2|r(x) T2|r(y)", NULL));
}

static void a_pair_of_its_accesses_does(void **state)
{
    (void)state;
    assert_true(explains("drop", "x", "T1|w(x) T2|r(x)", "39"));
    assert_false(explains("drop", "x", "T1|w(x) T2|r(x)", "38"));
    assert_false(explains("drop", "x", "T2|r(x) T2|r(y)", "99"));
}

static void a_last_look_at_its_data_has_to_do_with_it(void **state)
{
    (void)state;
    assert_true(ask(ser_bug_is_looked_at_last, "add", "x", "T1|w(x) T2|r(y) T2|r(x)", NULL));
    assert_false(ask(ser_bug_is_looked_at_last, "add", "x", "T1|w(x) T2|r(x) T2|r(y)", NULL));
    assert_false(ask(ser_bug_is_looked_at_last, "add", "x", "T2|r(x) T2|w(x)", NULL));
}

/* T1, here, is not the thread that made the last step. */
static bool is_looked_at_by_first(const ser_bug *bug, const ser_run *run)
{
    return ser_bug_is_looked_at_by(bug, run, "T1");
}

static void so_has_the_last_look_of_the_thread_that_failed(void **state)
{
    (void)state;
    assert_true(ask(is_looked_at_by_first, "add", "x", "T1|call(f) T1|r(x) T1|ret(f) T2|r(y)", 0));
    assert_false(ask(is_looked_at_by_first, "add", "x", "T1|r(x) T1|w(y) T2|r(x)", NULL));
    assert_false(ask(is_looked_at_by_first, "add", "x", "T2|r(x)", NULL));
}

static void who_waits_where_the_block_acts_was_misled(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    const ser_bug *bug = made_bug_add(&bugs, SER_INTENTION_FUNCTION, "take", "q");
    free(bug->accesses.items[0].location);
    bug->accesses.items[0].location = made_text("Shop.java:9");
    assert_true(ser_bug_is_waited_in(
        bug, "T0 waits at a:1 for T1\nT1 waits at Shop.java:9 for something\n"));
    assert_false(ser_bug_is_waited_in(bug, "T1 waits at Shop.java:9 for lock m, which T2 holds\n"));
    assert_false(ser_bug_is_waited_in(bug, "T1 waits at Shop.java:91 for something\n"));
    assert_false(ser_bug_is_waited_in(bug, ""));
    bug->accesses.items[0].in_block = false;
    assert_false(ser_bug_is_waited_in(bug, "T1 waits at Shop.java:9 for something"));
    ser_bugs_fini(&bugs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_seen_half_done_explains_it),
        cmocka_unit_test(what_was_done_does_not),
        cmocka_unit_test(a_pair_of_its_accesses_does),
        cmocka_unit_test(a_last_look_at_its_data_has_to_do_with_it),
        cmocka_unit_test(so_has_the_last_look_of_the_thread_that_failed),
        cmocka_unit_test(who_waits_where_the_block_acts_was_misled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
