/* SPDX-License-Identifier: MIT */
/* Bugs in different code with one cause are one entry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "bugs/causes.h"
#include "unit/bugs/made_bug.h"

static void updates_of_one_variable_are_one_entry(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    made_bug_add(&bugs, SER_INTENTION_COMPOUND, "f", "n");
    made_bug_add(&bugs, SER_INTENTION_COMPOUND, "g", "n")->status = SER_BUG_CONFIRMED;
    made_bug_add(&bugs, SER_INTENTION_COMPOUND, "h", "n");
    made_bug_add(&bugs, SER_INTENTION_COMPOUND, "i", "m");
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
    made_bug_add(&bugs, SER_INTENTION_COMPOUND, "f", "n");
    made_bug_add(&bugs, SER_INTENTION_LOCKED, "g", "n");
    made_bug_add(&bugs, SER_INTENTION_MARKED, "h", "n");
    made_bug_add(&bugs, SER_INTENTION_MARKED, "i", "n"); /* each is said to be atomic */
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 4);
    ser_bugs_fini(&bugs);
}

static void refuted_ones_stay_by_themselves(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    ser_bug *refuted = made_bug_add(&bugs, SER_INTENTION_FUNCTION, "f", "n");
    refuted->status = SER_BUG_NOT_CONFIRMED;
    refuted->reason = "refuted";
    made_bug_add(&bugs, SER_INTENTION_FUNCTION, "g", "n");
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 2);
    assert_true(ser_bug_is_refuted(&bugs.list.items[1]));
    ser_bugs_fini(&bugs);
}

static void a_part_of_the_data_is_enough(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    made_bug_add(&bugs, SER_INTENTION_FUNCTION, "push", "ab");
    made_bug_add(&bugs, SER_INTENTION_FUNCTION, "pop", "b");
    made_bug_add(&bugs, SER_INTENTION_FUNCTION, "drop", "bc"); /* neither is a part of the other */
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
    made_bug_add(&bugs, SER_INTENTION_FUNCTION, "push", "a");
    made_bug_add(&bugs, SER_INTENTION_FUNCTION, "pop", "a");
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
