/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* after the above */
#include <cmocka.h>

#include "report/source_line.h"

static const char file_name[] = "test_source_line_sample.c";

static const char *const lines[] = {
    "    int balance = account->balance;\n",
    "\tcount++; /* not the counter */\n",
    "    a->x = b->x;\n",
    "    s = \"\303\244\"; total = 1;\n",
    "    slots[i].count += used;\n",
};

static int write_sample(void **state)
{
    (void)state;
    FILE *file = fopen(file_name, "w");
    for (size_t i = 0; file && i < sizeof lines / sizeof *lines; i++)
        fputs(lines[i], file);
    return file ? fclose(file) : -1;
}

static int remove_sample(void **state)
{
    (void)state;
    return unlink(file_name);
}

static void expect(unsigned line, const char *name, const char *column)
{
    char place[64], wanted[80];
    snprintf(place, sizeof place, "%s:%u", file_name, line);
    snprintf(wanted, sizeof wanted, "%s%s", place, column);
    char *made = ser_locate_name(place, name);
    assert_string_equal(made, wanted);
    free(made);
}

static void columns_are_where_the_name_is(void **state)
{
    (void)state;
    expect(1, "alice.balance", ":28");
    expect(2, "count", ":2");
    expect(5, "slots[3].count", ":14");
    expect(5, "slots[3]", ":5");
    expect(5, "queue->count", ":14");
}

static void doubtful_names_have_no_column(void **state)
{
    (void)state;
    expect(1, "balance", "");         /* twice */
    expect(3, "p.x", "");             /* a member, twice */
    expect(2, "counter.hits", "");    /* not there */
    expect(4, "total", "");           /* behind a letter of two bytes */
    expect(5, "{a.c:1 (1st)}+8", ""); /* no name */
    expect(9, "count", "");           /* no such line */
}

static void columns_that_are_known_stay(void **state)
{
    (void)state;
    char *made = ser_locate_name("test_source_line_sample.c:2:7", "count");
    assert_string_equal(made, "test_source_line_sample.c:2:7");
    free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_where_the_name_is),
        cmocka_unit_test(doubtful_names_have_no_column),
        cmocka_unit_test(columns_that_are_known_stay),
    };
    return cmocka_run_group_tests(tests, write_sample, remove_sample);
}
