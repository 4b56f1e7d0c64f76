/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* after the above */
#include <cmocka.h>

#include "base/json_tree.h"

static ser_json_tree *read_good(const char *text)
{
    ser_json_tree *tree = NULL;
    ser_error error = {0};
    assert_int_equal(ser_json_tree_read(&tree, text, strlen(text), &error), SER_OK);
    return tree;
}

static void reads_what_it_holds(void **state)
{
    (void)state;
    ser_json_tree *tree =
        read_good(" {\"a\": [1, 2.5, -3e2], \"b\": {\"c\": \"text\"}, \"yes\": true, \"no\": false,"
                  " \"nothing\": null, \"big\": 18446744073709551615} ");
    const ser_json_node *root = ser_json_root(tree);
    const ser_json_node *second = ser_json_first(ser_json_member(root, "a"))->next;
    assert_true(second->number == 2.5);
    assert_non_null(second->next);
    assert_null(second->next->next);
    assert_string_equal(ser_json_text_in(ser_json_member(root, "b"), "c"), "text");
    assert_true(ser_json_bool_in(root, "yes"));
    assert_false(ser_json_bool_in(root, "no"));
    assert_true(ser_json_number_in(root, "big") == UINT64_MAX);
    ser_json_tree_destroy(tree);
}

static void what_is_missing_reads_like_what_is_empty(void **state)
{
    (void)state;
    ser_json_tree *tree = read_good("{\"n\": -1, \"x\": 1.5, \"t\": \"7\"}");
    const ser_json_node *root = ser_json_root(tree);
    assert_null(ser_json_member(root, "none"));
    assert_null(ser_json_text_in(ser_json_member(root, "none"), "deeper"));
    assert_int_equal(ser_json_number_in(root, "n"), 0);
    assert_int_equal(ser_json_number_in(root, "x"), 0);
    assert_int_equal(ser_json_number_in(root, "t"), 0);
    assert_null(ser_json_text_in(root, "n"));
    assert_null(ser_json_first(ser_json_member(root, "t")));
    ser_json_tree_destroy(tree);
}

static void escapes_become_utf8(void **state)
{
    (void)state;
    ser_json_tree *tree = read_good(
        "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u00e9\\u202E\", \"\\ud83d\\ude00\", \"\\ud800x\"]");
    const ser_json_node *item = ser_json_first(ser_json_root(tree));
    assert_string_equal(item->text, "\"\\/\b\f\n\r\t");
    assert_string_equal(item->next->text, "\xc3\xa9\xe2\x80\xae");
    assert_string_equal(item->next->next->text, "\xf0\x9f\x98\x80");
    assert_string_equal(item->next->next->next->text, "\xef\xbf\xbdx");
    ser_json_tree_destroy(tree);
}

static void refuses_what_is_no_json(void **state)
{
    static const char *const wrong[] = {
        "",         "{",        "[1,", "[1 2]", "{\"a\" 1}", "{a: 1}",    "\"open",
        "tru",      "nul",      "1 2", "[1]]",  "\"\\x\"",   "\"\\u12",   "\"\\ud800\\u0041\"",
        "\"a\nb\"", "{\"a\":}", "[,]", "--1",   "+",         "{\"a\":1,}"};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ser_json_tree *tree = NULL;
        ser_error error = {0};
        ser_status status = ser_json_tree_read(&tree, wrong[i], strlen(wrong[i]), &error);
        if (status != SER_INPUT)
            fail_msg("%s was read", wrong[i]);
        assert_non_null(strstr(error.text, "line "));
        assert_null(tree);
    }
}

static void refuses_what_is_nested_too_deeply(void **state)
{
    char text[5000];
    ser_json_tree *tree = NULL;
    ser_error error = {0};
    (void)state;
    memset(text, '[', sizeof text);
    assert_int_equal(ser_json_tree_read(&tree, text, sizeof text, &error), SER_INPUT);
    assert_non_null(strstr(error.text, "deep"));
}

static void long_texts_are_cut(void **state)
{
    (void)state;
    ser_json_tree *tree = read_good("{\"a\": [\"1234567890\", \"12345678\"], "
                                    "\"kept\": {\"b\": \"1234567890\"}}");
    ser_json_tree_shorten(tree, 8, "kept");
    const ser_json_node *root = ser_json_root(tree);
    const ser_json_node *first = ser_json_first(ser_json_member(root, "a"));
    assert_string_equal(ser_json_text_of(first), "1234 ...");
    assert_string_equal(ser_json_text_of(first->next), "12345678");
    assert_string_equal(ser_json_text_in(ser_json_member(root, "kept"), "b"), "1234567890");
    ser_json_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_it_holds),
        cmocka_unit_test(what_is_missing_reads_like_what_is_empty),
        cmocka_unit_test(escapes_become_utf8),
        cmocka_unit_test(refuses_what_is_no_json),
        cmocka_unit_test(refuses_what_is_nested_too_deeply),
        cmocka_unit_test(long_texts_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
