/* SPDX-License-Identifier: MIT */
/* Which variables are used as locks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "record/memory/memory.h"
#include "trace/event.h"

enum { WORD = 0x1000, OTHER = 0x1040, SIZE = 4 };

static const ser_memory_object globals = {.id = 1};

static void access_at(ser_word_locks *locks, uint64_t at, ser_op op, uint16_t thread,
                      uint64_t value)
{
    const ser_record record = {
        .op = (uint8_t)op, .thread = thread, .object = at, .value = value, .size = SIZE};
    ser_word_locks_add(locks, &globals, at, &record, value == 1);
}

static void swap(ser_word_locks *locks, uint16_t thread, uint64_t value)
{
    access_at(locks, WORD, SER_OP_RMW, thread, value);
}

static void clear(ser_word_locks *locks, uint16_t thread)
{
    access_at(locks, WORD, SER_OP_WRITE, thread, 0);
}

/* Each of two threads takes it and gives it back. */
static void use_both(ser_word_locks *locks)
{
    for (uint16_t thread = 1; thread <= 2; thread++) {
        swap(locks, thread, 1);
        clear(locks, thread);
    }
}

static bool is_lock(ser_word_locks *locks)
{
    ser_word_locks_finish(locks);
    bool found = ser_word_locks_find(locks, &globals, WORD) != NULL;
    ser_word_locks_fini(locks);
    return found;
}

static void test_a_word_that_is_taken_and_given_back_is_a_lock(void **state)
{
    ser_word_locks locks = {0};
    (void)state;
    use_both(&locks);
    swap(&locks, 1, 1);
    swap(&locks, 2, 2); /* it sleeps */
    swap(&locks, 1, 0);
    swap(&locks, 2, 1);
    assert_true(is_lock(&locks));
}

static void test_one_that_another_thread_gives_back_is_none(void **state)
{
    ser_word_locks locks = {0};
    (void)state;
    use_both(&locks);
    swap(&locks, 1, 1);
    clear(&locks, 2);
    assert_false(is_lock(&locks));
}

static void test_who_finds_it_taken_and_goes_on_has_no_lock(void **state)
{
    ser_word_locks locks = {0};
    (void)state;
    use_both(&locks);
    swap(&locks, 1, 1);
    swap(&locks, 2, 1);
    access_at(&locks, OTHER, SER_OP_WRITE, 2, 7);
    clear(&locks, 1);
    swap(&locks, 2, 1);
    assert_false(is_lock(&locks));
}

static void test_a_count_is_none(void **state)
{
    ser_word_locks locks = {0};
    (void)state;
    use_both(&locks);
    swap(&locks, 1, 1);
    swap(&locks, 2, 2);
    swap(&locks, 2, 1);
    clear(&locks, 1);
    assert_false(is_lock(&locks));
}

/* An addition, say: it does not tell whether it was free. */
static void test_what_cannot_take_makes_none(void **state)
{
    ser_word_locks locks = {0};
    (void)state;
    use_both(&locks);
    swap(&locks, 1, 3);
    clear(&locks, 1);
    assert_false(is_lock(&locks));
}

static void test_a_plain_value_makes_none(void **state)
{
    ser_word_locks locks = {0};
    (void)state;
    use_both(&locks);
    access_at(&locks, WORD, SER_OP_WRITE, 1, 1);
    clear(&locks, 1);
    assert_false(is_lock(&locks));
}

static void test_one_thread_alone_needs_no_lock(void **state)
{
    ser_word_locks locks = {0};
    (void)state;
    swap(&locks, 1, 1);
    clear(&locks, 1);
    assert_false(is_lock(&locks));
}

static void test_accesses_become_steps_of_a_lock(void **state)
{
    ser_word_locks locks = {0};
    (void)state;
    use_both(&locks);
    ser_word_locks_finish(&locks);
    ser_word_use *word = ser_word_locks_find(&locks, &globals, WORD);
    static const struct {
        ser_op op;
        uint16_t thread;
        uint64_t value;
        ser_op step;
    } steps[] = {{SER_OP_READ, 1, 0, SER_OP_SKIP},      {SER_OP_RMW, 1, 1, SER_OP_ACQUIRE},
                 {SER_OP_READ, 1, 1, SER_OP_SKIP},      {SER_OP_READ, 2, 1, SER_OP_TRY_FAILED},
                 {SER_OP_RMW, 2, 2, SER_OP_TRY_FAILED}, {SER_OP_WRITE, 1, 0, SER_OP_RELEASE},
                 {SER_OP_RMW, 2, 2, SER_OP_ACQUIRE}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const ser_record record = {.op = (uint8_t)steps[i].op,
                                   .thread = steps[i].thread,
                                   .value = steps[i].value,
                                   .size = SIZE};
        assert_int_equal(ser_word_lock_step(word, &record), steps[i].step);
    }
    ser_word_locks_fini(&locks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_word_that_is_taken_and_given_back_is_a_lock),
        cmocka_unit_test(test_one_that_another_thread_gives_back_is_none),
        cmocka_unit_test(test_who_finds_it_taken_and_goes_on_has_no_lock),
        cmocka_unit_test(test_a_count_is_none),
        cmocka_unit_test(test_what_cannot_take_makes_none),
        cmocka_unit_test(test_a_plain_value_makes_none),
        cmocka_unit_test(test_one_thread_alone_needs_no_lock),
        cmocka_unit_test(test_accesses_become_steps_of_a_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
