/* SPDX-License-Identifier: MIT */
/* The table of operations: numbers that are part of the format, and roles that make sense. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <string.h>

#include "trace/event.h"

/* Old traces have these numbers. */
static void test_numbers_stay(void **state)
{
    (void)state;
    static const char *const names[] = {"skip", "r",    "w",       "rmw",       "acq",    "rel",
                                        "racq", "rrel", "tryfail", "fork",      "join",   "begin",
                                        "end",  "wait", "notify",  "notifyall", "arrive", "depart",
                                        "post", "take", "call",    "ret",       "free"};
    for (int op = 0; op < (int)(sizeof names / sizeof *names); op++) {
        assert_string_equal(ser_op_name((ser_op)op), names[op]);
        assert_int_equal(ser_op_by_name(names[op], strlen(names[op])), op);
    }
    assert_int_equal(ser_op_by_name("sleep", 5), SER_OP_COUNT);
}

/* Those who ask for roles go by the name space, and take for granted that an operation of it has
 * one of its roles and none of another's. */
static void test_roles_fit_name_spaces(void **state)
{
    (void)state;
    static const unsigned roles[SER_SPACE_COUNT] = {
        [SER_SPACE_THREAD] = SER_STARTS | SER_AWAITS,
        [SER_SPACE_VARIABLE] = SER_READS | SER_WRITES,
        [SER_SPACE_LOCK] = SER_ACQUIRES | SER_RELEASES | SER_TESTS,
        [SER_SPACE_CONDITION] = SER_SIGNALS | SER_AWAITS,
        [SER_SPACE_BARRIER] = SER_SIGNALS | SER_AWAITS,
        [SER_SPACE_SEMAPHORE] = SER_SIGNALS | SER_AWAITS,
        [SER_SPACE_FUNCTION] = SER_OPENS | SER_CLOSES,
        [SER_SPACE_LABEL] = SER_OPENS | SER_CLOSES,
    };
    const unsigned details = SER_SHARES | SER_ALL | SER_COUNTS | SER_FREES;
    for (ser_op op = SER_OP_SKIP + 1; op < SER_OP_COUNT; op++) {
        ser_space space = ser_op_space(op);
        unsigned own = ser_op_roles(op) & ~details;
        assert_true(own);
        assert_false(own & ~roles[space]);
        assert_true(space == SER_SPACE_VARIABLE || (own & (own - 1)) == 0);
        assert_true(ser_op_takes_part(op));
    }
    assert_false(ser_op_takes_part(SER_OP_SKIP));
}

static void test_details_fit_roles(void **state)
{
    (void)state;
    for (ser_op op = 0; op < SER_OP_COUNT; op++) {
        assert_true(!ser_op_is_shared(op) || ser_op_has(op, SER_ACQUIRES | SER_RELEASES));
        assert_true(!ser_op_has(op, SER_ALL) || ser_op_notifies(op));
        assert_true(!ser_op_frees(op) || ser_op_writes(op));
        assert_true(!ser_op_has(op, SER_COUNTS) || !ser_op_is_access(op));
        assert_true(*ser_op_verb(op));
    }
}

/* A report has no use for a verb that says nothing. */
static void test_verbs(void **state)
{
    (void)state;
    assert_string_equal(ser_op_verb(SER_OP_FORK), "starts");
    assert_string_equal(ser_op_verb(SER_OP_NOTIFY), "signals");
    for (ser_op op = 0; op < SER_OP_COUNT; op++)
        assert_string_not_equal(ser_op_verb(op), "does");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_stay),
        cmocka_unit_test(test_roles_fit_name_spaces),
        cmocka_unit_test(test_details_fit_roles),
        cmocka_unit_test(test_verbs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
