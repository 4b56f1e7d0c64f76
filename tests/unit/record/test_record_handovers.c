/* SPDX-License-Identifier: MIT */
/* Which locks are used as locks, and which are handed from thread to thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "record/events/survey.h"
#include "trace/event.h"

enum { LOCK = 0x1000, OTHER = 0x1040 };

static void add(ser_record_survey *survey, uint8_t op, uint16_t thread, uint64_t address)
{
    ser_record_survey_add(survey, &(ser_record){.op = op, .thread = thread, .object = address}, 1);
}

static bool is_chain(ser_record_survey *survey, uint64_t address)
{
    ser_stretch part = ser_objects_find(&survey->objects, address, 1);
    const ser_memory_object *object = ser_objects_at(&survey->objects, part.slot);
    return ser_handovers_has(&survey->handovers, object, address - object->base);
}

static int create(void **state)
{
    *state = ser_record_survey_create();
    return 0;
}

static int destroy(void **state)
{
    ser_record_survey_destroy(*state);
    return 0;
}

static void test_a_lock_that_its_holders_release_is_one(void **state)
{
    for (uint16_t thread = 0; thread < 3; thread++) {
        add(*state, SER_OP_ACQUIRE, thread, LOCK);
        add(*state, SER_OP_ACQUIRE, thread, LOCK);
        add(*state, SER_OP_TRY_FAILED, 7, LOCK);
        add(*state, SER_OP_RELEASE, thread, LOCK);
        add(*state, SER_OP_RELEASE, thread, LOCK);
        add(*state, SER_OP_SHARED_ACQUIRE, thread, OTHER);
    }
    for (uint16_t thread = 0; thread < 3; thread++)
        add(*state, SER_OP_SHARED_RELEASE, thread, OTHER);
    assert_false(is_chain(*state, LOCK));
    assert_false(is_chain(*state, OTHER));
}

static void test_another_ones_release_makes_a_chain(void **state)
{
    add(*state, SER_OP_ACQUIRE, 1, LOCK);
    add(*state, SER_OP_ACQUIRE, 1, OTHER);
    add(*state, SER_OP_RELEASE, 2, LOCK);
    add(*state, SER_OP_RELEASE, 1, OTHER);
    assert_true(is_chain(*state, LOCK));
    assert_false(is_chain(*state, OTHER));
}

static void test_a_release_of_a_free_lock_makes_a_chain(void **state)
{
    add(*state, SER_OP_RELEASE, 1, LOCK);
    add(*state, SER_OP_SHARED_RELEASE, 1, OTHER);
    assert_true(is_chain(*state, LOCK));
    assert_true(is_chain(*state, OTHER));
}

static void test_an_acquire_of_a_held_lock_makes_a_chain(void **state)
{
    add(*state, SER_OP_ACQUIRE, 1, LOCK);
    add(*state, SER_OP_ACQUIRE, 2, LOCK); /* it was made anew meanwhile */
    add(*state, SER_OP_TRY_FAILED, 1, OTHER);
    assert_true(is_chain(*state, LOCK));
    assert_true(is_chain(*state, OTHER));
}

static void test_a_new_life_starts_free(void **state)
{
    ser_record_survey *survey = *state;
    const ser_record block = {.op = SER_RAW_ALLOCATE, .object = LOCK, .value = 40};
    const ser_record freed = {.op = SER_RAW_FREE, .object = LOCK};
    const ser_record renewed = {.op = SER_RAW_RENEW, .object = OTHER, .value = 8, .size = 1};
    ser_record_survey_add(survey, &block, 1);
    add(survey, SER_OP_ACQUIRE, 1, LOCK);
    add(survey, SER_OP_ACQUIRE, 1, OTHER);
    ser_record_survey_add(survey, &freed, 1);
    ser_record_survey_add(survey, &block, 1);
    ser_record_survey_add(survey, &renewed, 1);
    add(survey, SER_OP_ACQUIRE, 2, LOCK);
    add(survey, SER_OP_ACQUIRE, 2, OTHER);
    assert_false(is_chain(survey, LOCK));
    assert_false(is_chain(survey, OTHER));
    add(survey, SER_OP_RELEASE, 1, LOCK);
    assert_true(is_chain(survey, LOCK));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_lock_that_its_holders_release_is_one, create,
                                        destroy),
        cmocka_unit_test_setup_teardown(test_another_ones_release_makes_a_chain, create, destroy),
        cmocka_unit_test_setup_teardown(test_a_release_of_a_free_lock_makes_a_chain, create,
                                        destroy),
        cmocka_unit_test_setup_teardown(test_an_acquire_of_a_held_lock_makes_a_chain, create,
                                        destroy),
        cmocka_unit_test_setup_teardown(test_a_new_life_starts_free, create, destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
