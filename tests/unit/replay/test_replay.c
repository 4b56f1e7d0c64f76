/* SPDX-License-Identifier: MIT */
/* Plans, and following them: traces with all operations, and with some elided. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "replay/follow.h"
#include "unit/small_run.h"

/* A run, an interleaving of it as numbers of events with 0 at the end, and its plan. */
typedef struct subject {
    small_trace trace;
    ser_run *run;
    ser_plan plan;
    ser_follower follower;
} subject;

/* T1 reads x and y in one step, T2 writes. T3 is there so that z is not private. */
static const char plain[] = "T1|r(x)+ T1|r(y) T1|w(z) T2|w(x) T2|w(y) T1|r(z) T3|w(z)";

/* The same, with the numbers of left-out operations after `skip`: events 1, 5 and 7. */
static const char gaps[] =
    "T1|skip(4) T1|r(x)+ T1|r(y) T1|w(z) T2|skip(2) T2|w(x) T1|skip(3) T1|r(z) T2|w(y) "
    "T3|w(z)";

/* The label of a skip event is made its value: small traces have none. */
static void set_counts(small_trace *trace)
{
    for (size_t i = 0; i < trace->count; i++) {
        ser_event *event = &trace->events[i];
        if (event->op != SER_OP_SKIP || event->object == SER_NO_OBJECT)
            continue;
        const char *text = ser_symbols_name(trace->symbols, SER_SPACE_LABEL, event->object);
        event->value = strtoull(text, NULL, 10);
        event->flags |= SER_EVENT_HAS_VALUE;
    }
}

static void build_run(subject *s)
{
    s->run = small_run_of(&s->trace);
}

static void make_plan(subject *s, const uint32_t *order)
{
    ser_error error;
    size_t count = 0;
    while (order[count])
        count++;
    assert_int_equal(ser_plan_make(&s->plan, s->run, order, count, &error), SER_OK);
    ser_follower_init(&s->follower, &s->plan, false);
}

static void open_subject(subject *s, const char *events, const uint32_t *order)
{
    *s = (subject){.trace = small_trace_of(events)};
    set_counts(&s->trace);
    build_run(s);
    make_plan(s, order);
}

static void close_subject(subject *s)
{
    ser_follower_fini(&s->follower);
    ser_plan_fini(&s->plan);
    ser_run_destroy(s->run);
    small_trace_free(&s->trace);
}

static void expect_turn(const subject *s, size_t index, uint32_t thread, uint64_t until)
{
    assert_true(index < s->plan.turns.count);
    assert_int_equal(s->plan.turns.items[index].thread, thread);
    assert_int_equal(s->plan.turns.items[index].until, until);
}

/* The threads make operations; false once the follower does not agree. */
static bool see(subject *s, uint16_t thread, uint8_t op)
{
    const ser_record record = {.thread = thread, .op = op};
    return ser_follower_look(&s->follower, NULL, &record, 1);
}

static void see_often(subject *s, uint16_t thread, uint8_t op, int times)
{
    for (int i = 0; i < times; i++)
        assert_true(see(s, thread, op));
}

static void test_operations(void **state)
{
    (void)state;
    subject s;
    open_subject(&s, plain, (const uint32_t[]){1, 2, 4, 3, 0});
    assert_int_equal(s.plan.turns.count, 3);
    expect_turn(&s, 0, 1, 1); /* two events, one operation */
    expect_turn(&s, 1, 2, 1);
    expect_turn(&s, 2, 1, 2);
    assert_int_equal(s.plan.operations, 3);
    close_subject(&s);
}

/* What was elided before an event is made with it; what comes after the last one is not. */
static void test_gaps(void **state)
{
    (void)state;
    subject s;
    open_subject(&s, gaps, (const uint32_t[]){2, 3, 6, 9, 4, 0});
    assert_int_equal(s.plan.turns.count, 3);
    expect_turn(&s, 0, 1, 5);
    expect_turn(&s, 1, 2, 4);
    expect_turn(&s, 2, 1, 6);
    assert_int_equal(s.plan.operations, 10);
    assert_int_equal(s.plan.made.items[2], 8);
    assert_int_equal(s.plan.numbers[8], 10);
    close_subject(&s);
}

