/* SPDX-License-Identifier: MIT */
/* Which lines are others in each run of a program, and so say nothing of one run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "session/run/evidence/outputs.h"

enum { USUAL = 3, FILES = USUAL + 2 };

/* The last two are those that are compared. */
static bool differ_unsteadily(const char *const texts[FILES])
{
    char paths[FILES][32];
    const char *usual[USUAL];
    for (int i = 0; i < FILES; i++) {
        snprintf(paths[i], sizeof paths[i], "/tmp/outputs-%d-%d", (int)getpid(), i);
        FILE *file = fopen(paths[i], "w");
        assert_non_null(file);
        fputs(texts[i], file);
        fclose(file);
        if (i < USUAL)
            usual[i] = paths[i];
    }
    bool unsteadily = ser_differ_unsteadily(usual, USUAL, paths[USUAL], paths[USUAL + 1]);
    for (int i = 0; i < FILES; i++)
        unlink(paths[i]);
    return unsteadily;
}

static void times_say_nothing(void **state)
{
    (void)state;
    const char *const texts[] = {"1.5 eats\n2 left\n", "1.75 eats\n2 left\n", "2.1 eats\n2 left\n",
                                 "3.25 eats\n2 left\n", "4.5 eats\n2 left\n"};
    assert_true(differ_unsteadily(texts));
}

static void what_is_steady_says_something(void **state)
{
    (void)state;
    const char *const texts[] = {"1.5 eats\n2 left\n", "1.75 eats\n2 left\n", "2.1 eats\n2 left\n",
                                 "3.25 eats\n2 left\n", "4.5 eats\n3 left\n"};
    assert_false(differ_unsteadily(texts));
}

static void what_comes_again_is_steady(void **state)
{
    (void)state;
    const char *const texts[] = {"won by 1\n", "won by 2\n", "won by 1\n", "won by 1\n",
                                 "won by 0\n"};
    assert_false(differ_unsteadily(texts));
}

static void another_line_says_something(void **state)
{
    (void)state;
    const char *const texts[] = {"1.5 eats\n", "1.75 eats\n", "2.1 eats\n", "3.25 eats\n",
                                 "4.5 eats\n4.75 died\n"};
    assert_false(differ_unsteadily(texts));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_say_nothing),
        cmocka_unit_test(what_is_steady_says_something),
        cmocka_unit_test(what_comes_again_is_steady),
        cmocka_unit_test(another_line_says_something),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
