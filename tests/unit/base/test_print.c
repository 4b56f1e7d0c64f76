/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/output/json.h"
#include "base/output/print.h"
#include "base/output/show.h"

static char *printed;

__attribute__((format(printf, 1, 2))) static const char *print(const char *format, ...)
{
    size_t size = 0;
    free(printed);
    FILE *file = open_memstream(&printed, &size);
    va_list arguments;
    va_start(arguments, format);
    ser_vprint(file, format, arguments);
    va_end(arguments);
    fclose(file);
    return printed;
}

static const char *word(const char *text)
{
    size_t size = 0;
    free(printed);
    FILE *file = open_memstream(&printed, &size);
    ser_print_word(file, text);
    fclose(file);
    return printed;
}

static void numbers_are_as_with_printf(void **state)
{
    (void)state;
    char wanted[256];
#define SAME(...)                                                                                  \
    do {                                                                                           \
        snprintf(wanted, sizeof wanted, __VA_ARGS__);                                              \
        assert_string_equal(print(__VA_ARGS__), wanted);                                           \
    } while (0)
    SAME("%d|%5d|%-5d|%05d|%+d|%i", -7, 42, 42, 42, 42, INT32_MIN);
    SAME("%u|%x|%08X|%o|%#x", UINT32_MAX, 255u, 0xabcdefu, 8u, 16u);
    SAME("%" PRIu64 "|%" PRIi64 "|%*" PRIu64, UINT64_MAX, INT64_MIN, 12, UINT64_C(99));
    SAME("%zu|%ld|%llu|%hd", SIZE_MAX, -5L, 1ULL << 63, (short)-3);
    SAME("%.1f|%8.3f|%g|%.0f|%5.1f%%|%*.*f", 0.25, 3.14159, 1e-7, 2.5, 99.94, 9, 2, 1.0);
    SAME("%s|%6s|%-6s|%.2s|%-*s|%*s|%c|%-3c|%%", "ab", "cd", "ef", "ghij", 4, "k", -4, "l", 'm',
         'n');
#undef SAME
    assert_string_equal(print("%s", ""), "");
}

static void harmful_text_is_shown_as_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown;
    } samples[] = {
        {"plain text, caf\xc3\xa9, \xe6\x97\xa5, \xf0\x9f\x98\x80",
         "plain text, caf\xc3\xa9, \xe6\x97\xa5, \xf0\x9f\x98\x80"},
        {"\x1b[2J", "\\x1b[2J"},
        {"a\nseriatim: forged", "a\\x0aseriatim: forged"},
        {"a\rb\tc\ad\177", "a\\x0db\\x09c\\x07d\\x7f"},
        {"\xc2\x9b", "\\xc2\\x9b"},                                     /* CSI of Latin-1 */
        {"x\x9by", "x\\x9by"},                                          /* the same, raw */
        {"\xe2\x80\xae\xe2\x81\xa6", "\\xe2\\x80\\xae\\xe2\\x81\\xa6"}, /* override, isolate */
        {"\xe2\x80\xa8\xe2\x80\xa9", "\\xe2\\x80\\xa8\\xe2\\x80\\xa9"}, /* separators */
        {"\xe2\x80\x8b\xe2\x80\x8f\xd8\x9c", "\\xe2\\x80\\x8b\\xe2\\x80\\x8f\\xd8\\x9c"},
        {"\xef\xbb\xbf", "\\xef\\xbb\\xbf"},
        {"\xf3\xa0\x80\x81", "\\xf3\\xa0\\x80\\x81"}, /* a tag */
        {"\xc0\x8a", "\\xc0\\x8a"},                   /* a line feed, longer than needed */
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},          /* a surrogate */
        {"\xc3", "\\xc3"},
        {"\\x1b", "\\x1b"},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        assert_string_equal(print("%s", samples[i].text), samples[i].shown);
        assert_string_equal(print("%s", samples[i].shown), samples[i].shown);
    }
    assert_string_equal(print("ours\n%s\n", "\n"), "ours\n\\x0a\n");
    assert_string_equal(print("%c", '\033'), "\\x1b");
}