/* Calls and returns say what was elided before them, a skip event before others. */
static void test_gaps_before_calls(void **state)
{
    (void)state;
    subject s = {.trace =
                     small_trace_of("T0|call(f) T0|w(x) T1|w(x) T0|skip(2) T0|ret(f) T0|w(x)")};
    set_counts(&s.trace);
    s.trace.events[0].value = 3;
    s.trace.events[4].value = 4;
    s.trace.events[0].flags = s.trace.events[4].flags = SER_EVENT_HAS_VALUE;
    s.trace.events[1].value = 100; /* what was written */
    s.trace.events[1].flags = SER_EVENT_HAS_VALUE;
    build_run(&s);
    make_plan(&s, (const uint32_t[]){1, 3, 2, 5, 6, 0});
    assert_int_equal(s.plan.turns.count, 3);
    expect_turn(&s, 0, 0, 4);
    expect_turn(&s, 1, 1, 1);
    expect_turn(&s, 2, 0, 13);
    assert_int_equal(s.plan.numbers[5], 12);
    see_often(&s, 0, SER_OP_READ, 3);
    assert_true(see(&s, 0, SER_OP_CALL));
    assert_int_equal(s.follower.last, 1);
    close_subject(&s);
}

/* An event that was dropped is no operation, and what continues one that was elided is
 * part of it. */
static void test_dropped_and_continued(void **state)
{
    (void)state;
    subject s = {.trace =
                     small_trace_of("T0|w(x) T0|skip T0|skip(2) T0|w(y) T0|w(z) T1|w(x) T1|w(y)")};
    set_counts(&s.trace);
    s.trace.events[3].flags = SER_EVENT_CONTINUES;
    build_run(&s);
    make_plan(&s, (const uint32_t[]){1, 4, 0});
    assert_int_equal(s.plan.turns.count, 1);
    expect_turn(&s, 0, 0, 3);
    assert_int_equal(s.plan.numbers[5], 4);
    close_subject(&s);
}

/* A range of three cells, of which only the second is shared, begins before T1's write and goes on
 * after it: the operation comes after it as well. */
static void test_private_cells(void **state)
{
    (void)state;
    subject s = {.trace = small_trace_of("T0|acq(l) T0|w(a) T0|w(b) T0|w(c) T1|w(b) T0|w(a)")};
    s.trace.events[2].flags = s.trace.events[3].flags = SER_EVENT_CONTINUES;
    build_run(&s);
    make_plan(&s, (const uint32_t[]){1, 2, 5, 3, 4, 6, 0});
    assert_int_equal(s.plan.turns.count, 3);
    expect_turn(&s, 0, 0, 1);
    expect_turn(&s, 1, 1, 1);
    expect_turn(&s, 2, 0, 3);
    assert_int_equal(s.plan.made.items[1], 1);
    close_subject(&s);
}

/* A copy in two pieces: it reads a and b, and writes c and d. */
static void test_copies(void **state)
{
    (void)state;
    subject s = {.trace = small_trace_of("T0|acq(l) T0|r(a) T0|w(c) T0|r(b) T0|w(d) T1|w(b)")};
    s.trace.events[3].flags = s.trace.events[4].flags = SER_EVENT_CONTINUES;
    build_run(&s);
    make_plan(&s, (const uint32_t[]){1, 2, 3, 6, 4, 5, 0});
    assert_int_equal(s.plan.numbers[4], 2);
    assert_int_equal(s.plan.numbers[5], 3);
    assert_int_equal(s.plan.turns.count, 3);
    expect_turn(&s, 0, 0, 1);
    expect_turn(&s, 1, 1, 1);
    expect_turn(&s, 2, 0, 3);
    close_subject(&s);
}

