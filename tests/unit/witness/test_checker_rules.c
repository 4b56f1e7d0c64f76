/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "unit/witness/judged.h"

static void refuses_wrong_numbers_and_turns(void **state)
{
    (void)state;
    const char *trace = "T1|w(x) T1|w(x) T2|skip(a) T2|w(x)";
    assert_refused(trace, "7", "step 1, event 7: the trace has no such event, only 1 to 6");
    assert_refused(trace, "3 0", "step 2, event 0: the trace has no such event, only 1 to 6");
    assert_refused(trace, "5", "step 1, event 5: it takes no part in the trace");
    assert_refused(trace, "3 6 3", "step 3, event 3: it has happened already");
    assert_refused(trace, "6 4", "step 2, event 4: event 3 of its thread comes first");
    assert_path("T0|begin T0|end", 2, "", "no block starts at event 2");
    assert_path("T0|begin T0|end", 3, "", "no block starts at event 3");
    assert_path("T0|begin T0|end", 0, "", "no block starts at event 0");
}

static void keeps_fork_and_join(void **state)
{
    (void)state;
    const char *trace = "T1|fork(T2) T2|w(x) T2|r(x) T1|join(T2) T1|join(T4) T3|w(x)";
    assert_refused(trace, "4",
                   "step 1, event 4: its thread does not run yet: its fork, event 3, is "
                   "missing");
    assert_refused(trace, "3 4 6", "step 3, event 6: event 5 of the joined thread is missing");
    assert_refused(trace, "3 4 8 5 6",
                   "step 5, event 6: the joined thread stopped at event 5, a broken read");
    assert_allowed(trace, "3 4 5 6 7");
    assert_refused("T1|fork(T2) T3|join(T2)", "4",
                   "step 1, event 4: the fork of the joined thread, event 3, is missing");
}

static void keeps_locks(void **state)
{
    (void)state;
    const char *trace = "T1|acq(l) T1|acq(l) T1|rel(l) T1|r(x) T1|rel(l) T2|acq(l) T2|rel(l) "
                        "T3|w(x)";
    assert_refused(trace, "3 8", "step 2, event 8: another thread holds the lock since event 3");
    assert_refused(trace, "3 4 5 8",
                   "step 4, event 8: another thread holds the lock since event 3");
    assert_allowed(trace, "8 9 3 4 5 6 7");
    /* Who stops keeps its locks. */
    assert_refused(trace, "10 3 4 5 6 8",
                   "step 6, event 8: another thread holds the lock since event 3");

    const char *shared = "T1|racq(l) T2|racq(l) T1|rrel(l) T2|rrel(l) T3|acq(l) T3|racq(l) "
                         "T3|rel(l) T3|rrel(l) T1|racq(l)";
    assert_allowed(shared, "3 4 5 6 7 8 9 11 10");
    assert_refused(shared, "3 7",
                   "step 2, event 7: another thread holds the lock shared since event 3");
    assert_refused(shared, "7 3", "step 2, event 3: another thread holds the lock since event 7");
    assert_allowed(shared, "7 8 9 3 4");
}

static void reads_locks_that_were_taken(void **state)
{
    (void)state;
    const char *trace = "T1|acq(l) T2|tryfail(l) T2|w(x) T1|rel(l) T1|acq(l)";
    assert_allowed(trace, "3 4 5");
    assert_refused(trace, "3 6 7 4 5",
                   "step 5, event 5: its thread stopped at event 4, a broken read");
    assert_refused(trace, "4 5", "step 2, event 5: its thread stopped at event 4, a broken read");
    /* Held shared: the latest acquire must still hold it. */
    const char *shared = "T1|racq(l) T2|racq(l) T3|tryfail(l) T3|w(x) T1|rrel(l) T2|rrel(l)";
    assert_allowed(shared, "4 5 6");
    assert_refused(shared, "3 5 6",
                   "step 3, event 6: its thread stopped at event 5, a broken read");
}

static void couples_waits(void **state)
{
    (void)state;
    const char *trace = "T1|wait(c) T2|wait(c) T3|notify(c) T3|notify(c) T1|w(x) T2|w(x)";
    assert_allowed(trace, "3 4 5 7 6 8");
    assert_allowed(trace, "3 5");
    assert_refused(trace, "4 5", "step 2, event 5: the wait that it ends, event 3, is not pending");
    assert_refused(trace, "3 7",
                   "step 2, event 7: its thread waits since event 3 for the notify, event 5");
    assert_refused(trace, "3 5 6",
                   "step 3, event 6: the wait that it ends, event 4, is not pending");
    /* A wait that came later in the trace must not be pending. */
    const char *late = "T1|wait(c) T3|notify(c) T1|w(x) T2|wait(c) T2|w(x)";
    assert_refused(late, "3 6 4",
                   "step 3, event 4: the wait of event 6 is pending, and was not in the trace");
    assert_allowed(late, "3 6 7 4");
    /* A notifyall wakes any number; a thread's own notify is no waking of itself. */
    const char *all = "T1|wait(c) T2|wait(c) T3|notifyall(c) T1|w(x) T2|notify(c)";
    assert_refused(all, "3 5", "step 2, event 5: the wait that it ends, event 4, is not pending");
    assert_allowed(all, "3 4 5 6 7");
    assert_allowed("T1|wait(c) T1|notify(c)", "3 4");
}

