/* SPDX-License-Identifier: MIT */
/* Clocks that share nodes, against plain arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>
#include <stdlib.h>

#include "order/clock_tree.h"
#include "unit/random_below.h"

enum { CLOCKS = 40, MOST_WIDTH = 700 };

typedef struct clock_pair {
    uint32_t tree;
    uint32_t plain[MOST_WIDTH];
} clock_pair;

static void compare_clocks(ser_clock_trees *trees, const clock_pair *pairs)
{
    for (int i = 0; i < CLOCKS; i++) {
        uint64_t sum = 0;
        for (uint32_t k = 0; k < trees->width; k++) {
            assert_int_equal(ser_clock_tree_get(trees, pairs[i].tree, k), pairs[i].plain[k]);
            sum += pairs[i].plain[k] >> 1;
        }
        assert_int_equal(ser_clock_tree_sum(trees, pairs[i].tree, 1), sum);
    }
}

/* Changes one clock a few times between two seals. */
static void change_clock(ser_clock_trees *trees, clock_pair *pairs)
{
    clock_pair *own = &pairs[random_below(CLOCKS)];
    ser_clock_trees_seal(trees);
    for (uint32_t changes = 1 + random_below(4); changes > 0; changes--) {
        const clock_pair *other = &pairs[random_below(CLOCKS)];
        if (random_below(2)) {
            uint32_t index = random_below(trees->width), value = random_below(1000);
            own->tree = ser_clock_tree_set(trees, own->tree, index, value);
            own->plain[index] = value;
        } else if (other != own) {
            own->tree = ser_clock_tree_join(trees, own->tree, other->tree);
            for (uint32_t k = 0; k < trees->width; k++)
                if (own->plain[k] < other->plain[k])
                    own->plain[k] = other->plain[k];
        }
    }
    ser_clock_trees_seal(trees);
}

static void move_clocks(ser_clock_trees *trees, clock_pair *pairs)
{
    ser_clock_move move;
    uint32_t before = ser_clock_trees_count(trees);
    ser_clock_move_begin(&move, trees);
    for (int i = 0; i < CLOCKS; i++)
        ser_clock_move_add(&move, trees, &pairs[i].tree);
    ser_clock_move_end(&move, trees);
    assert_true(ser_clock_trees_count(trees) <= before);
}

static void test_clocks(void **state)
{
    (void)state;
    const uint32_t widths[] = {1, 3, 4, 5, 16, 17, 256, 257, MOST_WIDTH};
    clock_pair *pairs = ser_alloc(CLOCKS, sizeof *pairs);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        ser_clock_trees trees;
        state_of_random = i + 1;
        memset(pairs, 0, CLOCKS * sizeof *pairs);
        ser_clock_trees_init(&trees, widths[i]);
        for (int round = 0; round < 400; round++) {
            change_clock(&trees, pairs);
            if (round % 100 == 99)
                compare_clocks(&trees, pairs);
            if (round % 150 == 149)
                move_clocks(&trees, pairs);
        }
        ser_clock_trees_fini(&trees);
    }
    free(pairs);
}

/* One counter of a wide clock costs a few nodes, and equal parts are found to be equal. */
static void test_sharing(void **state)
{
    (void)state;
    ser_clock_trees trees;
    ser_clock_trees_init(&trees, 65536);
    uint32_t clock = 0;
    for (uint32_t i = 0; i < 65536; i++)
        clock = ser_clock_tree_set(&trees, clock, i, i + 1);
    ser_clock_trees_seal(&trees);
    uint32_t full = ser_clock_trees_count(&trees);
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t other = ser_clock_tree_set(&trees, clock, i, 0);
        ser_clock_trees_seal(&trees);
        assert_int_equal(ser_clock_tree_join(&trees, other, clock), clock);
        assert_int_equal(ser_clock_tree_join(&trees, 0, clock), clock);
    }
    assert_true(ser_clock_trees_count(&trees) - full <= 4 * 1000);
    ser_clock_trees_fini(&trees);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_clocks),
                                       cmocka_unit_test(test_sharing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
