/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>

#include "trace/validate/validate.h"
#include "unit/small_trace.h"

/* Validates text; the flags of all events come back as a string, one character
 * an event: i inner, s skipped, . neither. */
static ser_status validate(const char *text, bool lenient, char *flags, ser_error *error,
                           uint64_t *dropped)
{
    small_trace trace = small_trace_of(text);
    ser_validator *validator = ser_validator_create(trace.symbols, lenient);
    size_t good = 0;
    ser_status status = ser_validator_check(validator, trace.events, trace.count, 1, &good, error);
    for (size_t i = 0; i < good; i++) {
        bool inner = trace.events[i].flags & SER_EVENT_INNER;
        flags[i] = trace.events[i].op == SER_OP_SKIP ? 's' : inner ? 'i' : '.';
    }
    flags[good] = '\0';
    *dropped = ser_validator_dropped(validator);
    if (*dropped > 0)
        ser_fail(error, SER_INPUT, "%s", ser_validator_first_complaint(validator));
    ser_validator_destroy(validator);
    small_trace_free(&trace);
    return status;
}

static void assert_good(const char *text, const char *expected)
{
    char flags[256];
    uint64_t dropped;
    ser_error error = {0};
    assert_int_equal(validate(text, false, flags, &error, &dropped), SER_OK);
    assert_string_equal(flags, expected);
    assert_int_equal(validate(text, true, flags, &error, &dropped), SER_OK);
    assert_string_equal(flags, expected);
    assert_int_equal(dropped, 0);
}

/* The event is refused with that message, and --lenient drops it alone. */
static void assert_bad(const char *text, const char *message, const char *lenient)
{
    char flags[256];
    uint64_t dropped;
    ser_error error = {0};
    assert_int_equal(validate(text, false, flags, &error, &dropped), SER_INPUT);
    assert_string_equal(error.text, message);
    int number = 0;
    sscanf(message, "event %d:", &number);
    assert_int_equal(strlen(flags), number - 1);

    error.text[0] = '\0';
    assert_int_equal(validate(text, true, flags, &error, &dropped), SER_OK);
    assert_string_equal(flags, lenient);
    assert_string_equal(error.text, message);
}

static void locks_nest_and_only_the_outermost_counts(void **state)
{
    (void)state;
    assert_good("T1|acq(m) T1|acq(m) T1|rel(m) T1|rel(m) T2|acq(m)", ".ii..");
    assert_good("T1|acq(m) T1|acq(n) T1|rel(m) T2|acq(m) T1|rel(n)", ".....");
    assert_good("T1|racq(m) T2|racq(m) T1|racq(m) T1|rrel(m) T1|rrel(m) T2|rrel(m) T1|acq(m)",
                "..ii...");
}

static void a_writer_may_become_a_reader(void **state)
{
    (void)state;
    assert_good("T1|acq(m) T1|racq(m) T1|rel(m) T2|racq(m) T1|rrel(m) T2|rrel(m)", "......");
    assert_bad("T1|acq(m) T1|racq(m) T1|rel(m) T1|acq(m) T1|rrel(m)",
               "event 4: T1 acquires lock m exclusively, but holds it shared since event 2",
               "...s.");
}

static void acquires_of_a_held_lock_are_refused(void **state)
{
    (void)state;
    assert_bad("T1|acq(m) T2|acq(m) T1|rel(m)",
               "event 2: T2 acquires lock m, which T1 holds since event 1", ".s.");
    assert_bad("T1|acq(m) T2|racq(m) T1|rel(m)",
               "event 2: T2 acquires (shared) lock m, which T1 holds since event 1", ".s.");
    assert_bad("T1|racq(m) T2|acq(m) T1|rrel(m)",
               "event 2: T2 acquires lock m, which T1 holds shared since event 1", ".s.");
}

