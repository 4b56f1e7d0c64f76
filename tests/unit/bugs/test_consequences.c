/* SPDX-License-Identifier: MIT */
/* What a memory error leads to is reported with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "bugs/failures.h"
#include "unit/bugs/made_bug.h"

/* A failure as the runs first ... last show it. */
static void add(ser_failures *failures, ser_failure_kind kind, const char *key, size_t first,
                size_t last)
{
    for (size_t run = first; run <= last; run++) {
        ser_failure failure = {.kind = kind,
                               .code = kind == SER_FAILURE_SIGNAL ? 6 : 0,
                               .key = strdup(key),
                               .waits = strdup(""),
                               .thread = strdup(""),
                               .function = strdup(""),
                               .location = strdup("a.c:1"),
                               .freed_at = strdup("a.c:7"),
                               .allocated_at = strdup("a.c:3"),
                               .trace = run,
                               .seen = run,
                               .runs = 1};
        ser_failures_add(failures, &failure);
    }
}

static void find_causes(ser_failures *failures)
{
    ser_bugs none = {0};
    ser_failures_find_causes(failures, &none);
    ser_bugs_fini(&none);
}

static void a_signal_comes_of_the_memory_error_of_its_runs(void **state)
{
    (void)state;
    ser_failures failures = {0};
    add(&failures, SER_FAILURE_SIGNAL, "signal 6", 3, 4);
    add(&failures, SER_FAILURE_USE_AFTER_FREE, "use|p|drop|use", 2, 6);
    find_causes(&failures);
    assert_string_equal(failures.items[0].cause, failures.items[1].id);
    assert_string_equal(failures.items[1].cause, "");
    ser_failures_fini(&failures);
}

static void a_signal_without_the_memory_error_has_another_cause(void **state)
{
    (void)state;
    ser_failures failures = {0};
    add(&failures, SER_FAILURE_SIGNAL, "signal 6", 3, 4);
    add(&failures, SER_FAILURE_DOUBLE_FREE, "double free|p|drop|drop", 4, 6);
    char *at_use = failures.items[0].location;
    failures.items[0].location = "a.c:2";
    find_causes(&failures);
    assert_string_equal(failures.items[0].cause, "");
    failures.items[0].location = at_use;
    find_causes(&failures);
    assert_string_equal(failures.items[0].cause, failures.items[1].id);
    ser_failures_fini(&failures);
}

static void an_exit_status_is_no_consequence_of_it(void **state)
{
    (void)state;
    ser_failures failures = {0};
    add(&failures, SER_FAILURE_EXIT, "exit 1", 3, 3);
    add(&failures, SER_FAILURE_USE_AFTER_FREE, "use|p|drop|use", 3, 3);
    find_causes(&failures);
    assert_string_equal(failures.items[0].cause, "");
    ser_failures_fini(&failures);
}

static void memory_that_one_place_frees_is_one_error(void **state)
{
    (void)state;
    ser_failures failures = {0};
    add(&failures, SER_FAILURE_USE_AFTER_FREE, "use|drop|use", 2, 3);
    add(&failures, SER_FAILURE_DOUBLE_FREE, "double free|drop|drop", 5, 6);
    add(&failures, SER_FAILURE_DOUBLE_FREE, "double free|put|drop", 7, 7);
    free(failures.items[2].allocated_at);
    failures.items[2].allocated_at = strdup("b.c:3");
    find_causes(&failures);
    assert_string_equal(failures.items[0].cause, "");
    assert_string_equal(failures.items[1].cause, failures.items[0].id);
    assert_string_equal(failures.items[2].cause, ""); /* other memory */
    ser_failures_fini(&failures);
}

/* One access of the bug frees the memory, and another thread's uses it, whichever comes first. */
static void the_two_places_of_a_violation_lead_to_the_error(void **state)
{
    (void)state;
    static const char *const users[] = {"T2", "T1"};
    for (size_t i = 0; i < 2; i++) {
        ser_failures failures = {0};
        ser_bugs bugs = {0};
        ser_bug *bug = made_bug_add(&bugs, SER_INTENTION_FUNCTION, "close", "b");
        ser_bug_access use = {.thread = made_text(users[i]),
                              .variable = made_text("b"),
                              .function = made_text("use"),
                              .location = made_text("a.c:1"),
                              .operation = "reads"};
        ser_vector_push(&bug->accesses, use);
        bug->status = SER_BUG_CONFIRMED;
        bug->accesses.items[0].frees = true;
        free(bug->accesses.items[0].location);
        bug->accesses.items[0].location = made_text("a.c:7");
        add(&failures, SER_FAILURE_USE_AFTER_FREE, "use|close|use", 2, 3);
        ser_bugs_rank(&bugs);
        ser_failures_find_causes(&failures, &bugs);
        assert_string_equal(failures.items[0].cause, i == 0 ? bugs.list.items[0].id : "");
        ser_bugs_fini(&bugs);
        ser_failures_fini(&failures);
    }
}

/* What is known of a violation by its key stays known when it became another's side. */
static void the_key_of_a_side_names_its_entry(void **state)
{
    (void)state;
    ser_failures failures = {0};
    ser_bugs bugs = {0};
    made_bug_add(&bugs, SER_INTENTION_FUNCTION, "drop", "ab")->status = SER_BUG_CONFIRMED;
    made_bug_add(&bugs, SER_INTENTION_FUNCTION, "drop", "a")->status = SER_BUG_CONFIRMED;
    add(&failures, SER_FAILURE_SIGNAL, "signal 6", 2, 3);
    add(&failures, SER_FAILURE_SIGNAL, "signal 11", 2, 3);
    failures.items[0].cause_key = made_text("drop|a");
    failures.items[1].cause_key = made_text("drop|ab");
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 1);
    ser_failures_find_causes(&failures, &bugs);
    assert_string_equal(failures.items[0].cause, bugs.list.items[0].id);
    assert_string_equal(failures.items[1].cause, bugs.list.items[0].id);
    ser_bugs_fini(&bugs);
    ser_failures_fini(&failures);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_comes_of_the_memory_error_of_its_runs),
        cmocka_unit_test(a_signal_without_the_memory_error_has_another_cause),
        cmocka_unit_test(an_exit_status_is_no_consequence_of_it),
        cmocka_unit_test(memory_that_one_place_frees_is_one_error),
        cmocka_unit_test(the_two_places_of_a_violation_lead_to_the_error),
        cmocka_unit_test(the_key_of_a_side_names_its_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
