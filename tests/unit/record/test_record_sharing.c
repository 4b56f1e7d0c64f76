/* SPDX-License-Identifier: MIT */
/* Which memory several threads accessed, against a plain array of bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include <string.h>

#include "record/memory/sharing.h"

enum { BYTES = 1600, ACCESSES = 400, THREADS = 3 };

static uint64_t state_of_random = 1;

static uint32_t any_below(uint32_t bound)
{
    state_of_random = state_of_random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(state_of_random >> 33) % bound;
}

/* Bit t: thread t accessed some of the eight bytes. */
static bool has_several(const uint8_t *threads, uint64_t offset)
{
    uint8_t all = 0;
    for (uint64_t i = offset / 8 * 8; i < offset / 8 * 8 + 8; i++)
        all |= threads[i];
    return (all & (all - 1)) != 0;
}

static void compare_with_bytes(const ser_memory_object *object)
{
    ser_sharing sharing = {0};
    uint8_t threads[BYTES + 8] = {0};
    for (int i = 0; i < ACCESSES / (BYTES / (int)object->size); i++) {
        uint32_t from = any_below((uint32_t)object->size), room = (uint32_t)object->size - from;
        uint32_t size = 1 + any_below(room < 40 ? room : 40);
        uint16_t thread = (uint16_t)(from < object->size / 2 ? 0 : any_below(THREADS));
        ser_sharing_add(&sharing, object, from, from + size, thread);
        for (uint32_t at = from; at < from + size; at++)
            threads[at] |= (uint8_t)(1 << thread);
    }
    for (uint64_t at = 0; at < object->size; at++)
        assert_int_equal(ser_sharing_is_shared(&sharing, object, at), has_several(threads, at));
    ser_sharing_fini(&sharing);
}

static void test_against_bytes(void **state)
{
    (void)state;
    for (int i = 0; i < 50; i++) {
        compare_with_bytes(&(ser_memory_object){.base = 4096, .size = BYTES, .id = 7});
        compare_with_bytes(&(ser_memory_object){.base = 4096, .size = 61, .id = 3});
    }
}

/* Objects do not know of one another, nor of what was never touched. */
static void test_objects_apart(void **state)
{
    (void)state;
    ser_sharing sharing = {0};
    ser_memory_object first = {.size = 64, .id = 1}, second = {.size = 64, .id = 2};
    ser_memory_object rest = {.size = UINT64_MAX, .id = 0};
    ser_sharing_add(&sharing, &first, 0, 8, 0);
    ser_sharing_add(&sharing, &second, 0, 8, 1);
    ser_sharing_add(&sharing, &rest, 0, 8, 2);
    assert_false(ser_sharing_is_shared(&sharing, &first, 0));
    assert_false(ser_sharing_is_shared(&sharing, &second, 0));
    assert_false(ser_sharing_is_shared(&sharing, &rest, 0));
    assert_false(ser_sharing_is_shared(&sharing, &rest, UINT64_MAX / 2));
    ser_sharing_add(&sharing, &first, 7, 9, UINT16_MAX); /* a number that cannot be kept */
    assert_true(ser_sharing_is_shared(&sharing, &first, 0));
    assert_true(ser_sharing_is_shared(&sharing, &first, 8));
    ser_sharing_fini(&sharing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_bytes),
        cmocka_unit_test(test_objects_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