static void releases_by_others_are_refused(void **state)
{
    (void)state;
    assert_bad("T1|acq(m) T2|rel(m)", "event 2: T2 releases lock m, which T1 holds since event 1",
               ".s");
    assert_bad("T1|rel(m)", "event 1: T1 releases lock m, which nobody holds", "s");
    assert_bad("T1|acq(m) T1|rel(m) T2|rel(m)",
               "event 3: T2 releases lock m, which nobody holds (acquired last at event 1 by T1)",
               "..s");
    assert_bad("T1|acq(m) T1|rrel(m) T1|rel(m)",
               "event 2: T1 releases (shared) lock m, but holds it exclusively, since event 1",
               ".s.");
    assert_bad("T1|racq(m) T1|rel(m) T1|rrel(m)",
               "event 2: T1 releases lock m, but holds it shared, since event 1", ".s.");
    assert_bad("T1|racq(m) T2|rrel(m)",
               "event 2: T2 releases (shared) lock m, which T1 holds shared since event 1", ".s");
}

static void a_try_fails_only_if_the_lock_is_held(void **state)
{
    (void)state;
    assert_good("T1|acq(m) T2|tryfail(m) T1|tryfail(m)", "...");
    assert_good("T1|racq(m) T2|tryfail(m)", "..");
    assert_bad("T1|tryfail(m)", "event 1: T1 fails to acquire lock m, which nobody holds", "s");
}

static void threads_run_between_fork_and_join(void **state)
{
    (void)state;
    assert_good("T1|fork(T2) T2|r(x) T1|join(T2) T3|join(T2)", "....");
    assert_good("T1|fork(T2) T1|join(T2) T1|join(T3)", "...");
    assert_bad("T1|fork(T1)", "event 1: T1 forks itself", "s");
    assert_bad("T1|join(T1)", "event 1: T1 joins itself", "s");
    assert_bad("T1|fork(T2) T3|fork(T2)", "event 2: T3 forks T2, which T1 forked at event 1", ".s");
    assert_bad("T2|r(x) T1|fork(T2) T2|r(x)", "event 2: T1 forks T2, which already ran at event 1",
               ".s.");
    assert_bad("T1|join(T2) T1|fork(T2)", "event 2: T1 forks T2, which T1 joined at event 1", ".s");
    assert_bad("T2|r(x) T1|join(T2) T2|w(y) T2|acq(m) T1|acq(m)",
               "event 3: T2 has an event, w(y), although T1 joined it at event 2", "..ss.");
}

static void a_dropped_event_leaves_no_trace(void **state)
{
    (void)state;
    assert_bad("T2|rel(m) T1|fork(T2)", "event 1: T2 releases lock m, which nobody holds", "s.");
    assert_good("T2|skip T1|fork(T2) T2|r(x) T1|join(T2) T2|skip", "s...s");
}

static void blocks_nest(void **state)
{
    (void)state;
    assert_good("T1|begin T1|begin(a) T2|begin T1|end(a) T1|end T1|begin", ".i.i..");
    assert_bad("T1|begin T1|end T1|end", "event 3: T1 ends a block, but has none open", "..s");
}

static void returns_match_calls(void **state)
{
    (void)state;
    assert_good("T1|call(f) T1|call(f) T1|ret(f) T2|call(f) T1|ret(f)", ".....");
    assert_bad("T1|ret(f)", "event 1: T1 returns from function f, but has no call open", "s");
    assert_bad("T1|call(f) T1|call(g) T1|ret(f) T1|ret(g)",
               "event 3: T1 returns from function f, but is in g since event 2", "..s.");
}

static void departures_follow_an_arrival(void **state)
{
    (void)state;
    assert_good("T1|arrive(b) T2|depart(b)", "..");
    assert_bad("T2|depart(b)", "event 1: T2 departs from barrier b, at which nobody arrived before",
               "s");
}

