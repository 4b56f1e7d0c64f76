/* SPDX-License-Identifier: MIT */
/* What is told with an entry: other data of the same block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "report/text/run_others.h"
#include "unit/bugs/made_bug.h"

static void expect_others(const ser_bug *bug, const char *expected)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    ser_run_others_text(bug, file);
    fclose(file);
    assert_string_equal(text, expected);
    free(text);
}

/* The bug of a function becomes one of the entry's others. */
static void add_other(ser_bug *entry, const char *function, const char *variables)
{
    ser_bugs alone = {0};
    made_bug_add(&alone, SER_INTENTION_FUNCTION, function, variables);
    ser_vector_push(&entry->others, alone.list.items[0]);
    ser_vector_free(&alone.list);
}

static void other_data_is_named_once(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    ser_bug *entry = made_bug_add(&bugs, SER_INTENTION_FUNCTION, "get", "a");
    expect_others(entry, "");
    add_other(entry, "get", "xy");
    add_other(entry, "get", "yz");
    expect_others(entry,
                  "\n   Also, the same block is interrupted between uses of other data: x, y, z\n");
    ser_bugs_fini(&bugs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_data_is_named_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
