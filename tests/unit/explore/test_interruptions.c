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

/* A run, the interruptions that were known before, and the new ones in it. */
typedef struct small_search {
    small_trace trace;
    ser_run *run;
    ser_names *known;
    ser_interruption_list list;
} small_search;

/* Threads are numbered as in their names. Sites are given as digits, one for each event. */
static void search(small_search *work, const char *text, const char *sites)
{
    if (!work->known)
        work->known = ser_names_create();
    work->trace = small_trace_of(text);
    place_small_trace(&work->trace, sites);
    work->run = small_run_of(&work->trace);
    for (uint32_t i = 0; i < work->run->threads.count; i++)
        work->run->threads.items[i].number = i;
    ser_interruptions_find(work->run, work->known, &work->list);
}

/* All but what is known by now. */
static void forget_run(small_search *work)
{
    work->list.count = 0;
    ser_interruptions_find(work->run, work->known, &work->list);
    assert_int_equal(work->list.count, 0); /* all are known now */
    ser_run_destroy(work->run);
    small_trace_free(&work->trace);
}

static void finish(small_search *work)
{
    forget_run(work);
    ser_vector_free(&work->list);
    ser_names_destroy(work->known);
}

/* `stops` are the events before which T1 is stopped for another thread, with the wait before. */
static void expect(const char *text, const char *sites, const char *stops)
{
    small_search work = {0};
    char found[256] = "";
    search(&work, text, sites);
    for (size_t i = 0; i < work.list.count; i++) {
        const ser_interruption *next = &work.list.items[i];
        const char *name = ser_symbols_name(work.run->symbols, SER_SPACE_THREAD, next->thread);
        size_t length = strlen(found);
        if (strcmp(name, "T1") == 0)
            snprintf(found + length, sizeof found - length, next->wait ? "%u/%u " : "%u ",
                     next->stop, next->wait);
    }
    assert_string_equal(found, stops);
    finish(&work);
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

/* A thread that has not begun, or is over, comes between nothing. */
static void only_threads_that_exist_interrupt(void **state)
{
    (void)state;
    expect("T1|w(x) T1|w(x) T1|fork(T2) T2|w(x) T1|r(x) T1|r(x) T1|join(T2) T1|r(x) T1|r(x)",
           "123456789", "6 ");
    expect("T2|fork(T1) T2|w(x) T1|r(x) T1|r(x) T2|join(T1)", "12345", "4 ");
    expect("T2|fork(T1) T1|r(x) T1|r(x) T2|join(T1) T2|w(x)", "12345", "");
}

/* The loop has one round more than in the run before: its last is another one. */
static void other_numbers_of_rounds_are_new(void **state)
{
    (void)state;
    small_search work = {0};
    search(&work, "T1|r(x) T1|r(x) T1|r(x) T2|w(x)", "1112");
    assert_int_equal(work.list.count, 2);
    forget_run(&work);
    search(&work, "T1|r(x) T1|r(x) T1|r(x) T1|r(x) T2|w(x)", "11112");
    assert_int_equal(work.list.count, 1);
    assert_int_equal(work.list.items[0].stop, 4);
    finish(&work);
}

/* Whether the other's access of a variable comes between two of the thread's, which also counts if
 * the section that follows uses another variable first. */
static void expect_splits(const char *text, const char *sites, bool splits)
{
    small_search work = {0};
    search(&work, text, sites);
    assert_int_not_equal(work.list.count, 0);
    assert_int_equal(work.list.items[0].splits, splits);
    finish(&work);
}

static void uses_of_one_variable_are_split(void **state)
{
    (void)state;
    expect_splits("T1|r(x) T1|r(x) T2|w(x)", "123", true);
    expect_splits("T1|w(x) T1|w(x) T2|r(x)", "123", true);
    expect_splits("T1|w(x) T1|r(y) T2|w(x) T2|w(y)", "1234", false);
    expect_splits("T1|r(x) T1|acq(l) T1|r(y) T1|r(x) T1|rel(l) T2|w(x) T2|w(y)", "1234567", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_threads_that_exist_interrupt),
        cmocka_unit_test(other_numbers_of_rounds_are_new),
        cmocka_unit_test(uses_of_one_variable_are_split),
        cmocka_unit_test(threads_stop_between_conflicting_accesses),
        cmocka_unit_test(loops_stop_first_and_last),
        cmocka_unit_test(each_of_a_kind_is_stopped),
        cmocka_unit_test(threads_are_late_behind_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
