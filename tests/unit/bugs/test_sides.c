/* SPDX-License-Identifier: MIT */
/* One block that is violated in several ways is one entry, unless data and consequence differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "bugs/sides.h"
#include "unit/bugs/made_bug.h"

/* A confirmed one of a function. */
static ser_bug *add(ser_bugs *bugs, const char *function, const char *variables,
                    const char *consequence)
{
    ser_bug *bug = made_bug_add(bugs, SER_INTENTION_FUNCTION, function, variables);
    bug->status = SER_BUG_CONFIRMED;
    bug->was_felt = true;
    bug->consequence = made_text(consequence);
    return bug;
}

static void one_consequence_is_one_entry(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    add(&bugs, "get", "fm", "it prints 5")->blocks = 9; /* it would come first by itself */
    add(&bugs, "get", "t", "it prints 5");
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 1);
    const ser_bug *entry = &bugs.list.items[0];
    assert_string_equal(entry->key, "get|t"); /* the clearer one */
    assert_int_equal(entry->others.count, 1);
    assert_string_equal(entry->others.items[0].key, "get|fm");
    assert_string_not_equal(entry->others.items[0].id, entry->id);
    assert_int_equal(ser_bug_places(entry), 1);
    ser_bugs_fini(&bugs);
}

static void a_check_and_its_function_with_one_consequence_are_one_entry(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    add(&bugs, "fetch", "ab", "it prints 4");
    add(&bugs, "fetch", "cd", "it prints 4")->intention = SER_INTENTION_CHECKED;
    add(&bugs, "fetch", "ef", "it prints 5")->intention = SER_INTENTION_LOCKED;
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 2);
    ser_bugs_fini(&bugs);
}

static void other_data_and_another_consequence_is_another_entry(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    add(&bugs, "serve", "s", "2 sold");
    add(&bugs, "serve", "n", "1 number");
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 2);
    ser_bugs_fini(&bugs);
}

static void what_one_change_mends_is_one_entry(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    add(&bugs, "reader", "ab", "it prints 4")->advice = made_text("hold a lock from line 4 to 5");
    ser_bug *round = add(&bugs, "reader", "cd", "it prints 5");
    round->intention = SER_INTENTION_ROUND;
    round->advice = made_text("hold a lock from line 4 to 5");
    add(&bugs, "reader", "ef", "it prints 6")->advice = made_text("hold a lock over line 9");
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 2);
    ser_bugs_fini(&bugs);
}

static void one_lock_to_be_kept_is_one_entry(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    static const char *const locks[] = {"l", "l", "k"};
    static const char *const variables[] = {"ab", "cd", "ef"};
    for (size_t i = 0; i < 3; i++) {
        ser_bug *bug = add(&bugs, "scan", variables[i], i == 0 ? "it prints 4" : "it crashes");
        bug->consequence[3] = (char)('0' + i);
        bug->lock = made_text(locks[i]);
    }
    add(&bugs, "other", "gh", "it prints 6")->lock = made_text("l");
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 3);
    ser_bugs_fini(&bugs);
}

/* By the lines of the calls that make the accesses, not by those in the called functions. */
static void common_lines_of_a_function_are_one_entry(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    static const uint32_t lines[][2] = {{4, 6}, {6, 9}, {10, 12}};
    static const char *const variables[] = {"ab", "cd", "ef"};
    for (size_t i = 0; i < 3; i++) {
        ser_bug *bug = add(&bugs, "fill", variables[i], "it prints 4");
        bug->consequence[3] = (char)('0' + i);
        for (size_t j = 0; j < 2; j++)
            bug->accesses.items[j].line = lines[i][j];
    }
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 2);
    ser_bugs_fini(&bugs);
}

/* An entry may have taken up another block, which is violated in another way as well. */
static void what_was_told_with_an_entry_has_sides(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    add(&bugs, "push", "ab", "it crashes");
    add(&bugs, "steal", "a", "it prints 5");
    add(&bugs, "steal", "c", "it prints 5");
    add(&bugs, "pop", "d", "it prints 6");
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 2);
    ser_bugs_fini(&bugs);
}

