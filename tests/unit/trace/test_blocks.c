/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "trace/blocks/blocks.h"
#include "trace/validate/validate.h"
#include "unit/small_trace.h"

/* One character an event: < opens, > closes, ! both, . neither. */
static void describe_marks(const small_trace *trace, char *marks)
{
    static const char letters[] = {'.', '<', '>', '!'};
    for (size_t i = 0; i < trace->count; i++)
        marks[i] = letters[(trace->events[i].flags & SER_EVENT_OPENS ? 1 : 0) |
                           (trace->events[i].flags & SER_EVENT_CLOSES ? 2 : 0)];
    marks[trace->count] = '\0';
}

static uint64_t count_opened(const char *marks)
{
    uint64_t opened = 0;
    for (; *marks; marks++)
        opened += *marks == '<' || *marks == '!';
    return opened;
}

static void assert_marks(const char *spec, const char *text, const char *expected)
{
    small_trace trace = small_trace_of(text);
    ser_validator *validator = ser_validator_create(trace.symbols, true);
    size_t good;
    ser_validator_check(validator, trace.events, trace.count, 1, &good, NULL);
    ser_validator_destroy(validator);

    ser_blocks *blocks;
    ser_error error;
    assert_int_equal(ser_blocks_create(&blocks, spec, trace.symbols, &error), SER_OK);
    while (ser_blocks_wants_survey(blocks)) {
        size_t i = 0;
        while (i < trace.count && ser_blocks_survey(blocks, trace.events + i, 1))
            i++;
        ser_blocks_end_survey(blocks);
    }
    ser_blocks_mark(blocks, trace.events, trace.count);
    char marks[256];
    describe_marks(&trace, marks);
    assert_string_equal(marks, expected);
    assert_int_equal(ser_blocks_count(blocks), count_opened(expected));

    /* A second pass finds the same, in batches of one event. */
    ser_blocks_restart(blocks);
    for (size_t i = 0; i < trace.count; i++) {
        trace.events[i].flags &= (uint8_t) ~(SER_EVENT_OPENS | SER_EVENT_CLOSES);
        ser_blocks_mark(blocks, &trace.events[i], 1);
    }
    describe_marks(&trace, marks);
    assert_string_equal(marks, expected);
    assert_int_equal(ser_blocks_count(blocks), count_opened(expected));
    ser_blocks_destroy(blocks);
    small_trace_free(&trace);
}

static void markers_mark_outermost_blocks(void **state)
{
    (void)state;
    const char *text = "T1|begin T1|begin T2|begin T1|r(x) T1|end T1|end T2|end T2|end T1|begin";
    assert_marks("markers", text, "<.<..>>.<");
    assert_marks(NULL, text, "<.<..>>.<");
}

static void locks_make_spans(void **state)
{
    (void)state;
    assert_marks("locks", "T1|acq(m) T1|r(x) T1|rel(m) T1|r(x)", "<.>.");
    assert_marks("locks", "T1|acq(m) T1|acq(m) T1|racq(n) T1|rel(m) T1|rel(m) T1|rrel(n)",
                 "<....>");
    assert_marks("locks", "T1|begin T1|acq(m) T2|begin T1|end T2|racq(n)", ".<..<");
    assert_marks("locks", "T1|acq(m) T1|racq(m) T1|rel(m) T1|rrel(m)", "<..>");
}

static void a_wait_splits_a_span(void **state)
{
    (void)state;
    assert_marks("locks", "T1|acq(m) T1|rel(m) T1|wait(c) T1|acq(m) T1|rel(m)", "<>.<>");
    assert_marks("locks",
                 "T1|acq(n) T1|acq(m) T1|rel(m) T1|wait(c) T2|r(x) T1|acq(m) T1|rel(m) T1|rel(n)",
                 "<..>.<.>");
    assert_marks("locks", "T1|acq(n) T1|wait(c) T1|rel(n) T1|r(x)", "<>..");
    assert_marks("locks", "T1|acq(n) T1|wait(c) T1|wait(c) T2|r(x) T1|r(x) T1|rel(n)", "<>..<>");
    assert_marks("locks", "T1|acq(n) T1|wait(c)", "<>");
}

/* Makes x and y shared and z private to T1. */
#define SHARE "T2|r(x) T2|r(y) T1|r(z) "

