/* SPDX-License-Identifier: MIT */
/* Bugs in different code with one cause are one entry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <stdio.h>

#include "bugs/causes.h"

static char *copy(const char *text)
{
    return ser_copy_text(text, strlen(text));
}

/* Variables are single letters; the key is function and variables. */
static ser_bug *add(ser_bugs *bugs, ser_intention intention, const char *function,
                    const char *variables)
{
    char key[64];
    snprintf(key, sizeof key, "%s|%s", intention == SER_INTENTION_COMPOUND ? "" : function,
             variables);
    ser_bug bug = {.intention = intention,
                   .status = SER_BUG_PREDICTED,
                   .label = copy(""),
                   .function = copy(function),
                   .location = copy("a.c:1"),
                   .key = copy(key),
                   .blocks = 1};
    for (; *variables; variables++)
        ser_vector_push(&bug.variables, ser_copy_text(variables, 1));
    ser_vector_push(&bugs->list, bug);
    return &bugs->list.items[bugs->list.count - 1];
}

static void updates_of_one_variable_are_one_entry(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    add(&bugs, SER_INTENTION_COMPOUND, "f", "n");
    add(&bugs, SER_INTENTION_COMPOUND, "g", "n")->status = SER_BUG_CONFIRMED;
    add(&bugs, SER_INTENTION_COMPOUND, "h", "n");
    add(&bugs, SER_INTENTION_COMPOUND, "i", "m");
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 2);
    const ser_bug *first = &bugs.list.items[0];
    assert_string_equal(first->function, "g"); /* the most certain of them */
    assert_int_equal(first->others.count, 2);
    assert_int_equal(ser_bug_places(first), 3);
    assert_string_equal(first->others.items[0].id, first->id); /* the variable is what it is of */
    assert_int_equal(bugs.list.items[1].others.count, 0);
    ser_bugs_fini(&bugs);
}

static void other_kinds_of_blocks_are_other_entries(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    add(&bugs, SER_INTENTION_COMPOUND, "f", "n");
    add(&bugs, SER_INTENTION_LOCKED, "g", "n");
    add(&bugs, SER_INTENTION_MARKED, "h", "n");
    add(&bugs, SER_INTENTION_MARKED, "i", "n"); /* each is said to be atomic */
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 4);
    ser_bugs_fini(&bugs);
}

static void refuted_ones_stay_by_themselves(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    ser_bug *refuted = add(&bugs, SER_INTENTION_FUNCTION, "f", "n");
    refuted->status = SER_BUG_NOT_CONFIRMED;
    refuted->reason = "refuted";
    add(&bugs, SER_INTENTION_FUNCTION, "g", "n");
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 2);
    assert_true(ser_bug_is_refuted(&bugs.list.items[1]));
    ser_bugs_fini(&bugs);
}

static void a_part_of_the_data_is_enough(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    add(&bugs, SER_INTENTION_FUNCTION, "push", "ab");
    add(&bugs, SER_INTENTION_FUNCTION, "pop", "b");
    add(&bugs, SER_INTENTION_FUNCTION, "drop", "bc"); /* neither is a part of the other */
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 2);
    size_t others = bugs.list.items[0].others.count + bugs.list.items[1].others.count;
    assert_int_equal(others, 1);
    ser_bugs_fini(&bugs);
}

static void functions_keep_their_ids(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    add(&bugs, SER_INTENTION_FUNCTION, "push", "a");
    add(&bugs, SER_INTENTION_FUNCTION, "pop", "a");
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 1);
    assert_string_not_equal(bugs.list.items[0].others.items[0].id, bugs.list.items[0].id);
    ser_bugs_fini(&bugs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(updates_of_one_variable_are_one_entry),
        cmocka_unit_test(other_kinds_of_blocks_are_other_entries),
        cmocka_unit_test(refuted_ones_stay_by_themselves),
        cmocka_unit_test(a_part_of_the_data_is_enough),
        cmocka_unit_test(functions_keep_their_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