static void a_function_and_its_round_are_one_entry(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    add(&bugs, "reader", "ab", "it prints 4");
    add(&bugs, "reader", "bc", "it prints 5")->intention = SER_INTENTION_ROUND;
    add(&bugs, "reader", "d", "it prints 6")->intention = SER_INTENTION_ROUND;
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 2);
    ser_bugs_fini(&bugs);
}

/* Another function comes between. */
static void interrupt(ser_bug *bug, const char *function, const char *variable)
{
    ser_bug_access access = {.thread = made_text("T2"),
                             .variable = made_text(variable),
                             .function = made_text(function),
                             .location = made_text("b.c:1"),
                             .operation = "writes"};
    ser_vector_push(&bug->accesses, access);
}

static void two_that_interrupt_each_other_are_one_entry(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    static const char *const functions[] = {"length", "choose", "print"};
    static const char *const others[] = {"choose", "length", "choose"};
    for (size_t i = 0; i < 3; i++) {
        ser_bug *bug = add(&bugs, functions[i], "se", "it prints 4");
        bug->intention = SER_INTENTION_MARKED;
        interrupt(bug, others[i], "s");
    }
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 2);
    ser_bugs_fini(&bugs);
}

/* Each waits for what the other one has, or the program crashes in both. */
static void two_that_interrupt_each_other_until_it_fails_are_one_entry(void **state)
{
    (void)state;
    static const int signals[] = {6, 11};
    for (size_t i = 0; i < 2; i++) {
        ser_bugs bugs = {0};
        ser_bug *left = add(&bugs, "left", "r", "it crashes at the left");
        ser_bug *right = add(&bugs, "right", "l", "it crashes at the right");
        left->intention = right->intention = SER_INTENTION_CHECKED;
        left->ending = (ser_ending){.differs = true, .signal = 6};
        right->ending = (ser_ending){.differs = true, .signal = signals[i]};
        interrupt(left, "right", "r");
        interrupt(right, "left", "l");
        ser_bugs_rank(&bugs);
        assert_int_equal(bugs.list.count, i + 1);
        ser_bugs_fini(&bugs);
    }
}

/* The assignment at b.c:1 comes into a critical section, and is interrupted by a third function. If
 * something else comes in as well, its lock is not all that is missing. */
static void an_assignment_without_the_lock_of_others_is_one_entry(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        ser_bugs bugs = {0};
        ser_bug *bug = add(&bugs, "forgets", "x", "it prints 4");
        ser_bug *section = add(&bugs, "locks", "x", "it prints 5");
        bug->intention = SER_INTENTION_COMPOUND;
        section->intention = SER_INTENTION_LOCKED;
        free(bug->location);
        bug->location = made_text(i == 0 ? "b.c:1" : "b.c:2");
        interrupt(bug, "locks_too", "x");
        interrupt(section, "forgets", "x");
        ser_bugs_rank(&bugs);
        assert_int_equal(bugs.list.count, i + 1);
        ser_bugs_fini(&bugs);
    }
}

static void the_mirror_image_of_what_was_seen_is_no_entry(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    ser_bug *seen = add(&bugs, "consume", "em", "it crashes");
    interrupt(seen, "destroy", "m");
    ser_bug *mirrored = add(&bugs, "destroy", "fm", "it left the schedule");
    mirrored->status = SER_BUG_NOT_CONFIRMED;
    interrupt(mirrored, "consume", "m");
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 1);
    assert_string_equal(bugs.list.items[0].function, "consume");
    ser_bugs_fini(&bugs);
}

static void what_did_no_harm_is_told_with_what_did(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    add(&bugs, "increment", "fe", "it crashes");
    add(&bugs, "decrement", "eg", "as before")->was_felt = false;
    add(&bugs, "print", "n", "as before")->was_felt = false;
    add(&bugs, "other", "ex", "it prints 4");
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 3);
    ser_bugs_fini(&bugs);
}

