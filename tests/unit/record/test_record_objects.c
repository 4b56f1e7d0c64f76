/* SPDX-License-Identifier: MIT */
/* Which object has which bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants the three above first. */
#include <cmocka.h>

#include "record/memory/objects.h"
#include "unit/random_below.h"

static ser_memory_object *apply(ser_objects *objects, uint8_t op, uint64_t base, uint64_t size)
{
    return ser_objects_apply(objects,
                             &(ser_record){.op = op, .object = base, .value = size, .site = 1});
}

static uint32_t id_at(ser_objects *objects, uint64_t address)
{
    ser_stretch found = ser_objects_find(objects, address, 1);
    return ser_objects_at(objects, found.slot)->id;
}

static void test_a_block_has_its_bytes_until_another_gets_them(void **state)
{
    (void)state;
    ser_objects *objects = ser_alloc(1, sizeof *objects);
    ser_objects_init(objects);
    assert_int_equal(id_at(objects, 0x1000), 0);
    assert_int_equal(apply(objects, SER_RAW_ALLOCATE, 0x1000, 24)->id, 1);
    assert_int_equal(id_at(objects, 0xfff), 0);
    assert_int_equal(id_at(objects, 0x1000), 1);
    assert_int_equal(id_at(objects, 0x1017), 1);
    assert_int_equal(id_at(objects, 0x1018), 0);
    apply(objects, SER_RAW_FREE, 0x1000, 0);
    assert_int_equal(id_at(objects, 0x1000), 1);
    assert_int_equal(apply(objects, SER_RAW_ALLOCATE, 0x1000, 24)->id, 2);
    assert_int_equal(id_at(objects, 0x1000), 2);
    ser_objects_fini(objects);
    free(objects);
}

static void test_the_latest_object_has_the_bytes(void **state)
{
    (void)state;
    ser_objects *objects = ser_alloc(1, sizeof *objects);
    ser_objects_init(objects);
    apply(objects, SER_RAW_LOCAL, 0x2000, 32);
    apply(objects, SER_RAW_LOCAL, 0x2008, 8);
    assert_int_equal(id_at(objects, 0x2007), 1);
    assert_int_equal(id_at(objects, 0x2008), 2);
    assert_int_equal(id_at(objects, 0x2010), 1);
    apply(objects, SER_RAW_LOCAL, 0x1ff0, 0x40); /* covers both: they end */
    assert_int_equal(id_at(objects, 0x2008), 3);
    assert_int_equal(objects->free_slots.count, 2);
    apply(objects, SER_RAW_LOCAL, 0x2fff, 2); /* over the border of a page */
    assert_int_equal(id_at(objects, 0x2fff), 4);
    assert_int_equal(id_at(objects, 0x3000), 4);
    assert_int_equal(id_at(objects, 0x3001), 0);
    ser_objects_fini(objects);
    free(objects);
}

/* An object that takes exactly the bytes of another takes its place, but not its name. */
static void test_an_object_takes_the_place_of_its_equal(void **state)
{
    (void)state;
    ser_objects *objects = ser_alloc(1, sizeof *objects);
    ser_objects_init(objects);
    apply(objects, SER_RAW_LOCAL, 0x2000, 16);
    ser_stretch found = ser_objects_find(objects, 0x2000, 16);
    assert_true(ser_objects_is_still(objects, found.slot, 1, 0x2000));
    assert_int_equal(apply(objects, SER_RAW_LOCAL, 0x2000, 16)->id, 2);
    assert_false(ser_objects_is_still(objects, found.slot, 1, 0x2000));
    assert_int_equal(id_at(objects, 0x2008), 2);
    apply(objects, SER_RAW_LOCAL, 0x2008, 16); /* takes a half */
    assert_int_equal(apply(objects, SER_RAW_LOCAL, 0x2000, 16)->id, 4);
    assert_int_equal(id_at(objects, 0x2008), 4);
    assert_int_equal(id_at(objects, 0x2010), 3);
    apply(objects, SER_RAW_FREE, 0x2000, 16);
    assert_int_equal(id_at(objects, 0x2008), 0);
    assert_int_equal(apply(objects, SER_RAW_LOCAL, 0x2000, 16)->id, 5);
    assert_int_equal(id_at(objects, 0x2008), 5);
    ser_objects_fini(objects);
    free(objects);
}

