/* SPDX-License-Identifier: MIT */
/* Of the threads that wait when all do, which ones make the deadlock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdlib.h>

#include "bugs/waits.h"

static void expect(const char *waits, const char *core)
{
    char *found = ser_waits_core(waits);
    assert_string_equal(found, core);
    free(found);
}

static void a_cycle_is_all_that_counts(void **state)
{
    (void)state;
    expect("T0 waits at a.c:1 for T1\n"
           "T1 waits at a.c:2 for lock l, which T2 holds\n"
           "T2 waits at a.c:3 for lock m, which T1 holds\n"
           "T3 waits at a.c:2 for lock l, which T2 holds\n"
           "T4 waits at a.c:4 for condition c\n",
           "T1 waits at a.c:2 for lock l, which T2 holds\n"
           "T2 waits at a.c:3 for lock m, which T1 holds\n");
    expect("T0 waits at a.c:9 for lock l, which T1 holds\n"
           "T1 waits at a.c:2 for lock l, which T1 holds\n",
           "T1 waits at a.c:2 for lock l, which T1 holds\n");
}

static void who_waits_for_a_waiter_does_not_count(void **state)
{
    (void)state;
    expect("T0 waits at a.c:1 for T1\n"
           "T1 waits at a.c:2 for condition T9\n"
           "T2 waits at a.c:3 for lock m, which T1 holds\n",
           "T1 waits at a.c:2 for condition T9\n");
}

static void a_lock_of_a_thread_that_has_ended_counts(void **state)
{
    (void)state;
    expect("T0 waits at a.c:1 for T2\n"
           "T2 waits at a.c:3 for lock m, which T1 holds\n",
           "T2 waits at a.c:3 for lock m, which T1 holds\n");
}

static void all_count_if_none_is_special(void **state)
{
    (void)state;
    expect("T0 waits at a.c:1 for T1\nT1 waits at a.c:2 for T0\n",
           "T0 waits at a.c:1 for T1\nT1 waits at a.c:2 for T0\n");
    expect("", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cycle_is_all_that_counts),
        cmocka_unit_test(who_waits_for_a_waiter_does_not_count),
        cmocka_unit_test(a_lock_of_a_thread_that_has_ended_counts),
        cmocka_unit_test(all_count_if_none_is_special),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
