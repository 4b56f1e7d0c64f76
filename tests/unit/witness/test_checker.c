/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>

#include "trace/blocks/blocks.h"
#include "trace/validate/validate.h"
#include "unit/small_trace.h"
#include "witness/checker.h"

/* A trace with its checker; events[1 .. count]. */
typedef struct subject {
    small_trace trace;
    ser_event events[sizeof((small_trace *)0)->events / sizeof(ser_event) + 1];
    ser_checker *checker;
} subject;

static void open_subject(subject *s, const char *text)
{
    s->trace = small_trace_of(text);
    ser_validator *validator = ser_validator_create(s->trace.symbols, false);
    ser_blocks *blocks;
    ser_error error;
    size_t good;
    if (ser_validator_check(validator, s->trace.events, s->trace.count, 1, &good, &error))
        fail_msg("%s", error.text);
    assert_int_equal(ser_blocks_create(&blocks, NULL, s->trace.symbols, &error), SER_OK);
    ser_blocks_mark(blocks, s->trace.events, s->trace.count);
    ser_blocks_destroy(blocks);
    ser_validator_destroy(validator);
    memcpy(s->events + 1, s->trace.events, s->trace.count * sizeof *s->events);
    s->checker = ser_checker_create(s->events, (uint32_t)s->trace.count, NULL);
}

static void close_subject(subject *s)
{
    ser_checker_destroy(s->checker);
    small_trace_free(&s->trace);
}

static size_t parse_numbers(const char *text, uint32_t *numbers)
{
    size_t count = 0;
    for (char *end; *text; text = end + strspn(end, " "))
        numbers[count++] = (uint32_t)strtoul(text, &end, 10);
    return count;
}

static void append_numbers(char *text, size_t size, const uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, " %u", numbers[i]);
    }
}

/* What the checker says: "path ..., broken ..., N switches", or why it refuses. */
static const char *judge(subject *s, uint32_t block, bool serializability, const char *order)
{
    static char text[1024];
    uint32_t numbers[256];
    size_t count = parse_numbers(order, numbers);
    ser_witness_facts facts;
    ser_error error;
    if (ser_checker_check(s->checker, block, serializability, numbers, count, &facts, &error)) {
        assert_int_equal(error.status, SER_INTERNAL);
        assert_int_equal(facts.path.count + facts.broken.count, 0);
        snprintf(text, sizeof text, "%s", error.text);
    } else {
        snprintf(text, sizeof text, "path");
        append_numbers(text, sizeof text, facts.path.items, facts.path.count);
        snprintf(text + strlen(text), sizeof text - strlen(text), ", broken");
        append_numbers(text, sizeof text, facts.broken.items, facts.broken.count);
        snprintf(text + strlen(text), sizeof text - strlen(text), ", %u switches", facts.switches);
    }
    ser_witness_facts_fini(&facts);
    return text;
}

/* A second time, too: nothing may be left of the first. */
static void assert_judged(const char *trace, uint32_t block, bool serializability,
                          const char *order, const char *expected)
{
    subject s;
    open_subject(&s, trace);
    assert_string_equal(judge(&s, block, serializability, order), expected);
    assert_string_equal(judge(&s, block, serializability, order), expected);
    close_subject(&s);
}

static void assert_path(const char *trace, uint32_t block, const char *order, const char *expected)
{
    assert_judged(trace, block, false, order, expected);
}

#define NO_PATH "no path leaves the block of event 1 and comes back to it"

/* Events are numbered from 3: before them stands a block that nothing can violate. */
static void assert_refused(const char *events, const char *order, const char *expected)
{
    char trace[1024];
    snprintf(trace, sizeof trace, "T0|begin T0|end %s", events);
    assert_path(trace, 1, order, expected);
}

static void assert_allowed(const char *events, const char *order)
{
    assert_refused(events, order, NO_PATH);
}

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
        cmocka_unit_test(refuses_wrong_numbers_and_turns),
        cmocka_unit_test(keeps_fork_and_join),
        cmocka_unit_test(keeps_locks),
        cmocka_unit_test(reads_locks_that_were_taken),
        cmocka_unit_test(couples_waits),
        cmocka_unit_test(meets_at_barriers_and_semaphores),
        cmocka_unit_test(keeps_late_events_late),
        cmocka_unit_test(keeps_steps_whole),
        cmocka_unit_test(ends_threads_at_freed_memory),
        cmocka_unit_test(stops_at_compare_exchanges_that_fail),
        cmocka_unit_test(forgets_what_was_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