/* Readers come and go; depths are kept in an array as well, and compared. */
static void many_threads_share_a_lock(void **state)
{
    (void)state;
    enum { THREADS = 40, STEPS = 4000 };
    small_trace trace = small_trace_of("T1|racq(m) T1|rrel(m)");
    for (char name = 'a'; ser_symbols_count(trace.symbols, SER_SPACE_THREAD) < THREADS; name++)
        ser_symbols_add(trace.symbols, SER_SPACE_THREAD, &name, 1);
    ser_validator *validator = ser_validator_create(trace.symbols, true);
    unsigned depth[THREADS] = {0}, seed = 1;
    for (uint64_t number = 1; number <= STEPS; number++) {
        seed = seed * 1103515245 + 12345;
        uint32_t thread = (seed >> 16) % THREADS;
        bool takes = seed >> 28 < (number < STEPS / 2 ? 9 : 7);
        ser_event event = trace.events[takes ? 0 : 1];
        event.thread = thread;
        size_t good;
        ser_validator_check(validator, &event, 1, number, &good, NULL);
        bool dropped = !takes && depth[thread] == 0;
        assert_int_equal(event.op == SER_OP_SKIP, dropped);
        if (!dropped)
            depth[thread] += takes ? 1 : -1u;
        assert_int_equal((event.flags & SER_EVENT_INNER) != 0,
                         !dropped && depth[thread] > (takes ? 1 : 0));
    }
    ser_validator_destroy(validator);
    small_trace_free(&trace);
}

/* A return without a call still has the count of what its thread elided before it. */
static void dropped_calls_leave_their_counts(void **state)
{
    (void)state;
    small_trace trace = small_trace_of("T1|ret(f) T1|call(f) T1|rel(m)");
    ser_validator *validator = ser_validator_create(trace.symbols, true);
    size_t good;
    for (int i = 0; i < 3; i++) {
        trace.events[i].flags = SER_EVENT_HAS_VALUE;
        trace.events[i].value = 7;
    }
    ser_validator_check(validator, trace.events, trace.count, 1, &good, NULL);
    assert_int_equal(trace.events[0].op, SER_OP_SKIP);
    assert_int_equal(ser_event_elided(&trace.events[0]), 7);
    assert_int_equal(ser_event_elided(&trace.events[1]), 7);
    assert_int_equal(trace.events[2].op, SER_OP_SKIP);
    assert_int_equal(ser_event_elided(&trace.events[2]), 0);
    ser_validator_destroy(validator);
    small_trace_free(&trace);
}

static void events_keep_their_numbers_over_batches(void **state)
{
    (void)state;
    small_trace trace = small_trace_of("T1|acq(m) T1|r(x) T2|acq(m)");
    ser_validator *validator = ser_validator_create(trace.symbols, false);
    size_t good = 0;
    ser_error error = {0};
    assert_int_equal(ser_validator_check(validator, trace.events, 2, 101, &good, &error), SER_OK);
    assert_int_equal(good, 2);
    assert_int_equal(ser_validator_check(validator, trace.events + 2, 1, 103, &good, &error),
                     SER_INPUT);
    assert_int_equal(good, 0);
    assert_string_equal(error.text,
                        "event 103: T2 acquires lock m, which T1 holds since event 101");
    ser_validator_destroy(validator);
    small_trace_free(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locks_nest_and_only_the_outermost_counts),
        cmocka_unit_test(a_writer_may_become_a_reader),
        cmocka_unit_test(acquires_of_a_held_lock_are_refused),
        cmocka_unit_test(releases_by_others_are_refused),
        cmocka_unit_test(a_try_fails_only_if_the_lock_is_held),
        cmocka_unit_test(threads_run_between_fork_and_join),
        cmocka_unit_test(a_dropped_event_leaves_no_trace),
        cmocka_unit_test(blocks_nest),
        cmocka_unit_test(returns_match_calls),
        cmocka_unit_test(departures_follow_an_arrival),
        cmocka_unit_test(many_threads_share_a_lock),
        cmocka_unit_test(dropped_calls_leave_their_counts),
        cmocka_unit_test(events_keep_their_numbers_over_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
