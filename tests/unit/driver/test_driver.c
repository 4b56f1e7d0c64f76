/* SPDX-License-Identifier: MIT */
/* The front ends' command lines: what links, what does not, and what is added. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/driver.h"

/* Reads words separated by single blanks. */
static ser_command_line read_line(const char *text)
{
    char *copy = strdup(text), *words[32];
    size_t count = 0;
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        words[count++] = word;
    ser_command_line line = ser_line_read(words, count);
    free(copy);
    return line;
}

static bool links(const char *text)
{
    ser_command_line line = read_line(text);
    return ser_line_links(&line);
}

static void links_what_clang_links(void **state)
{
    (void)state;
    assert_true(links("a.c"));
    assert_true(links("a.o -o a"));
    assert_true(links("-shared a.o -o liba.so"));
    assert_true(links("-x c -"));
    assert_true(links("-Wl,-z,now main.o -lfoo"));
    assert_true(links("-v a.c"));
    assert_true(links("-MD -MF -c a.c")); /* -c is the name of the file */
}

static void does_not_link_what_stops_early(void **state)
{
    (void)state;
    assert_false(links("-c a.c"));
    assert_false(links("a.c -c"));
    assert_false(links("-E -"));
    assert_false(links("-S a.c -o a.s"));
    assert_false(links("-MM a.c"));
    assert_false(links("-fsyntax-only a.c"));
    assert_false(links("-r a.o b.o -o c.o"));
    assert_false(links("a.h"));
    assert_false(links("-xc++-header all"));
    assert_false(links("-x c-header all"));
}

static void does_not_link_nothing(void **state)
{
    (void)state;
    assert_false(links(""));
    assert_false(links("-v"));
    assert_false(links("--version"));
    assert_false(links("-print-file-name=libc.so"));
    assert_false(links("-o a -I b -include c -Xlinker d -target e"));
}

static void sees_static(void **state)
{
    (void)state;
    assert_true(read_line("-static a.c").is_static);
    assert_true(read_line("-static-pie a.c").is_static);
    assert_false(read_line("-static-libgcc a.c").is_static);
}

static void reads_response_files(void **state)
{
    (void)state;
    char inner[] = "/tmp/ser_inner_XXXXXX", outer[] = "/tmp/ser_outer_XXXXXX", word[64];
    int files[] = {mkstemp(inner), mkstemp(outer)};
    assert_true(files[0] >= 0 && files[1] >= 0);
    assert_true(dprintf(files[0], "'a b.c'\n\"-c\"") > 0);
    assert_true(dprintf(files[1], "-O2 @%s @%s -DX=\\\"y\\\"", inner, outer) > 0);
    snprintf(word, sizeof word, "@%s", outer);
    ser_command_line line = read_line(word);
    assert_true(line.has_input);
    assert_true(line.stops_early);
    assert_true(links("@/nowhere/at/all")); /* clang will complain */
    close(files[0]);
    close(files[1]);
    unlink(inner);
    unlink(outer);
}

/* Which of the words made for these arguments is the given one; -1: none. */
static int position(const ser_words *words, const char *wanted)
{
    for (size_t i = 0; i + 1 < words->count; i++)
        if (strcmp(words->items[i], wanted) == 0)
            return (int)i;
    return -1;
}

static const ser_parts parts = {
    .clang = "clang", .plugin = "/p.so", .runtime = "/l/rt.so", .include = "/i"};

static void adds_before_the_arguments(void **state)
{
    (void)state;
    char *arguments[] = {"-g0", "a.c", "-lc"};
    ser_words words = {0};
    size_t owned;
    ser_error error;
    assert_int_equal(ser_driver_line(&parts, false, arguments, 3, &words, &owned, &error), SER_OK);
    assert_string_equal(words.items[0], "clang");
    assert_true(position(&words, "-fpass-plugin=/p.so") > 0);
    assert_true(position(&words, "-g") < position(&words, "-g0"));
    assert_true(position(&words, "/l/rt.so") > 0);
    assert_true(position(&words, "/l/rt.so") < position(&words, "-lc"));
    assert_true(position(&words, "-Wl,-rpath,/l") > 0);
    assert_null(words.items[words.count - 1]);
    ser_words_fini(&words, owned);
}

static void adds_no_runtime_without_link(void **state)
{
    (void)state;
    char *arguments[] = {"-c", "a.c"};
    ser_words words = {0};
    size_t owned;
    ser_error error;
    assert_int_equal(ser_driver_line(&parts, true, arguments, 2, &words, &owned, &error), SER_OK);
    assert_int_equal(position(&words, "/l/rt.so"), -1);
    assert_int_equal(position(&words, "-fpass-plugin=/p.so"), -1);
    assert_true(position(&words, "-fsanitize=thread") > 0);
    ser_words_fini(&words, owned);
}

static void says_what_is_missing(void **state)
{
    (void)state;
    char *arguments[] = {"a.c", "-static"};
    const ser_parts bare = {.clang = "clang", .plugin = "/p.so"}, none = {0};
    ser_words words = {0};
    size_t owned = 0;
    ser_error error;
    assert_int_equal(ser_driver_line(&none, false, arguments, 1, &words, &owned, &error),
                     SER_INPUT);
    assert_non_null(strstr(error.text, "built without LLVM"));
    assert_int_equal(ser_driver_line(&bare, false, arguments, 1, &words, &owned, &error),
                     SER_INPUT);
    assert_non_null(strstr(error.text, "libseriatim-rt.so is missing"));
    assert_int_equal(ser_driver_line(&parts, false, arguments, 2, &words, &owned, &error),
                     SER_INPUT);
    assert_non_null(strstr(error.text, "static"));
    ser_words_fini(&words, owned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_what_clang_links),
        cmocka_unit_test(does_not_link_what_stops_early),
        cmocka_unit_test(does_not_link_nothing),
        cmocka_unit_test(sees_static),
        cmocka_unit_test(reads_response_files),
        cmocka_unit_test(adds_before_the_arguments),
        cmocka_unit_test(adds_no_runtime_without_link),
        cmocka_unit_test(says_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
