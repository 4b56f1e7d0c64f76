/* SPDX-License-Identifier: MIT */
/* Where a thread is stopped, so that another can come between two of its accesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>

#include "explore/interruptions.h"
#include "unit/small_run.h"

/* Threads are numbered as in their names. Sites are given as digits, one for each event. `stops`
 * are the events before which T1 is stopped for another thread, with the wait before. */
static void expect(const char *text, const char *sites, const char *stops)
{
    small_trace trace = small_trace_of(text);
    ser_names *known = ser_names_create();
    ser_interruption_list list = {0};
    char found[256] = "";
    place_small_trace(&trace, sites);
    ser_run *run = small_run_of(&trace);
    for (uint32_t i = 0; i < run->threads.count; i++)
        run->threads.items[i].number = i;
    ser_interruptions_find(run, known, &list);
    for (size_t i = 0; i < list.count; i++) {
        const char *name = ser_symbols_name(run->symbols, SER_SPACE_THREAD, list.items[i].thread);
        size_t length = strlen(found);
        if (strcmp(name, "T1") == 0)
            snprintf(found + length, sizeof found - length, list.items[i].wait ? "%u/%u " : "%u ",
                     list.items[i].stop, list.items[i].wait);
    }
    assert_string_equal(found, stops);
    list.count = 0;
    ser_interruptions_find(run, known, &list);
    assert_int_equal(list.count, 0); /* all are known now */
    ser_vector_free(&list);
    ser_names_destroy(known);
    ser_run_destroy(run);
    small_trace_free(&trace);
}

static void threads_stop_between_conflicting_accesses(void **state)
{
    (void)state;
    expect("T1|r(x) T1|r(own) T1|r(x) T2|w(x)", "1234", "3 ");
    expect("T1|r(x) T1|r(y) T2|r(x) T2|r(y)", "1234", ""); /* nobody writes */
    expect("T1|r(x) T1|acq(l) T1|r(x) T1|rel(l) T2|w(x)", "12345", "2 ");
}

/* In a loop that comes often to the same two places, they are the first and the last time. */
static void loops_stop_first_and_last(void **state)
{
    (void)state;
    expect("T1|r(x) T1|r(x) T1|r(x) T1|r(x) T1|r(x) T1|r(x) T2|w(x)", "1212123", "2 3 6 5 ");
    expect("T1|r(x) T1|r(x) T1|r(x) T2|w(x)", "1213", "2 3 ");
}

/* Threads that begin at the same place may do different things, also the one that comes later. */
static void each_of_a_kind_is_stopped(void **state)
{
    (void)state;
    expect("T2|r(own) T2|w(x) T1|r(mine) T1|r(x) T1|r(x)", "12134", "5 ");
}

/* Another thread than the one that wakes it comes before it, when it has been woken. */
static void threads_are_late_behind_waits(void **state)
{
    (void)state;
    expect("T1|acq(l) T1|r(x) T1|rel(l) T1|wait(c) T3|acq(l) T3|w(x) T3|notify(c) T3|rel(l) "
           "T1|acq(l) T1|r(x) T1|rel(l) T2|acq(l) T2|w(x) T2|rel(l)",
           "12345678912345", "9 9/4 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_stop_between_conflicting_accesses),
        cmocka_unit_test(loops_stop_first_and_last),
        cmocka_unit_test(each_of_a_kind_is_stopped),
        cmocka_unit_test(threads_are_late_behind_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
