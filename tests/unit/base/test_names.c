/* SPDX-License-Identifier: MIT */
/* Names of every length keep their numbers, and nothing beyond them is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/names.h"

static void test_every_length(void **state)
{
    (void)state;
    enum { LONGEST = 100 };
    ser_names *names = ser_names_create();
    for (int pass = 0; pass < 2; pass++) {
        for (size_t length = 0; length <= LONGEST; length++) {
            /* Just as long as the name, so that a sanitizer sees every byte too many. */
            char *text = ser_resize(NULL, length ? length : 1, 1);
            memset(text, 'n', length);
            assert_int_equal(ser_names_find(names, text, length), pass ? length : SER_NO_NAME);
            ser_names_prefetch(names, text, length, 1);
            ser_names_prefetch(names, text, length, 2);
            assert_int_equal(ser_names_add(names, text, length), length);
            assert_int_equal(ser_names_length(names, (uint32_t)length), length);
            assert_memory_equal(ser_names_text(names, (uint32_t)length), text, length);
            free(text);
        }
    }
    assert_int_equal(ser_names_count(names), LONGEST + 1);
    ser_names_destroy(names);
}

/* The number must not depend on what stands behind the name. */
static void test_surroundings_do_not_matter(void **state)
{
    (void)state;
    ser_names *names = ser_names_create();
    for (size_t length = 0; length <= 64; length++) {
        char text[80];
        memset(text, 'a', sizeof text);
        uint32_t number = ser_names_add(names, text, length);
        memset(text + length, 'b', sizeof text - length);
        assert_int_equal(ser_names_add(names, text, length), number);
    }
    ser_names_destroy(names);
}

static void test_one_byte_tells_names_apart(void **state)
{
    (void)state;
    for (size_t length = 1; length <= 40; length++) {
        ser_names *names = ser_names_create();
        char text[40] = {0};
        ser_names_add(names, text, length);
        for (size_t at = 0; at < length; at++) {
            text[at] = 1;
            assert_int_equal(ser_names_add(names, text, length), at + 1);
            text[at] = 0;
        }
        assert_int_equal(ser_names_add(names, text, length), 0);
        ser_names_destroy(names);
    }
}

static void test_many(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    char text[40];
    ser_names *names = ser_names_create();
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            int length = snprintf(text, sizeof text, i % 2 ? "V%u" : "account[%u].balance", i);
            assert_int_equal(ser_names_add(names, text, (size_t)length), i);
        }
    }
    assert_string_equal(ser_names_text(names, 4), "account[4].balance");
    ser_names_destroy(names);
}

/* What is appended has a number of its own; the last strings outlive a forget. */
static void test_appended_names_can_be_forgotten(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    char text[40];
    ser_names *names = ser_names_create();
    for (uint32_t i = 0; i < COUNT; i++) {
        int length = snprintf(text, sizeof text, "+%u of block", i / 2);
        assert_int_equal(ser_names_append(names, text, (size_t)length), i);
        assert_int_equal(ser_names_find(names, text, (size_t)length), SER_NO_NAME);
        if (i % 1000 == 999)
            ser_names_forget(names, i - 99);
        if (i >= 99) {
            snprintf(text, sizeof text, "+%u of block", (i - 99) / 2);
            assert_string_equal(ser_names_text(names, i - 99), text);
        }
    }
    assert_int_equal(ser_names_count(names), COUNT);
    ser_names_destroy(names);
}

/* What is long is shown in part, and differs from what is like it in all but its middle. */
static void test_long_names_are_brief(void **state)
{
    enum { LONG = 100000 };
    (void)state;
    ser_names *names = ser_names_create();
    char *text = ser_alloc(LONG, 1);
    memset(text, 'x', LONG);
    text[0] = 'a';
    text[LONG - 1] = 'z';
    uint32_t first = ser_names_add(names, text, LONG);
    text[LONG / 2] = 'y';
    uint32_t second = ser_names_add(names, text, LONG);
    uint32_t longest_whole = ser_names_add(names, text, SER_NAMES_BRIEF);
    assert_int_equal(ser_names_length(names, first), LONG);
    const char *one = ser_names_brief(names, first), *other = ser_names_brief(names, second);
    assert_int_equal(strlen(one), SER_NAMES_BRIEF);
    assert_int_equal(ser_names_brief_length(names, first), SER_NAMES_BRIEF);
    assert_true(one[0] == 'a' && one[SER_NAMES_BRIEF - 1] == 'z' && strstr(one, "x ... "));
    assert_string_not_equal(one, other);
    assert_ptr_equal(ser_names_brief(names, longest_whole), ser_names_text(names, longest_whole));
    free(text);
    ser_names_destroy(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_length),
        cmocka_unit_test(test_surroundings_do_not_matter),
        cmocka_unit_test(test_one_byte_tells_names_apart),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_appended_names_can_be_forgotten),
        cmocka_unit_test(test_long_names_are_brief),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
