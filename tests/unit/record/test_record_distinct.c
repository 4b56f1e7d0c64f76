/* SPDX-License-Identifier: MIT */
/* Texts are new once, whatever their length and number; names that are taken get numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "record/naming/distinct.h"
#include "record/naming/unique.h"

static bool add(ser_distinct *set, unsigned kind, const char *text, size_t length)
{
    return ser_distinct_add(set, ser_distinct_hash(kind, text, length));
}

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
            assert_int_equal(add(&set, 1, text, (size_t)length), pass == 0);
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
            assert_true(add(&set, kind, zeros, length));
    assert_false(add(&set, 7, zeros, sizeof zeros));
    ser_distinct_fini(&set);
}

static void test_names_that_are_taken_get_numbers(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    ser_symbols *symbols = ser_symbols_create();
    ser_unique unique;
    ser_unique_init(&unique, symbols);
    for (uint32_t i = 0; i < COUNT; i++) {
        const char *text = i % 10 == 5 ? "x" : i == 2 ? "x #3" : "y";
        assert_int_equal(ser_unique_add(&unique, SER_SPACE_LOCK, text, strlen(text)), i);
    }
    assert_int_equal(ser_unique_add(&unique, SER_SPACE_VARIABLE, "x", 1), 0);
    ser_unique_settle(&unique);
    assert_string_equal(ser_symbols_name(symbols, SER_SPACE_VARIABLE, 0), "x");
    assert_string_equal(ser_symbols_name(symbols, SER_SPACE_LOCK, 0), "y");
    assert_string_equal(ser_symbols_name(symbols, SER_SPACE_LOCK, 1), "y #2");
    assert_string_equal(ser_symbols_name(symbols, SER_SPACE_LOCK, 2), "x #3");
    assert_string_equal(ser_symbols_name(symbols, SER_SPACE_LOCK, 5), "x");
    assert_string_equal(ser_symbols_name(symbols, SER_SPACE_LOCK, 15), "x #2");
    assert_string_equal(ser_symbols_name(symbols, SER_SPACE_LOCK, 25), "x #4");
    assert_string_equal(ser_symbols_name(symbols, SER_SPACE_LOCK, 995), "x #101");
    ser_unique_fini(&unique);
    ser_symbols_destroy(symbols);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_are_new_once),
        cmocka_unit_test(test_kinds_and_lengths_differ),
        cmocka_unit_test(test_names_that_are_taken_get_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