/* A try that failed counts, unless its thread ends with it. */
static void test_tries(void **state)
{
    (void)state;
    subject s;
    static const char events[] =
        "T1|acq(l) T2|acq(m) T0|tryfail(l) T0|acq(k) T0|tryfail(m) T1|rel(l)";
    open_subject(&s, events, (const uint32_t[]){1, 3, 6, 4, 5, 0});
    assert_int_equal(s.plan.turns.count, 4);
    expect_turn(&s, 1, 0, 1);
    expect_turn(&s, 3, 0, 2);
    close_subject(&s);
}

/* A thread that goes on after a wait was notified, or woke up by itself. */
static void test_waits(void **state)
{
    (void)state;
    subject s;
    static const char events[] = "T0|wait(c) T1|wait(c) T2|notify(c) T0|w(x) T1|w(x)";
    open_subject(&s, events, (const uint32_t[]){1, 2, 3, 4, 5, 0});
    assert_int_equal(s.plan.turns.count, 5);
    assert_false(s.plan.turns.items[0].woken);
    assert_true(s.plan.turns.items[3].woken);
    assert_false(s.plan.turns.items[4].woken);
    close_subject(&s);
}

/* A thread of which the trace has no operation but a number of them. */
static void test_hidden_thread(void **state)
{
    (void)state;
    subject s = {.trace = small_trace_of("T0|fork(T1) T1|skip(9) T1|r(anchor) T0|join(T1)")};
    set_counts(&s.trace);
    s.trace.events[2].flags = SER_EVENT_CONTINUES;
    build_run(&s);
    make_plan(&s, (const uint32_t[]){1, 3, 4, 0});
    assert_int_equal(s.plan.turns.count, 3);
    expect_turn(&s, 1, 1, 9);
    close_subject(&s);
}

/* An operation was elided in a call, and others come after it; the call is recorded later. They
 * stay behind the operation all the same. */
static void test_hidden_call(void **state)
{
    (void)state;
    subject s = {.trace = small_trace_of("T0|w(y) T0|skip(3) T0|r(anchor) T1|w(x) T0|call(f) "
                                         "T0|w(x) T1|w(y)")};
    set_counts(&s.trace);
    s.trace.events[2].flags = s.trace.events[4].flags = SER_EVENT_CONTINUES;
    build_run(&s);
    make_plan(&s, (const uint32_t[]){1, 3, 4, 5, 6, 0});
    expect_turn(&s, 0, 0, 4);
    expect_turn(&s, 1, 1, 1);
    expect_turn(&s, 2, 0, 5);
    close_subject(&s);
}

static void test_foreign_threads(void **state)
{
    (void)state;
    subject s = {.trace = small_trace_of("main|w(x)")};
    ser_error error;
    build_run(&s);
    assert_int_equal(ser_plan_make(&s.plan, s.run, NULL, 0, &error), SER_INPUT);
    assert_non_null(strstr(error.text, "main"));
    close_subject(&s);
}

static void test_following(void **state)
{
    (void)state;
    subject s;
    open_subject(&s, gaps, (const uint32_t[]){2, 3, 6, 4, 0});
    assert_true(see(&s, 1, SER_OP_CALL));
    assert_true(see(&s, 1, SER_RAW_RANGE_WRITE));
    assert_true(see(&s, 1, SER_OP_RMW));
    assert_true(see(&s, 1, SER_OP_RETURN));
    assert_int_equal(s.follower.last, 0);
    assert_true(see(&s, 1, SER_OP_READ));
    assert_int_equal(s.follower.last, 2);
    see_often(&s, 2, SER_OP_READ, 2);
    assert_true(see(&s, 2, SER_OP_WRITE));
    assert_int_equal(s.follower.last, 6);
    assert_true(see(&s, 1, SER_OP_WRITE));
    assert_true(see(&s, 1, SER_OP_ACQUIRE)); /* beyond the plan */
    assert_int_equal(s.follower.total, 10);
    close_subject(&s);
}

