/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "trace/blocks/checks.h"
#include "trace/blocks/lock_like.h"
#include "unit/small_trace.h"

/* Where the block ends that begins at `begin`. All accesses are of shared variables, the first one
 * has a flow, and so does the second read, if there is one. */
static uint64_t end_of(const char *text, uint64_t begin, uint16_t first, uint16_t second)
{
    small_trace trace = small_trace_of(text);
    ser_checks *checks = ser_checks_create(trace.symbols);
    ser_semaphore_uses semaphores = {0};
    uint16_t flow = first;
    for (size_t i = 0; i < trace.count; i++)
        ser_semaphore_uses_see(&semaphores, &trace.events[i]);
    for (size_t i = 0; i < trace.count; i++) {
        if (trace.events[i].op == SER_OP_READ) {
            trace.events[i].flow = flow;
            flow = second;
        }
        ser_checks_see(checks, &trace.events[i], true,
                       ser_semaphore_uses_lock(&semaphores, &trace.events[i]));
    }
    uint64_t end = ser_checks_end_of(checks, begin);
    ser_checks_destroy(checks);
    ser_vector_free(&semaphores);
    small_trace_free(&trace);
    return end;
}

static void check_and_act_in_one_call_are_a_block(void **state)
{
    static const char text[] = "T1|acq(l) T1|r(x) T1|rel(l) T1|acq(l) T1|r(x) T1|w(x) T1|rel(l)";
    (void)state;
    assert_int_equal(end_of(text, 0, SER_FLOW_DECIDES, SER_FLOW_DATA), 6);
    assert_int_equal(end_of(text, 0, SER_FLOW_DECIDES, SER_FLOW_ANYWAY), 6);
    assert_int_equal(end_of(text, 0, SER_FLOW_DECIDES, SER_FLOW_BLIND), 6);
}

static void a_second_look_makes_none(void **state)
{
    static const char text[] = "T1|acq(l) T1|r(x) T1|rel(l) T1|acq(l) T1|r(x) T1|w(x) T1|rel(l)";
    (void)state;
    assert_int_equal(end_of(text, 0, SER_FLOW_DECIDES, 0), 0);
}

static void a_call_that_has_returned_must_have_handed_the_value_on(void **state)
{
    static const char text[] = "T1|call(buy) T1|call(any) T1|acq(l) T1|r(x) T1|rel(l) T1|ret(any) "
                               "T1|call(take) T1|acq(l) T1|w(x) T1|rel(l) T1|ret(take)";
    (void)state;
    assert_int_equal(end_of(text, 1, SER_FLOW_DECIDES, 0), 0);
    assert_int_equal(end_of(text, 1, SER_FLOW_DECIDES | SER_FLOW_HANDED, 0), 9);
}

/* Who takes a semaphore and puts it back uses it as a lock; who waits for another's post waits. */
static void semaphores_may_be_locks(void **state)
{
    (void)state;
    assert_int_equal(
        end_of("T1|take(s) T1|r(x) T1|post(s) T1|take(s) T1|w(x) T1|post(s)", 0, SER_FLOW_DATA, 0),
        5);
    assert_int_equal(
        end_of("T1|take(s) T1|r(x) T1|post(t) T1|take(s) T1|w(x) T1|post(t)", 0, SER_FLOW_DATA, 0),
        0);
}

/* The end of a pipe that served as a lock: main closes it when all others are through. */
static void what_nobody_takes_makes_no_message(void **state)
{
    (void)state;
    assert_int_equal(end_of("T1|take(s) T1|r(x) T1|post(s) T1|take(s) T1|w(x) T1|post(s) "
                            "T0|post(s)",
                            0, SER_FLOW_DATA, 0),
                     5);
    assert_int_equal(end_of("T1|take(s) T1|r(x) T1|post(s) T1|take(s) T1|w(x) T1|post(s) "
                            "T0|post(s) T1|take(s)",
                            0, SER_FLOW_DATA, 0),
                     0);
}

static void a_wait_parts_them(void **state)
{
    static const char text[] = "T1|acq(l) T1|r(x) T1|rel(l) T1|wait(c) T1|acq(l) T1|w(x) T1|rel(l)";
    (void)state;
    assert_int_equal(end_of(text, 0, SER_FLOW_DECIDES, 0), 0);
}

static void a_caller_takes_up_what_a_call_has_left(void **state)
{
    static const char locked[] = "T1|call(use) T1|call(label) T1|acq(l) T1|w(x) T1|rel(l) "
                                 "T1|ret(label) T1|r(x) T1|ret(use)";
    static const char other[] = "T1|call(use) T1|call(label) T1|w(x) T1|ret(label) T1|r(y) T1|r(x)";
    static const char own[] = "T1|call(use) T1|call(label) T1|w(x) T1|r(x) T1|ret(label)";
    static const char again[] = "T1|call(use) T1|call(label) T1|w(x) T1|ret(label) T1|wait(c) "
                                "T1|r(x)";
    (void)state;
    assert_int_equal(end_of(locked, 1, 0, 0), 6);
    assert_int_equal(end_of(other, 1, 0, 0), 0);
    assert_int_equal(end_of(own, 1, 0, 0), 0);
    assert_int_equal(end_of(again, 1, 0, 0), 0);
    assert_int_equal(
        end_of("T1|call(use) T1|call(label) T1|w(x) T1|ret(label) T1|r(x)", 1, SER_FLOW_ATOMIC, 0),
        0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_and_act_in_one_call_are_a_block),
        cmocka_unit_test(a_second_look_makes_none),
        cmocka_unit_test(a_call_that_has_returned_must_have_handed_the_value_on),
        cmocka_unit_test(semaphores_may_be_locks),
        cmocka_unit_test(what_nobody_takes_makes_no_message),
        cmocka_unit_test(a_wait_parts_them),
        cmocka_unit_test(a_caller_takes_up_what_a_call_has_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
