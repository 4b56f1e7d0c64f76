/* SPDX-License-Identifier: MIT */
/* What to change, as a failure that is reported by itself tells it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "report/text/failure_advice.h"

/* Of a deadlock with these waits; begins it so? NULL: there is none. */
static void assert_advice(const char *waits, const char *beginning)
{
    char *copy = strdup(waits);
    ser_failure failure = {.kind = SER_FAILURE_DEADLOCK, .waits = copy};
    char *advice = ser_failure_make_advice(&failure);
    if (beginning)
        assert_memory_equal(advice, beginning, strlen(beginning));
    else
        assert_null(advice);
    free(advice);
    free(copy);
}

static void locks_in_a_circle_are_to_be_taken_in_one_order(void **state)
{
    (void)state;
    assert_advice("T0 waits at a.c:20 for T1\n"
                  "T1 waits at a.c:9 for lock b, which T2 holds\n"
                  "T2 waits at a.c:12 for lock c, which T3 holds\n"
                  "T3 waits for lock a, which T1 holds\n",
                  "take these locks in the same order everywhere");
}

static void a_lock_of_ones_own_is_not_to_be_taken_again(void **state)
{
    (void)state;
    assert_advice("T0 waits at a.c:20 for T1\nT1 waits at a.c:9 for lock b, which T1 holds\n",
                  "do not lock what the same thread holds already");
}

static void a_lock_is_to_be_released_before_the_end(void **state)
{
    (void)state;
    assert_advice("T0 waits at a.c:20 for T1\nT1 waits at a.c:9 for lock b, which T2 holds\n",
                  "release the lock on every way out");
}

static void a_notification_may_have_been_lost(void **state)
{
    (void)state;
    assert_advice("T0 waits at a.c:20 for T1\nT1 waits at a.c:9 for condition more\n",
                  "change what a thread waits for, and notify, under the lock");
    assert_advice("T0 waits at a.c:20 for T1\nT1 waits at a.c:9 for semaphore s\n", NULL);
}

static void semaphores_are_to_be_taken_in_one_order(void **state)
{
    (void)state;
    assert_advice("T0 waits at a.c:20 for T1\n"
                  "T1 waits at a.c:9 for semaphore forks[1]\n"
                  "T2 waits at a.c:9 for semaphore forks[0]\n",
                  "take these semaphores in the same order everywhere");
    assert_advice("T1 waits at a.c:9 for semaphore s\nT2 waits at a.c:9 for semaphore s\n", NULL);
}

/* Of a signal after T1 has read x = 0, which `writer` wrote, instead of what `expected` wrote. */
static char *advise_order(char *writer, char *expected)
{
    ser_failure failure = {.kind = SER_FAILURE_SIGNAL,
                           .difference = {.thread = "T1",
                                          .location = "a.c:9",
                                          .variable = "x",
                                          .writer = writer,
                                          .written_at = "",
                                          .expected_writer = expected,
                                          .expected_written_at = "a.c:4"}};
    return ser_failure_make_advice(&failure);
}

static void what_is_read_too_early_is_to_be_waited_for(void **state)
{
    (void)state;
    char *first = advise_order("", "T0"), *later = advise_order("", "T2");
    assert_string_equal(first, "T0 has to write x (a.c:4) before T1 reads it (a.c:9): do that "
                               "before T1 is started, or let T1 wait for it");
    assert_string_equal(later, "T2 has to write x (a.c:4) before T1 reads it (a.c:9): let T1 join "
                               "T2, or wait for it");
    assert_null(advise_order("T3", "T0")); /* overwritten: the order is not all */
    assert_null(advise_order("", NULL));
    free(first);
    free(later);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locks_in_a_circle_are_to_be_taken_in_one_order),
        cmocka_unit_test(a_lock_of_ones_own_is_not_to_be_taken_again),
        cmocka_unit_test(a_lock_is_to_be_released_before_the_end),
        cmocka_unit_test(a_notification_may_have_been_lost),
        cmocka_unit_test(semaphores_are_to_be_taken_in_one_order),
        cmocka_unit_test(what_is_read_too_early_is_to_be_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