static void expect_divergence(subject *s, uint32_t event, const char *expected, const char *saw)
{
    assert_true(s->follower.diverged);
    assert_int_equal(s->follower.event, event);
    assert_non_null(strstr(s->follower.reason, expected));
    assert_non_null(strstr(s->follower.reason, saw));
}

/* Locks are never elided. */
static void test_divergence_in_gap(void **state)
{
    (void)state;
    subject s;
    open_subject(&s, gaps, (const uint32_t[]){2, 3, 0});
    see_often(&s, 1, SER_OP_READ, 2);
    assert_false(see(&s, 1, SER_OP_ACQUIRE));
    expect_divergence(&s, 2, "not recorded, then r(x) of T1", "saw acq");
    close_subject(&s);
}

/* One operation too few or too many is seen at the next event of the trace. */
static void test_divergence_after_gap(void **state)
{
    (void)state;
    subject s;
    open_subject(&s, gaps, (const uint32_t[]){2, 3, 0});
    see_often(&s, 1, SER_OP_WRITE, 4);
    assert_false(see(&s, 1, SER_OP_WRITE));
    expect_divergence(&s, 2, "expected r(x) of T1", "saw w");
    close_subject(&s);
}

/* --- places --------------------------------------------------------------- */

/* Site `number` of the program: a line of a.c, in a function that is text `function`. */
static void define_site(subject *s, uint32_t number, uint64_t line, uint64_t function)
{
    const ser_record records[] = {
        {.op = SER_RAW_SITE, .site = number, .object = 1, .value = function},
        {.op = SER_RAW_SITE_LINE, .site = number, .object = line},
    };
    assert_true(ser_follower_look(&s->follower, NULL, records, 2));
}

static void define_text(subject *s, uint64_t number, const char *text)
{
    ser_record records[2] = {{.op = SER_RAW_TEXT, .object = number, .value = strlen(text)}};
    memcpy(&records[1], text, strlen(text));
    assert_true(ser_follower_look(&s->follower, NULL, records, 2));
}

static bool see_at(subject *s, uint32_t site)
{
    const ser_record record = {.thread = 0, .op = SER_OP_WRITE, .site = site};
    return ser_follower_look(&s->follower, NULL, &record, 1);
}

/* All events are at line 10 of a.c, in f. */
static void open_placed(subject *s)
{
    *s = (subject){.trace = small_trace_of("T0|w(x) T0|w(x) T0|w(x) T0|w(x) T0|w(x) T1|w(x)")};
    uint32_t function = ser_symbols_add(s->trace.symbols, SER_SPACE_FUNCTION, "f", 1);
    for (size_t i = 0; i < s->trace.count; i++)
        s->trace.events[i].site = ser_symbols_add_site(s->trace.symbols, "a.c:10", 6, function);
    build_run(s);
    make_plan(s, (const uint32_t[]){1, 2, 3, 4, 5, 0});
    define_text(s, 1, "a.c");
    define_text(s, 2, "f");
    define_text(s, 3, "g");
    define_site(s, 1, 10, 3);
    define_site(s, 2, 12, 2);
    define_site(s, 3, 12, 3);
}

/* The line or the function must be the same, at the first time and at every other. */
static void test_places(void **state)
{
    (void)state;
    subject s;
    open_placed(&s);
    assert_true(see_at(&s, 1));
    assert_true(see_at(&s, 2));
    assert_true(see_at(&s, 1));
    assert_true(see_at(&s, 4)); /* nothing is known about it */
    assert_false(see_at(&s, 3));
    expect_divergence(&s, 5, "at a.c:10", "w at a.c:12");
    close_subject(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_gaps_before_calls),
        cmocka_unit_test(test_dropped_and_continued),
        cmocka_unit_test(test_private_cells),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_tries),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_hidden_thread),
        cmocka_unit_test(test_hidden_call),
        cmocka_unit_test(test_foreign_threads),
        cmocka_unit_test(test_following),
        cmocka_unit_test(test_divergence_in_gap),
        cmocka_unit_test(test_divergence_after_gap),
        cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
