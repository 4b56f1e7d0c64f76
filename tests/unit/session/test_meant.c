/* SPDX-License-Identifier: MIT */
/* Which blocks somebody means to be atomic, and what is meant to be seen in between. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "session/run/judge/announced.h"
#include "session/run/judge/found_out.h"
#include "session/run/judge/meant.h"
#include "unit/session/called_block.h"

/* Does T1's block find again what it has written? */
static bool finds_own_value(const char *text, const uint64_t *values, const uint32_t events[3])
{
    subject s = open_subject(text);
    for (uint32_t i = 1; i <= s.run->count; i++) {
        ser_event *event = &s.run->events[i];
        if (!ser_op_is_access((ser_op)event->op))
            continue;
        event->value = *values++;
        event->flags |= SER_EVENT_HAS_VALUE;
    }
    bool found = ser_finds_own_value(s.run, 0, events, 3);
    close_subject(&s);
    return found;
}

static void a_value_that_others_write_anew_is_still_there(void **state)
{
    (void)state;
    static const char text[] = "T1|call(f) T1|w(x) T2|w(x) T1|r(x) T1|ret(f)";
    const uint64_t same[] = {1, 1, 1}, other[] = {1, 2, 2};
    const uint32_t events[] = {2, 3, 4};
    assert_true(finds_own_value(text, same, events));
    assert_false(finds_own_value(text, other, events));
    assert_false(finds_own_value("T1|call(f) T1|r(x) T2|w(x) T1|r(x) T1|ret(f)", same, events));
}

/* Does T1's block take back what it has written? */
static bool is_announced(const char *text, const uint64_t *values, const uint32_t events[3])
{
    subject s = open_subject(text);
    for (uint32_t i = 1; i <= s.run->count; i++) {
        ser_event *event = &s.run->events[i];
        if (!ser_op_is_access((ser_op)event->op))
            continue;
        event->value = *values++;
        event->flags |= SER_EVENT_HAS_VALUE;
        event->flow |= ser_op_only_writes((ser_op)event->op) ? SER_FLOW_FIXED : 0;
    }
    bool announced = ser_is_announced(s.run, 0, events, 3);
    close_subject(&s);
    return announced;
}

static void what_is_taken_back_is_meant_to_be_seen(void **state)
{
    (void)state;
    static const char text[] = "T1|call(f) T1|r(x) T1|w(x) T2|r(x) T1|w(x) T1|ret(f)";
    static const char changed[] = "T1|call(f) T1|r(x) T1|w(x) T2|w(x) T1|w(x) T1|ret(f)";
    const uint64_t back[] = {0, 1, 1, 0}, onward[] = {0, 1, 1, 2};
    const uint32_t events[] = {3, 4, 5};
    assert_true(is_announced(text, back, events));
    assert_false(is_announced(text, onward, events));
    assert_false(is_announced(changed, back, events));
}

static bool is_meant(const char *text, bool guessed)
{
    subject s = open_subject(text);
    bool meant = ser_block_is_meant(s.run, 0, guessed);
    close_subject(&s);
    return meant;
}

static void nobody_means_all_that_a_thread_does(void **state)
{
    (void)state;
    assert_false(is_meant("T1|call(f) T1|w(x) T1|ret(f)", false));
    assert_false(is_meant("T1|call(f) T1|w(x) T1|ret(f)", true));
    subject s = open_subject("T1|call(f) T1|call(g) T1|w(x) T1|ret(g) T1|ret(f)");
    s.run->blocks.items[0].begin = 2;
    assert_true(ser_block_is_meant(s.run, 0, false));
    s.run->blocks.items[0].kind = SER_BLOCK_MARKED;
    assert_true(ser_block_is_meant(s.run, 0, true));
    close_subject(&s);
}

static bool is_unseen(const char *text, const uint32_t events[3])
{
    subject s = open_subject(text);
    bool unseen = ser_is_unseen(s.run, 0, events, 3);
    close_subject(&s);
    return unseen;
}

static void who_only_looks_sees_what_is_half_done(void **state)
{
    (void)state;
    static const uint32_t path[] = {4, 7, 10};
#define ROUNDS(other)                                                                              \
    "T1|call(f) T1|acq(m) T1|r(x) T1|w(x) T1|rel(m) " other " T1|acq(m) T1|r(x) T1|w(x) T1|ret(f)"
    assert_true(is_unseen(ROUNDS("T2|r(x) T2|w(x)"), path));
    assert_false(is_unseen(ROUNDS("T2|r(y) T2|r(x)"), path));
    assert_false(is_unseen(ROUNDS("T2|w(y) T2|w(x)"), path));
}

static void a_function_that_exchanges_takes_effect_at_once(void **state)
{
    (void)state;
    static const uint32_t path[] = {2, 3, 4};
    subject s = open_subject("T1|call(f) T1|r(x) T2|rmw(x) T1|rmw(x) T1|ret(f)");
    assert_false(ser_takes_effect_at_once(s.run, 0, path, 3));
    s.run->events[2].flow |= SER_FLOW_ATOMIC;
    assert_true(ser_takes_effect_at_once(s.run, 0, path, 3));
    s.run->events[4].flow |= SER_FLOW_MODIFIES;
    assert_false(ser_takes_effect_at_once(s.run, 0, path, 3));
    close_subject(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_that_others_write_anew_is_still_there),
        cmocka_unit_test(what_is_taken_back_is_meant_to_be_seen),
        cmocka_unit_test(nobody_means_all_that_a_thread_does),
        cmocka_unit_test(who_only_looks_sees_what_is_half_done),
        cmocka_unit_test(a_function_that_exchanges_takes_effect_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