static void meets_at_barriers_and_semaphores(void **state)
{
    (void)state;
    const char *barrier = "T1|arrive(b) T2|arrive(b) T1|depart(b) T1|arrive(b) T2|depart(b) "
                          "T3|depart(b)";
    assert_refused(barrier, "3 5",
                   "step 2, event 5: an arrival at the barrier, event 4, is missing");
    assert_allowed(barrier, "3 4 7");
    assert_refused(barrier, "8", "step 1, event 8: an arrival at the barrier, event 6, is missing");
    const char *semaphore = "T1|post(s) T2|post(s) T3|take(s) T3|take(s) T3|take(s)";
    assert_refused(semaphore, "4 5",
                   "step 2, event 5: the post that served it, event 3, is missing");
    assert_refused(semaphore, "3 5 6",
                   "step 3, event 6: the post that served it, event 4, is missing");
    assert_allowed(semaphore, "3 5 4 6 7");
}

static void keeps_late_events_late(void **state)
{
    (void)state;
    const char *trace = "T1|r(x) T2|w(y)! T1|w(x) T3|w(x)";
    assert_allowed(trace, "1 2 3 4 5 6");
    assert_allowed(trace, "1 2 3 5 6 4");
    assert_refused(trace, "1 3 4",
                   "step 3, event 4: it is ordered last, and event 2 before it is missing");
    assert_refused(trace, "1 2 4",
                   "step 3, event 4: it is ordered last, and event 3 before it is missing");
    assert_refused(
        trace, "1 2 6 3 4",
        "step 5, event 4: it is ordered last, and a thread stopped before it at event 3, a "
        "broken read");
    /* Who stopped at an event that the trace has later does not matter. */
    assert_allowed("T2|w(y)! T1|r(x) T3|w(x)", "1 2 5 4 3");
    /* One late event makes its step late. */
    assert_refused("T1|w(x) T2|w(y)+ T2|w(x)!", "1 2 4 5 3",
                   "step 3, event 4: it is ordered last, and event 3 before it is missing");
}

static void keeps_steps_whole(void **state)
{
    (void)state;
    const char *reads = "T1|r(x)+ T1|r(y) T2|w(y)";
    assert_allowed(reads, "3 4 5");
    assert_allowed(reads, "5 3 4");
    assert_refused(reads, "3 5 4", "step 2, event 5: event 4 is one step with event 3 before it");
    assert_refused(reads, "5 3", "the order ends within the step of event 3");
    /* A broken read does not keep the rest from happening, and paths go back in a step. */
    assert_path("T1|begin T1|w(y) T1|w(x) T1|end T2|r(x)+ T2|r(y) T2|w(z)", 1, "1 2 5 6 3",
                "path 2 6 5 3, broken 5, 2 switches");
    assert_path("T1|begin T1|w(y) T1|w(x) T1|end T2|r(x)+ T2|r(y) T2|w(z)", 1, "1 2 5 6 7",
                "step 5, event 7: its thread stopped at event 5, a broken read");
    /* One broken read-modify-write keeps all of the step from writing. */
    const char *updates = "T1|begin T1|r(x) T1|r(x) T1|end T1|w(y) T2|rmw(x)+ T2|rmw(y)";
    assert_path(updates, 1, "1 2 6 7 3", NO_PATH);
    assert_path("T1|begin T1|r(x) T1|r(x) T1|end T2|rmw(x)+ T2|rmw(y) T2|rmw(x)", 1, "1 2 5 6 3",
                "path 2 5 3, broken 3, 2 switches");
}

static void ends_threads_at_freed_memory(void **state)
{
    (void)state;
    const char *later = "T1|w(x) T1|w(y) T2|free(x)";
    assert_allowed(later, "3 5 4");
    assert_refused(later, "5 3 4",
                   "step 3, event 4: its thread stopped at event 3, an access of freed memory");
    /* What was observed behind such an access happens nowhere, and the thread does not end. */
    assert_refused("T2|free(x) T1|w(x) T1|w(y)", "4 5",
                   "step 2, event 5: its thread stopped at event 4, an access of freed memory");
    assert_refused("T1|free(x) T1|free(x) T2|join(T1)", "3 4 5",
                   "step 3, event 5: the joined thread stopped at event 4, an access of freed "
                   "memory");
    assert_path("T1|begin T1|r(x) T1|r(x) T1|end T2|free(x)", 1, "1 2 5 3",
                "path 2 5 3, broken 3, 2 switches");
    /* But what happened did happen. */
    const ser_checker_model recorded = {.happened = true};
    subject s;
    open_subject(&s, "T1|begin T1|r(x) T2|free(x) T1|r(x) T1|w(y)");
    ser_checker_destroy(s.checker);
    s.checker = ser_checker_create(s.events, (uint32_t)s.trace.count, &recorded);
    assert_string_equal(judge(&s, 1, false, "1 2 3 4 5"), "path 2 3 4, broken, 2 switches");
    close_subject(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_wrong_numbers_and_turns),
        cmocka_unit_test(keeps_fork_and_join),
        cmocka_unit_test(keeps_locks),
        cmocka_unit_test(reads_locks_that_were_taken),
        cmocka_unit_test(couples_waits),
        cmocka_unit_test(meets_at_barriers_and_semaphores),
        cmocka_unit_test(keeps_late_events_late),
        cmocka_unit_test(keeps_steps_whole),
        cmocka_unit_test(ends_threads_at_freed_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