static void functions_that_touch_shared_data_twice_are_atomic(void **state)
{
    (void)state;
    assert_marks("functions",
                 SHARE "T1|call(main) T1|call(f) T1|r(x) T1|w(x) T1|ret(f) T1|ret(main)",
                 "....<..>.");
    assert_marks("functions",
                 SHARE "T1|call(main) T1|call(f) T1|r(x) T1|w(z) T1|ret(f) T1|ret(main)",
                 ".........");
    assert_marks("functions", SHARE "T1|call(main) T1|call(f) T1|r(x) T1|call(g) T1|w(y) T1|ret(g)",
                 "....<....");
}

static void one_call_decides_for_all_calls_of_a_function(void **state)
{
    (void)state;
    assert_marks("functions",
                 SHARE "T1|call(main) T1|call(f) T1|ret(f) T1|call(f) T1|r(x) T1|w(x) T1|ret(f)",
                 "....<><..>");
    assert_marks("functions",
                 SHARE "T1|call(main) T1|call(f) T1|r(x) T1|r(x) T1|ret(f) T1|call(f) T1|fork(T3)",
                 "..........");
}

static void roots_and_functions_that_drive_threads_are_not_atomic(void **state)
{
    (void)state;
    assert_marks("functions", SHARE "T1|call(f) T1|r(x) T1|w(x) T1|ret(f)", ".......");
    const char *waits[] = {"fork(T3)", "join(T3)", "take(s)"};
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 SHARE "T1|call(main) T1|call(f) T1|r(x) T1|w(x) T1|call(g) T1|%s T1|ret(g)",
                 waits[i]);
        assert_marks("functions", text, "..........");
    }
}

static void a_semaphore_that_is_put_back_is_a_lock(void **state)
{
    (void)state;
    assert_marks("functions",
                 "T2|post(s) " SHARE "T1|call(main) T1|call(f) T1|take(s) T1|r(x) T1|w(x) "
                 "T1|post(s) T1|ret(f)",
                 ".....<....>");
    assert_marks("functions", /* another thread's post */
                 "T2|post(s) " SHARE "T1|call(main) T1|call(f) T1|r(x) T1|take(s) T1|w(x) "
                 "T1|ret(f) T2|post(s)",
                 "...........");
}

static void a_function_that_waits_first_may_be_atomic(void **state)
{
    (void)state;
    assert_marks("functions", SHARE "T1|call(main) T1|call(f) T1|take(s) T1|r(x) T1|w(x) T1|ret(f)",
                 "....<...>");
    assert_marks("functions", /* what it calls does it all */
                 SHARE "T1|call(main) T1|call(f) T1|take(s) T1|call(g) T1|r(x) T1|w(x) T1|ret(g) "
                       "T1|ret(f)",
                 "......<..>.");
    assert_marks("functions", /* in the middle of its caller */
                 SHARE "T1|call(main) T1|call(f) T1|r(x) T1|call(g) T1|take(s) T1|ret(g) T1|w(x) "
                       "T1|ret(f)",
                 "...........");
}

static void a_wait_splits_a_call(void **state)
{
    (void)state;
    assert_marks("functions",
                 SHARE "T1|call(main) T1|call(f) T1|r(x) T1|call(g) T1|wait(c) T1|ret(g) T1|w(x) "
                       "T1|ret(f)",
                 "....<..><.>");
    assert_marks("functions",
                 SHARE "T1|call(main) T1|call(f) T1|r(x) T1|r(x) T1|arrive(b) T1|ret(f)",
                 "....<..>.");
    assert_marks("functions", /* a post waits for nobody */
                 SHARE "T1|call(main) T1|call(f) T1|r(x) T1|r(x) T1|post(s) T1|ret(f)",
                 "....<...>");
}

static void inner_atomic_calls_vanish_in_outer_ones(void **state)
{
    (void)state;
    assert_marks("functions",
                 SHARE "T1|call(main) T1|call(f) T1|call(f) T1|r(x) T1|r(x) T1|ret(f) T1|ret(f)",
                 "....<....>");
}

static void auto_prefers_markers(void **state)
{
    (void)state;
    assert_marks("auto", "T1|acq(m) T1|begin T1|end T1|rel(m)", ".<>.");
    assert_marks("auto", "T1|acq(m) T1|rel(m)", "<>");
}

static void auto_takes_what_comes_first(void **state)
{
    (void)state;
    /* f opens, the lock it takes changes nothing */
    assert_marks("auto",
                 SHARE "T1|call(main) T1|call(f) T1|acq(m) T1|r(x) T1|r(x) T1|ret(f) T1|rel(m)",
                 "....<...>.");
    /* the lock opens and, released in f, closes */
    assert_marks("auto",
                 SHARE "T1|call(main) T1|acq(m) T1|call(f) T1|r(x) T1|r(x) T1|rel(m) T1|ret(f)",
                 "....<...>.");
}

