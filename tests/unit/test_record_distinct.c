/* SPDX-License-Identifier: MIT */
/* Texts are new once, whatever their length and number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "record/distinct.h"

static void test_texts_are_new_once(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    ser_distinct set = {0};
    char text[64];
    for (int pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < COUNT; i++) {
            int length =
                snprintf(text, sizeof text, i % 2 ? "V%u" : "+%u of block allocated at", i);
            assert_int_equal(ser_distinct_add(&set, 1, text, (size_t)length), pass == 0);
        }
    assert_int_equal(set.count, COUNT);
    ser_distinct_fini(&set);
}

static void test_kinds_and_lengths_differ(void **state)
{
    (void)state;
    ser_distinct set = {0};
    char zeros[40] = {0};
    for (unsigned kind = 0; kind < 8; kind++)
        for (size_t length = 0; length <= sizeof zeros; length++)
            assert_true(ser_distinct_add(&set, kind, zeros, length));
    assert_false(ser_distinct_add(&set, 7, zeros, sizeof zeros));
    ser_distinct_fini(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_are_new_once),
        cmocka_unit_test(test_kinds_and_lengths_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
