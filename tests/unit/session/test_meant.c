/* SPDX-License-Identifier: MIT */
/* Blocks that nobody means to be atomic, that nobody sees half done, or that are so in effect. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "session/run/judge/harmless.h"
#include "session/run/judge/meant.h"
#include "unit/session/called_block.h"

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

static void blocks_that_somebody_names_are_not_guessed(void **state)
{
    (void)state;
    assert_true(ser_blocks_are_guessed(NULL));
    assert_true(ser_blocks_are_guessed("auto"));
    assert_false(ser_blocks_are_guessed("markers"));
    assert_false(ser_blocks_are_guessed("functions.spec"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_means_all_that_a_thread_does),
        cmocka_unit_test(who_only_looks_sees_what_is_half_done),
        cmocka_unit_test(a_function_that_exchanges_takes_effect_at_once),
        cmocka_unit_test(blocks_that_somebody_names_are_not_guessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