static void test_large_objects(void **state)
{
    (void)state;
    ser_objects *objects = ser_alloc(1, sizeof *objects);
    const uint64_t base = 0x100000000, huge = UINT64_C(1) << 40;
    ser_objects_init(objects);
    apply(objects, SER_RAW_LOCAL, base + 0x5000, 8);
    apply(objects, SER_RAW_MAP, base, huge);
    assert_int_equal(id_at(objects, base + 0x5000), 2);
    assert_int_equal(id_at(objects, base + huge - 1), 2);
    assert_int_equal(id_at(objects, base + huge), 0);
    apply(objects, SER_RAW_LOCAL, base + 0x6000, 8);
    assert_int_equal(id_at(objects, base + 0x6000), 3);
    assert_int_equal(id_at(objects, base + 0x6008), 2);
    apply(objects, SER_RAW_FREE, base + 0x10000, 0x1000); /* a part is unmapped */
    assert_int_equal(id_at(objects, base + 0x10800), 0);
    assert_int_equal(id_at(objects, base + 0x11000), 2);
    ser_stretch whole = ser_objects_find(objects, base + 0x5000, 0x2000);
    assert_int_equal(whole.end, base + 0x6000);
    apply(objects, SER_RAW_FREE, base, huge);
    assert_int_equal(id_at(objects, base + 0x6000), 0);
    assert_int_equal(objects->large.count, 0);
    ser_objects_fini(objects);
    free(objects);
}

/* malloc(0) may return a block, which is freed like any other. */
static void test_block_without_bytes(void **state)
{
    (void)state;
    ser_objects *objects = ser_alloc(1, sizeof *objects);
    ser_objects_init(objects);
    apply(objects, SER_RAW_ALLOCATE, 0x1000, 24);
    assert_int_equal(apply(objects, SER_RAW_ALLOCATE, 0x1000, 0)->id, 2);
    assert_int_equal(id_at(objects, 0x1000), 2);
    assert_int_equal(id_at(objects, 0x1001), 1);
    assert_true(ser_object_is_freed_with(ser_objects_at(objects, 2), ser_objects_at(objects, 2)));
    assert_false(ser_object_is_freed_with(ser_objects_at(objects, 1),
                                          ser_objects_at(objects, 2))); /* it was before */
    ser_objects_fini(objects);
    free(objects);
}

static void test_nonsense_changes_nothing(void **state)
{
    (void)state;
    ser_objects *objects = ser_alloc(1, sizeof *objects);
    ser_objects_init(objects);
    assert_null(apply(objects, SER_RAW_ALLOCATE, 0, 10));
    assert_null(apply(objects, SER_RAW_ALLOCATE, UINT64_MAX - 5, 10));
    apply(objects, SER_RAW_FREE, 0x1234, 0);
    apply(objects, SER_RAW_FREE, UINT64_MAX - 5, 10);
    assert_int_equal(id_at(objects, 0x1000), 0);
    ser_stretch end = ser_objects_find(objects, UINT64_MAX - 3, 16);
    assert_int_equal(end.end, UINT64_MAX);
    ser_objects_fini(objects);
    free(objects);
}

/* --- against a model -------------------------------------------------------- */

enum { BASE = 0x7000 };

/* A model of blocks that are freed whole: which object each byte belongs to. */
typedef struct block_model {
    uint32_t life[0x400]; /* of the bytes from BASE on */
    uint32_t lives;
} block_model;

static void set_life(block_model *model, uint64_t base, uint64_t size, uint32_t life)
{
    for (uint64_t at = base; at < base + size; at++)
        if (at >= BASE && at < BASE + 0x400)
            model->life[at - BASE] = life;
}

static void allocate_in_both(ser_objects *objects, block_model *model, uint8_t op, uint64_t base,
                             uint64_t size)
{
    uint32_t life = ++model->lives;
    set_life(model, base, size, life);
    assert_int_equal(apply(objects, op, base, size)->id, life);
}

/* Blocks are allocated, freed, allocated again with the same size or another, freed twice; and
 * now and then all of it becomes a mapping, which they then lie in. */
static void test_freed_blocks(void **state)
{
    (void)state;
    enum { STEPS = 3000 };
    for (uint64_t run = 1; run <= 20; run++) {
        ser_objects *objects = ser_alloc(1, sizeof *objects);
        block_model *model = ser_alloc(1, sizeof *model);
        state_of_random = run * 7919;
        ser_objects_init(objects);
        for (int step = 0; step < STEPS; step++) {
            uint64_t base = BASE + 16 * random_below(0x300 / 16);
            if (random_below(100) == 0)
                allocate_in_both(objects, model, SER_RAW_MAP, BASE - 16, 0x8000);
            else if (random_below(2))
                allocate_in_both(objects, model, SER_RAW_ALLOCATE, base, 16 + 8 * random_below(4));
            else
                apply(objects, SER_RAW_FREE, base, 0); /* who has the bytes keeps them */
            uint64_t asked = random_below(0x400);
            assert_int_equal(id_at(objects, BASE + asked), model->life[asked]);
        }
        for (uint64_t at = 0; at < 0x400; at++)
            assert_int_equal(id_at(objects, BASE + at), model->life[at]);
        ser_objects_fini(objects);
        free(objects);
        free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_block_has_its_bytes_until_another_gets_them),
        cmocka_unit_test(test_the_latest_object_has_the_bytes),
        cmocka_unit_test(test_an_object_takes_the_place_of_its_equal),
        cmocka_unit_test(test_large_objects),
        cmocka_unit_test(test_block_without_bytes),
        cmocka_unit_test(test_nonsense_changes_nothing),
        cmocka_unit_test(test_freed_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
