/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "trace/blocks/whole.h"
#include "unit/small_trace.h"

#define FIRST  "T1|call(move) T1|acq(l) T1|r(x) T1|w(x) T1|rel(l) "
#define SECOND "T1|acq(k) T1|r(y) T1|w(y) T1|rel(k) T1|ret(move) "
#define OTHER                                                                                      \
    "T2|call(audit) T2|acq(l) T2|acq(k) T2|r(x) T2|r(y) T2|rel(k) T2|rel(l) T2|ret(audit) "

/* Is the call of move() a block? Each event has a place of its own, and writes add `changes`, one
 * after the other. All variables are shared. */
static bool is_block(const char *text, const int *changes)
{
    small_trace trace = small_trace_of(text);
    ser_whole *whole = ser_whole_create();
    uint64_t value = 0, begin = 0;
    for (uint32_t i = 0; i < trace.count; i++) {
        ser_event *event = &trace.events[i];
        bool is_access = ser_op_is_access((ser_op)event->op);
        event->site = event->op == SER_OP_ACQUIRE && event->site != SER_NO_SITE ? event->site : i;
        value += changes && ser_op_writes((ser_op)event->op) ? (uint64_t)*changes++ : 0;
        event->value = value;
        if (ser_op_calls((ser_op)event->op) && event->thread == 1)
            begin = i;
        ser_whole_see(whole, event, is_access, false);
    }
    ser_whole_finish(whole);
    bool found = ser_whole_begins(whole, begin);
    assert_int_equal(ser_whole_any(whole), found);
    ser_whole_destroy(whole);
    small_trace_free(&trace);
    return found;
}

#define BEGIN "T0|fork(T1) T0|fork(T2) "

static void protected_sections_in_a_row_are_a_block(void **state)
{
    (void)state;
    assert_true(is_block(BEGIN FIRST SECOND OTHER, NULL));
    assert_true(is_block("T0|w(x) T0|w(y) " BEGIN FIRST SECOND OTHER, NULL));
    assert_true(is_block(BEGIN FIRST SECOND OTHER "T0|join(T1) T0|join(T2) T0|r(x)", NULL));
}

static void one_section_is_none(void **state)
{
    (void)state;
    assert_false(is_block(BEGIN FIRST "T1|ret(move) " OTHER, NULL));
}

static void data_that_is_not_always_protected_makes_none(void **state)
{
    (void)state;
    assert_false(is_block(BEGIN FIRST SECOND OTHER "T2|r(x)", NULL));
    assert_false(is_block(BEGIN FIRST "T1|r(z) " SECOND OTHER "T2|w(z)", NULL));
    assert_false(is_block(BEGIN FIRST SECOND "T2|racq(l) T2|w(x) T2|rrel(l)", NULL));
    assert_true(is_block(BEGIN FIRST SECOND "T2|racq(l) T2|r(x) T2|rrel(l)", NULL));
}

static void what_waits_or_signals_is_none(void **state)
{
    (void)state;
    assert_false(is_block(BEGIN FIRST "T1|notify(c) " SECOND OTHER, NULL));
    assert_false(is_block(BEGIN FIRST "T1|post(s) " SECOND OTHER, NULL));
}

static void a_function_with_several_sections_is_a_block_itself(void **state)
{
    (void)state;
    assert_false(is_block(BEGIN "T1|call(all) " FIRST SECOND "T1|ret(all) " OTHER, NULL));
}

static void what_is_undone_is_meant_to_be_seen(void **state)
{
    static const char text[] = BEGIN "T1|call(move) T1|acq(l) T1|r(x) T1|w(x) T1|rel(l) "
                                     "T1|acq(l) T1|r(x) T1|w(x) T1|rel(l) T1|ret(move) " OTHER;
    (void)state;
    assert_true(is_block(text, (const int[]){1, 1}));
    assert_false(is_block(text, (const int[]){1, -1}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(protected_sections_in_a_row_are_a_block),
        cmocka_unit_test(one_section_is_none),
        cmocka_unit_test(data_that_is_not_always_protected_makes_none),
        cmocka_unit_test(what_waits_or_signals_is_none),
        cmocka_unit_test(a_function_with_several_sections_is_a_block_itself),
        cmocka_unit_test(what_is_undone_is_meant_to_be_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
