/* SPDX-License-Identifier: MIT */
/*
 * clock_tree.h - many vector clocks that share their common parts.
 *
 * A clock has one counter per thread. It is a tree with the counters in its leaves; trees
 * share nodes, so that a clock which differs from another one in a few counters costs a few
 * nodes, and not a counter per thread. Clocks are named by their root; 0 is the clock that
 * is zero everywhere.
 *
 * A clock never changes once it is sealed. Between two seals, set and join may reuse the
 * nodes made since the first of them: only the clock they return is valid then, not the one
 * they were given.
 *
 * Cost: get and set O(log width); join O(nodes in which the two differ). Threads may share
 * the trees as long as none of them calls anything but get.
 */
#ifndef SER_ORDER_CLOCK_TREE_H
#define SER_ORDER_CLOCK_TREE_H

#include <stdint.h>

#include "base/vector.h"

typedef struct ser_clock_trees {
    uint32_t width;             /* counters of a clock */
    unsigned bits;              /* a node has 1 << bits slots: counters, or nodes below */
    unsigned height;            /* levels; 1: the root is a leaf */
    SER_VECTOR(uint32_t) slots; /* all zero in node 0, whose children are node 0 again */
    uint32_t sealed;            /* nodes below this one do not change any more */
    SER_VECTOR(uint64_t) sums;  /* of nodes, once asked for; 0: not known yet */
} ser_clock_trees;

void ser_clock_trees_init(ser_clock_trees *trees, uint32_t width);
void ser_clock_trees_fini(ser_clock_trees *trees);

static inline uint32_t ser_clock_trees_count(const ser_clock_trees *trees)
{
    return (uint32_t)(trees->slots.count >> trees->bits);
}

/* How many bytes the trees use. */
size_t ser_clock_trees_bytes(const ser_clock_trees *trees);

/* All clocks made so far stay as they are. */
static inline void ser_clock_trees_seal(ser_clock_trees *trees)
{
    trees->sealed = ser_clock_trees_count(trees);
}

static inline uint32_t ser_clock_tree_get(const ser_clock_trees *trees, uint32_t clock,
                                          uint32_t index)
{
    const uint32_t mask = (1U << trees->bits) - 1;
    for (unsigned level = trees->height - 1; level > 0; level--) {
        uint32_t slot = index >> (level * trees->bits) & mask;
        clock = trees->slots.items[((size_t)clock << trees->bits) + slot];
    }
    return trees->slots.items[((size_t)clock << trees->bits) + (index & mask)];
}

/* The clock with one counter set. */
uint32_t ser_clock_tree_set(ser_clock_trees *trees, uint32_t clock, uint32_t index, uint32_t value);

/* The larger counter of each pair. The other clock must be sealed. */
uint32_t ser_clock_tree_join(ser_clock_trees *trees, uint32_t clock, uint32_t other);

/* The counters, each shifted right, added up. The clock must be sealed, and the shift the same
 * in all calls. */
uint64_t ser_clock_tree_sum(ser_clock_trees *trees, uint32_t clock, unsigned shift);

/* Keeps the clocks named by the roots, of which there may be many equal ones, and forgets all
 * others; roots are renamed. begin, add for each root, end. */
typedef struct ser_clock_move {
    ser_clock_trees kept;
    uint32_t *name_of; /* of each old node: its new number; 0: not kept yet */
} ser_clock_move;

void ser_clock_move_begin(ser_clock_move *move, const ser_clock_trees *trees);
void ser_clock_move_add(ser_clock_move *move, const ser_clock_trees *trees, uint32_t *root);
void ser_clock_move_end(ser_clock_move *move, ser_clock_trees *trees);

#endif
