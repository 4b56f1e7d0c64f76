/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/output/json.h"

static char written[4096];
static size_t length;

static void remember(void *context, const void *bytes, size_t count)
{
    (void)context;
    assert_true(length + count < sizeof written);
    memcpy(written + length, bytes, count);
    length += count;
    written[length] = '\0';
}

static void start(ser_json *json)
{
    length = 0;
    ser_json_init(json, remember, NULL);
}

/* How a string of that many bytes is written. */
static const char *as_json(const char *text, size_t count)
{
    ser_json json;
    start(&json);
    ser_json_bytes(&json, text, count);
    return written;
}

static void empty_containers(void **state)
{
    (void)state;
    ser_json json;
    start(&json);
    ser_json_open_object(&json);
    ser_json_close_object(&json);
    ser_json_end(&json);
    assert_string_equal(written, "{}\n");
    start(&json);
    ser_json_open_array(&json);
    ser_json_close_array(&json);
    ser_json_end(&json);
    assert_string_equal(written, "[]\n");
}

static void two_levels_are_broken_into_lines(void **state)
{
    (void)state;
    ser_json json;
    start(&json);
    ser_json_open_object(&json);
    ser_json_text_at(&json, "command", "check");
    ser_json_bool_at(&json, "partial", false);
    ser_json_key(&json, "violations");
    ser_json_open_array(&json);
    for (uint64_t i = 1; i <= 2; i++) {
        ser_json_open_object(&json);
        ser_json_number_at(&json, "event", i);
        ser_json_key(&json, "end");
        ser_json_null(&json);
        ser_json_close_object(&json);
    }
    ser_json_close_array(&json);
    ser_json_close_object(&json);
    ser_json_end(&json);
    assert_string_equal(written, "{\n"
                                 "  \"command\": \"check\",\n"
                                 "  \"partial\": false,\n"
                                 "  \"violations\": [\n"
                                 "    {\"event\": 1, \"end\": null},\n"
                                 "    {\"event\": 2, \"end\": null}\n"
                                 "  ]\n"
                                 "}\n");
}

static void numbers_are_exact(void **state)
{
    (void)state;
    ser_json json;
    start(&json);
    ser_json_number(&json, UINT64_MAX);
    assert_string_equal(written, "18446744073709551615");
}

static void reals_have_six_decimals(void **state)
{
    (void)state;
    ser_json json;
    start(&json);
    ser_json_open_object(&json);
    ser_json_real_at(&json, "seconds", 1.25);
    ser_json_close_object(&json);
    assert_string_equal(written, "{\n  \"seconds\": 1.250000\n}");
    start(&json);
    ser_json_real(&json, 0);
    assert_string_equal(written, "0.000000");
}

static void special_characters_are_escaped(void **state)
{
    (void)state;
    assert_string_equal(as_json("a\"b\\c\nd\te\001\177", 11),
                        "\"a\\\"b\\\\c\\nd\\te\\u0001\\u007f\"");
    assert_string_equal(as_json("a\0b", 3), "\"a\\u0000b\"");
    assert_string_equal(as_json("", 0), "\"\"");
}

static void valid_utf8_stays(void **state)
{
    (void)state;
    const char *text = "z\xc3\xa4hler \xe2\x82\xac \xf0\x9f\x94\x92";
    char quoted[64] = "\"";
    strcat(strcat(quoted, text), "\"");
    assert_string_equal(as_json(text, strlen(text)), quoted);
}

static void invalid_utf8_is_replaced(void **state)
{
    (void)state;
    assert_string_equal(as_json("\xff", 1), "\"\\ufffd\"");
    assert_string_equal(as_json("a\xc3", 2), "\"a\\ufffd\"");          /* cut short */
    assert_string_equal(as_json("\xc3(", 2), "\"\\ufffd(\"");          /* no continuation */
    assert_string_equal(as_json("\xc0\xaf", 2), "\"\\ufffd\\ufffd\""); /* longer than needed */
    assert_string_equal(as_json("\xed\xa0\x80", 3), "\"\\ufffd\\ufffd\\ufffd\""); /* surrogate */
    assert_string_equal(as_json("\xf4\x90\x80\x80", 4), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
    assert_string_equal(as_json("\xf8\x88\x80\x80", 4), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_containers),
        cmocka_unit_test(two_levels_are_broken_into_lines),
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(reals_have_six_decimals),
        cmocka_unit_test(special_characters_are_escaped),
        cmocka_unit_test(valid_utf8_stays),
        cmocka_unit_test(invalid_utf8_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
