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
    find_causes(&failures);
    assert_string_equal(failures.items[0].cause, "");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_comes_of_the_memory_error_of_its_runs),
        cmocka_unit_test(a_signal_without_the_memory_error_has_another_cause),
        cmocka_unit_test(an_exit_status_is_no_consequence_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