static void dropped_events_mark_nothing(void **state)
{
    (void)state;
    assert_marks("markers", "T1|end T1|begin T1|end", ".<>");
    assert_marks("locks", "T1|rel(m) T1|acq(m) T1|rel(m)", ".<>");
    assert_marks("functions", "T1|ret(f) T1|call(f)", "..");
}

static void assert_marks_by_file(const char *content, const char *text, const char *expected)
{
    char path[] = "/tmp/seriatim-spec-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, content, strlen(content)), strlen(content));
    close(file);
    assert_marks(path, text, expected);
    unlink(path);
}

static void a_file_names_functions(void **state)
{
    (void)state;
    const char *text = "T1|call(ns::A::f(int)) T1|ret(ns::A::f(int)) "
                       "T1|call(ns::A::g()) T1|ret(ns::A::g()) T1|call(h) T1|ret(h)";
    assert_marks_by_file("ns::A::f\n", text, "<>....");
    assert_marks_by_file("ns::A::f(int)\r\n", text, "<>....");
    assert_marks_by_file("ns::A::*", text, "<><>..");
    assert_marks_by_file("# all but one\n\n  *  \n - ns::A::g\n", text, "<>..<>");
    assert_marks_by_file("-ns::A::f\n*\n", text, "..<><>");
    assert_marks_by_file("ns::A\n", text, "......");
}

static void operators_have_parameter_lists_too(void **state)
{
    (void)state;
    const char *text = "T1|call(A::operator()(int)) T1|ret(A::operator()(int)) "
                       "T1|call((anonymous_namespace)::f) T1|ret((anonymous_namespace)::f) "
                       "T1|call(A::operator[](f(*)(int)&)) T1|ret(A::operator[](f(*)(int)&))";
    assert_marks_by_file("A::operator()\n", text, "<>....");
    assert_marks_by_file("(anonymous_namespace)::f\n", text, "..<>..");
    assert_marks_by_file("A::operator[]\n", text, "....<>");
}

static void arguments_of_templates_may_be_left_out(void **state)
{
    (void)state;
    const char *text = "T1|call(Box<A>::set<(lambda:3:5)>) T1|ret(Box<A>::set<(lambda:3:5)>) "
                       "T1|call(Box<A>::get(int)) T1|ret(Box<A>::get(int)) "
                       "T1|call(A::operator>(int)) T1|ret(A::operator>(int))";
    assert_marks_by_file("Box::set\n", text, "<>....");
    assert_marks_by_file("Box<A>::set\n", text, "<>....");
    assert_marks_by_file("Box<*>::set\n", text, "<>....");
    assert_marks_by_file("Box<A>::set<(lambda:3:5)>\n", text, "<>....");
    assert_marks_by_file("Box::*\n", text, "<><>..");
    assert_marks_by_file("Box<A>\n", text, "......");
    assert_marks_by_file("A::operator>\n", text, "....<>");
}

static void bad_files_are_bad_input(void **state)
{
    (void)state;
    ser_blocks *blocks;
    ser_error error;
    assert_int_equal(ser_blocks_create(&blocks, "/nowhere/at/all", NULL, &error), SER_INPUT);
    assert_non_null(strstr(error.text, "/nowhere/at/all: "));
    assert_int_equal(ser_blocks_create(&blocks, "/", NULL, &error), SER_INPUT);
    assert_null(blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markers_mark_outermost_blocks),
        cmocka_unit_test(locks_make_spans),
        cmocka_unit_test(a_wait_splits_a_span),
        cmocka_unit_test(functions_that_touch_shared_data_twice_are_atomic),
        cmocka_unit_test(one_call_decides_for_all_calls_of_a_function),
        cmocka_unit_test(roots_and_functions_that_drive_threads_are_not_atomic),
        cmocka_unit_test(a_semaphore_that_is_put_back_is_a_lock),
        cmocka_unit_test(a_function_that_waits_first_may_be_atomic),
        cmocka_unit_test(a_wait_splits_a_call),
        cmocka_unit_test(inner_atomic_calls_vanish_in_outer_ones),
        cmocka_unit_test(auto_prefers_markers),
        cmocka_unit_test(auto_takes_what_comes_first),
        cmocka_unit_test(dropped_events_mark_nothing),
        cmocka_unit_test(a_file_names_functions),
        cmocka_unit_test(operators_have_parameter_lists_too),
        cmocka_unit_test(arguments_of_templates_may_be_left_out),
        cmocka_unit_test(bad_files_are_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