static void columns_count_what_is_shown(void **state)
{
    (void)state;
    assert_string_equal(print("%-6s|", "a\n"), "a\\x0a |");
    assert_string_equal(print("%6s|", "a\n"), " a\\x0a|");
    assert_string_equal(print("%-4s|", "a\nb"), "a\\x0ab|");
}

static void a_precision_cuts_no_character(void **state)
{
    (void)state;
    const char unterminated[] = {'a', 'b'};
    assert_string_equal(print("%.4s|", "caf\xc3\xa9"), "caf|");
    assert_string_equal(print("%.5s|", "caf\xc3\xa9"), "caf\xc3\xa9|");
    assert_string_equal(print("%.2s|", "\xf0\x9f\x98\x80"), "|");
    assert_string_equal(print("%.*s|", 2, unterminated), "ab|");
    assert_string_equal(print("%.9s|", "x\xc3"), "x\\xc3|");
}

static void words_are_quoted_for_a_shell(void **state)
{
    (void)state;
    assert_string_equal(word("seriatim.out/run-1.srt"), "seriatim.out/run-1.srt");
    assert_string_equal(word(""), "''");
    assert_string_equal(word("a b"), "'a b'");
    assert_string_equal(word("it's"), "'it'\\''s'");
    assert_string_equal(word("$(x)"), "'$(x)'");
    assert_string_equal(word("caf\xc3\xa9"), "'caf\xc3\xa9'");
    assert_string_equal(word("a\n'b\\c"), "$'a\\x0a\\'b\\\\c'");
}

static void keep(void *context, const void *bytes, size_t count)
{
    ser_shown_append(context, bytes, count);
}

static size_t encode(uint32_t point, char utf8[4])
{
    static const uint8_t leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; point >>= 6)
        utf8[i] = (char)(0x80 | (point & 0x3f));
    utf8[0] = (char)(leads[length] | point);
    return length;
}

static void expect_harmless_json(const char *bytes, size_t length)
{
    ser_shown text = {0};
    ser_json json;
    ser_json_init(&json, keep, &text);
    ser_json_bytes(&json, bytes, length);
    assert_int_equal(ser_harmless_length(text.items, text.count), text.count);
    ser_vector_free(&text);
}

/* Whatever the bytes, JSON holds nothing but what may be seen. */
static void json_is_harmless(void **state)
{
    (void)state;
    for (uint32_t point = 0; point < 0xe1000; point++) {
        char utf8[4];
        if (point < 0xd800 || point > 0xdfff)
            expect_harmless_json(utf8, encode(point, utf8));
    }
    for (int byte = 0; byte < 256; byte++)
        expect_harmless_json((const char[]){(char)byte}, 1);
}

static void json_escapes_large_characters_as_pairs(void **state)
{
    (void)state;
    ser_shown text = {0};
    ser_json json;
    ser_json_init(&json, keep, &text);
    ser_json_text(&json, "\xf3\xa0\x80\x81\xe2\x80\xae\x9b");
    ser_vector_push(&text, '\0');
    assert_string_equal(text.items, "\"\\udb40\\udc01\\u202e\\ufffd\"");
    ser_vector_free(&text);
}

static void numbers_have_their_ordinals(void **state)
{
    static const struct {
        uint32_t number;
        const char *ending;
    } wanted[] = {{1, "st"},  {2, "nd"},  {3, "rd"},   {4, "th"},
                  {11, "th"}, {13, "th"}, {101, "st"}, {112, "th"}};
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_string_equal(ser_ordinal_ending(wanted[i].number), wanted[i].ending);
}

static int forget_printed(void **state)
{
    (void)state;
    free(printed);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_as_with_printf),
        cmocka_unit_test(harmful_text_is_shown_as_bytes),
        cmocka_unit_test(columns_count_what_is_shown),
        cmocka_unit_test(a_precision_cuts_no_character),
        cmocka_unit_test(words_are_quoted_for_a_shell),
        cmocka_unit_test(json_is_harmless),
        cmocka_unit_test(numbers_have_their_ordinals),
        cmocka_unit_test(json_escapes_large_characters_as_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, forget_printed);
}