static ser_bug *add_use(ser_bugs *bugs, const char *function, const char *variable,
                        const char *freed_at)
{
    ser_bug *bug = add(bugs, function, variable, function);
    ser_bug_access used = {.thread = made_text("T1"),
                           .variable = made_text(variable),
                           .function = made_text(function),
                           .location = made_text("a.c:9"),
                           .operation = "reads",
                           .in_block = true};
    interrupt(bug, "drop", variable);
    ser_bug_access *free_it = &bug->accesses.items[bug->accesses.count - 1];
    free_it->frees = true;
    free(free_it->location);
    free_it->location = made_text(freed_at);
    ser_vector_push(&bug->accesses, used);
    return bug;
}

static void what_one_place_frees_too_early_is_one_entry(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    add_use(&bugs, "put", "n", "b.c:7");
    add_use(&bugs, "take", "h", "b.c:7");
    add_use(&bugs, "close", "s", "b.c:8");
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 2);
    ser_bugs_fini(&bugs);
}

static void other_blocks_are_other_entries(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    add(&bugs, "buy", "s", "it prints 5");
    add(&bugs, "price", "n", "it prints 5");
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 2);
    ser_bugs_fini(&bugs);
}

static void what_was_not_seen_stays_by_itself(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    add(&bugs, "get", "t", "no time");
    ser_bug *untested = add(&bugs, "get", "f", "no time");
    untested->status = SER_BUG_NOT_CONFIRMED;
    untested->reason = "untested";
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 2);
    ser_bugs_fini(&bugs);
}

static void a_check_that_is_not_atomic_itself_has_the_entry(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    ser_bug *whole = add(&bugs, "work", "n", "freed twice");
    whole->intention = SER_INTENTION_CHECKED;
    whole->check = made_text("release");
    whole->act = made_text("work");
    add(&bugs, "release", "n", "as before");
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 1);
    assert_string_equal(bugs.list.items[0].function, "release");
    assert_string_equal(bugs.list.items[0].others.items[0].function, "work");
    ser_bugs_fini(&bugs);
}

static void what_takes_the_place_of_an_entry_draws_others(void **state)
{
    (void)state;
    ser_bugs bugs = {0};
    ser_bug *whole = add(&bugs, "work", "n", "freed twice");
    whole->intention = SER_INTENTION_CHECKED;
    whole->check = made_text("release");
    whole->act = made_text("work");
    add(&bugs, "release", "m", "as before")->blocks = 9; /* comes before the next */
    add(&bugs, "release", "n", "as before");
    ser_bugs_rank(&bugs);
    assert_int_equal(bugs.list.count, 1);
    ser_bugs_fini(&bugs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_consequence_is_one_entry),
        cmocka_unit_test(a_check_and_its_function_with_one_consequence_are_one_entry),
        cmocka_unit_test(other_data_and_another_consequence_is_another_entry),
        cmocka_unit_test(what_one_change_mends_is_one_entry),
        cmocka_unit_test(one_lock_to_be_kept_is_one_entry),
        cmocka_unit_test(common_lines_of_a_function_are_one_entry),
        cmocka_unit_test(what_was_told_with_an_entry_has_sides),
        cmocka_unit_test(a_function_and_its_round_are_one_entry),
        cmocka_unit_test(two_that_interrupt_each_other_are_one_entry),
        cmocka_unit_test(two_that_interrupt_each_other_until_it_fails_are_one_entry),
        cmocka_unit_test(an_assignment_without_the_lock_of_others_is_one_entry),
        cmocka_unit_test(the_mirror_image_of_what_was_seen_is_no_entry),
        cmocka_unit_test(what_did_no_harm_is_told_with_what_did),
        cmocka_unit_test(what_one_place_frees_too_early_is_one_entry),
        cmocka_unit_test(other_blocks_are_other_entries),
        cmocka_unit_test(what_was_not_seen_stays_by_itself),
        cmocka_unit_test(a_check_that_is_not_atomic_itself_has_the_entry),
        cmocka_unit_test(what_takes_the_place_of_an_entry_draws_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
