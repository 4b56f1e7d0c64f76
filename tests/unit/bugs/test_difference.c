/* SPDX-License-Identifier: MIT */
/* Where a run that failed leaves a good one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "bugs/failures.h"
#include "unit/small_run.h"

typedef struct made_run {
    small_trace trace;
    ser_run *run;
} made_run;

/* Threads are T0 and T1; the values are those of the events, 0 where there is none. */
static made_run make(const char *text, const uint64_t *values)
{
    static const char sites[] = "123456789";
    made_run made = {.trace = small_trace_of(text)};
    for (size_t i = 0; i < made.trace.count; i++) {
        made.trace.events[i].value = values[i];
        made.trace.events[i].flags |= values[i] ? SER_EVENT_HAS_VALUE : 0;
    }
    place_small_trace(&made.trace, sites);
    made.run = small_run_of(&made.trace);
    return made;
}

static void free_made(made_run *made)
{
    ser_run_destroy(made->run);
    small_trace_free(&made->trace);
}

/* The variable of the first read that differs; NULL: nothing does. */
static void expect_difference(const char *text, const uint64_t *good, const uint64_t *bad,
                              const char *variable)
{
    made_run one = make(text, good), other = make(text, bad);
    ser_difference found = {0};
    assert_int_equal(ser_find_difference(one.run, other.run, &found), variable != NULL);
    if (variable)
        assert_string_equal(found.variable, variable);
    ser_difference_fini(&found);
    free_made(&one);
    free_made(&other);
}

static void the_first_other_value_is_the_difference(void **state)
{
    static const char text[] = "T0|r(x) T0|r(y) T0|r(z)";
    (void)state;
    expect_difference(text, (uint64_t[]){1, 2, 3}, (uint64_t[]){1, 7, 8}, "y");
    expect_difference(text, (uint64_t[]){1, 2, 3}, (uint64_t[]){1, 2, 3}, NULL);
    expect_difference(text, (uint64_t[]){100000, 2, 3}, (uint64_t[]){99999, 7, 3}, "x");
}

static void other_addresses_are_none(void **state)
{
    static const uint64_t one = 0x7fffe8000ca0, other = 0x7ffff0000ca0;
    static const char text[] = "T0|r(p) T0|r(y)";
    (void)state;
    expect_difference(text, (uint64_t[]){one, 2}, (uint64_t[]){other, 2}, NULL);
    expect_difference(text, (uint64_t[]){one, 2}, (uint64_t[]){other, 3}, "y");
    expect_difference(text, (uint64_t[]){one, 2}, (uint64_t[]){1, 2}, "p"); /* no address */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_other_value_is_the_difference),
        cmocka_unit_test(other_addresses_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
