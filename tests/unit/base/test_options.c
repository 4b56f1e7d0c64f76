/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/options/options.h"
#include "base/options/suggest.h"

static const ser_option table[] = {
    {.name = "atomic", .kind = SER_OPTION_TEXT, .argument = "MODE", .standard = "markers"},
    {.name = "all", .letter = 'a'},
    {.name = "quiet", .letter = 'q'},
    {.name = "output", .letter = 'o', .kind = SER_OPTION_TEXT, .argument = "FILE"},
    {.name = "threads", .kind = SER_OPTION_NUMBER, .argument = "N", .least = 1, .most = 64},
    {.name = "engine", .kind = SER_OPTION_CHOICE, .choices = "one|two|three", .standard = "one"},
    {.name = "budget", .kind = SER_OPTION_SECONDS, .argument = "SECONDS"},
    {.name = NULL},
};

static ser_error error;

/* Parses words separated by spaces. */
static ser_status parse(ser_arguments **arguments, const char *line)
{
    static char copy[256], *words[32];
    int count = 0;
    strcpy(copy, line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        words[count++] = word;
    error = (ser_error){0};
    return ser_arguments_parse(arguments, table, count, words, &error);
}

static ser_arguments *parsed(const char *line)
{
    ser_arguments *arguments;
    assert_int_equal(parse(&arguments, line), SER_OK);
    return arguments;
}

static const char *refusal(const char *line)
{
    ser_arguments *arguments;
    assert_int_equal(parse(&arguments, line), SER_USAGE);
    assert_null(arguments);
    return error.text;
}

static void nothing_given_leaves_standard_values(void **state)
{
    (void)state;
    ser_arguments *arguments = parsed("");
    assert_string_equal(ser_arguments_text(arguments, "atomic"), "markers");
    assert_null(ser_arguments_text(arguments, "output"));
    assert_false(ser_arguments_given(arguments, "atomic"));
    assert_false(ser_arguments_given(arguments, "all"));
    assert_int_equal(ser_arguments_operand_count(arguments), 0);
    ser_arguments_destroy(arguments);
}

static void every_way_to_give_a_value(void **state)
{
    (void)state;
    static const char *const lines[] = {"--output=x", "--output x", "-o x",     "-ox",
                                        "-qo x",      "-qaox",      "-o y -o x"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        ser_arguments *arguments = parsed(lines[i]);
        assert_string_equal(ser_arguments_text(arguments, "output"), "x");
        ser_arguments_destroy(arguments);
    }
}

static void operands_and_options_mix(void **state)
{
    (void)state;
    ser_arguments *arguments = parsed("trace -q - --atomic locks -- --all");
    assert_int_equal(ser_arguments_operand_count(arguments), 3);
    assert_string_equal(ser_arguments_operand(arguments, 0), "trace");
    assert_string_equal(ser_arguments_operand(arguments, 1), "-");
    assert_string_equal(ser_arguments_operand(arguments, 2), "--all");
    assert_true(ser_arguments_given(arguments, "quiet"));
    assert_false(ser_arguments_given(arguments, "all"));
    assert_string_equal(ser_arguments_text(arguments, "atomic"), "locks");
    ser_arguments_destroy(arguments);
}

static void values_of_each_kind(void **state)
{
    (void)state;
    ser_arguments *arguments = parsed("--threads 64 --budget 0.25 --engine three --output=a=b");
    assert_int_equal(ser_arguments_number(arguments, "threads"), 64);
    assert_true(ser_arguments_seconds(arguments, "budget") == 0.25);
    assert_string_equal(ser_arguments_text(arguments, "engine"), "three");
    assert_string_equal(ser_arguments_text(arguments, "output"), "a=b");
    ser_arguments_destroy(arguments);
}

static void wrong_values_are_refused(void **state)
{
    (void)state;
    assert_string_equal(refusal("--threads 65"),
                        "--threads needs a whole number from 1 to 64, not \"65\"");
    refusal("--threads 0");
    refusal("--threads=");
    refusal("--threads -1");
    refusal("--threads 1x");
    refusal("--threads 99999999999999999999");
    refusal("--budget 0");
    refusal("--budget=-1");
    refusal("--budget inf");
    refusal("--budget 1s");
    refusal("--output=");
    assert_string_equal(refusal("--engine fou"), "--engine is one of one|two|three, not \"fou\"");
    refusal("--engine one|two");
    assert_string_equal(refusal("--all=yes"), "--all takes no value");
    assert_string_equal(refusal("--output"), "--output needs a value (FILE)");
    refusal("-o");
}

static void unknown_options_get_a_suggestion(void **state)
{
    (void)state;
    assert_string_equal(refusal("--atomc x"), "unknown option --atomc; did you mean --atomic?");
    assert_string_equal(refusal("--qiuet"), "unknown option --qiuet; did you mean --quiet?");
    assert_string_equal(refusal("--eng=x"), "unknown option --eng; did you mean --engine?");
    assert_string_equal(refusal("--verbose"), "unknown option --verbose");
    assert_string_equal(refusal("-z"), "unknown option -z");
    assert_non_null(strstr(refusal("--zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"
                                   "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"),
                           "unknown option --zzz"));
}

static void distances(void **state)
{
    (void)state;
    assert_int_equal(ser_edit_distance("", "abc"), 3);
    assert_int_equal(ser_edit_distance("check", "check"), 0);
    assert_int_equal(ser_edit_distance("chekc", "check"), 1);
    assert_int_equal(ser_edit_distance("kitten", "sitting"), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_given_leaves_standard_values),
        cmocka_unit_test(every_way_to_give_a_value),
        cmocka_unit_test(operands_and_options_mix),
        cmocka_unit_test(values_of_each_kind),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(unknown_options_get_a_suggestion),
        cmocka_unit_test(distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
