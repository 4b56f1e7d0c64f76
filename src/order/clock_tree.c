/* SPDX-License-Identifier: MIT */
/*
 * Nodes have no reference counts: they are kept until the whole tree is compacted or freed. Only
 * nodes made after the last seal are changed in place, since no other clock can share them.
 */
#include "order/clock_tree.h"

/* Clocks of at most so many counters are flat, as one large node is joined faster than several
 * small ones. Others share the more of each other, the smaller the nodes are. */
enum { FEWEST_BITS = 2, FLAT_BITS = 6, BITS = 4, MOST_SLOTS = 1 << FLAT_BITS };

static uint32_t *slots_of(const ser_clock_trees *trees, uint32_t node)
{
    return trees->slots.items + ((size_t)node << trees->bits);
}

static uint32_t slot_count(const ser_clock_trees *trees)
{
    return 1U << trees->bits;
}

/* A new node with these slots, which must not be in a node themselves. */
static uint32_t add_node(ser_clock_trees *trees, const uint32_t *slots)
{
    uint32_t node = ser_clock_trees_count(trees);
    size_t used = trees->slots.count, more = slot_count(trees);
    ser_vector_reserve(&trees->slots, used + more);
    memcpy(trees->slots.items + used, slots, more * sizeof *slots);
    trees->slots.count = used + more;
    return node;
}

void ser_clock_trees_init(ser_clock_trees *trees, uint32_t width)
{
    static const uint32_t zeros[MOST_SLOTS];
    *trees = (ser_clock_trees){.width = width, .bits = FEWEST_BITS, .height = 1};
    while (trees->bits < FLAT_BITS && width > slot_count(trees))
        trees->bits++;
    if (width > slot_count(trees))
        trees->bits = BITS;
    for (uint64_t reach = slot_count(trees); reach < width; reach <<= trees->bits)
        trees->height++;
    add_node(trees, zeros);
    ser_clock_trees_seal(trees);
}

void ser_clock_trees_fini(ser_clock_trees *trees)
{
    ser_vector_free(&trees->slots);
    ser_vector_free(&trees->sums);
}

size_t ser_clock_trees_bytes(const ser_clock_trees *trees)
{
    return trees->slots.capacity * sizeof *trees->slots.items +
           trees->sums.capacity * sizeof *trees->sums.items;
}

/* The node with other slots: itself, if no other clock can share it. */
static uint32_t with_slots(ser_clock_trees *trees, uint32_t node, const uint32_t *slots)
{
    if (node < trees->sealed)
        return add_node(trees, slots);
    memcpy(slots_of(trees, node), slots, slot_count(trees) * sizeof *slots);
    return node;
}

static uint32_t set_below(ser_clock_trees *trees, uint32_t node, unsigned level, uint32_t index,
                          uint32_t value)
{
    uint32_t slots[MOST_SLOTS];
    uint32_t slot = index >> (level * trees->bits) & (slot_count(trees) - 1);
    memcpy(slots, slots_of(trees, node), slot_count(trees) * sizeof *slots);
    uint32_t fresh = level ? set_below(trees, slots[slot], level - 1, index, value) : value;
    if (fresh == slots[slot])
        return node;
    slots[slot] = fresh;
    return with_slots(trees, node, slots);
}

uint32_t ser_clock_tree_set(ser_clock_trees *trees, uint32_t clock, uint32_t index, uint32_t value)
{
    return set_below(trees, clock, trees->height - 1, index, value);
}

static uint32_t join_below(ser_clock_trees *trees, uint32_t node, uint32_t other, unsigned level);

/* Fills in the joined slots of two nodes. */
static void join_slots(ser_clock_trees *trees, uint32_t node, uint32_t other, unsigned level,
                       uint32_t *slots)
{
    const uint32_t *own = slots_of(trees, node), *others = slots_of(trees, other);
    uint32_t count = slot_count(trees);
    if (level == 0) {
        for (uint32_t i = 0; i < count; i++)
            slots[i] = own[i] > others[i] ? own[i] : others[i];
        return;
    }
    for (uint32_t i = 0; i < count; i++) /* nodes may move meanwhile */
        slots[i] =
            join_below(trees, slots_of(trees, node)[i], slots_of(trees, other)[i], level - 1);
}

static uint32_t join_below(ser_clock_trees *trees, uint32_t node, uint32_t other, unsigned level)
{
    if (node == other || !other)
        return node;
    if (!node)
        return other;
    uint32_t slots[MOST_SLOTS];
    size_t bytes = slot_count(trees) * sizeof *slots;
    join_slots(trees, node, other, level, slots);
    /* The other one first: what comes next often shares nodes with it. */
    if (memcmp(slots, slots_of(trees, other), bytes) == 0)
        return other;
    if (memcmp(slots, slots_of(trees, node), bytes) == 0)
        return node;
    return with_slots(trees, node, slots);
}

uint32_t ser_clock_tree_join(ser_clock_trees *trees, uint32_t clock, uint32_t other)
{
    return join_below(trees, clock, other, trees->height - 1);
}

static uint64_t sum_below(ser_clock_trees *trees, uint32_t node, unsigned level, unsigned shift)
{
    uint64_t sum = trees->sums.items[node];
    if (!node || sum)
        return sum;
    const uint32_t *slots = slots_of(trees, node);
    for (uint32_t i = 0; i < slot_count(trees); i++)
        sum += level ? sum_below(trees, slots[i], level - 1, shift) : slots[i] >> shift;
    trees->sums.items[node] = sum;
    return sum;
}

uint64_t ser_clock_tree_sum(ser_clock_trees *trees, uint32_t clock, unsigned shift)
{
    ser_vector_extend(&trees->sums, ser_clock_trees_count(trees));
    return sum_below(trees, clock, trees->height - 1, shift);
}

void ser_clock_move_begin(ser_clock_move *move, const ser_clock_trees *trees)
{
    ser_clock_trees_init(&move->kept, trees->width);
    move->name_of = ser_alloc(ser_clock_trees_count(trees), sizeof *move->name_of);
}

static uint32_t move_below(ser_clock_move *move, const ser_clock_trees *trees, uint32_t node,
                           unsigned level)
{
    if (!node || move->name_of[node])
        return move->name_of[node];
    uint32_t slots[MOST_SLOTS];
    memcpy(slots, slots_of(trees, node), slot_count(trees) * sizeof *slots);
    for (uint32_t i = 0; level && i < slot_count(trees); i++)
        slots[i] = move_below(move, trees, slots[i], level - 1);
    return move->name_of[node] = add_node(&move->kept, slots);
}

void ser_clock_move_add(ser_clock_move *move, const ser_clock_trees *trees, uint32_t *root)
{
    *root = move_below(move, trees, *root, trees->height - 1);
}

void ser_clock_move_end(ser_clock_move *move, ser_clock_trees *trees)
{
    free(move->name_of);
    ser_clock_trees_fini(trees);
    *trees = move->kept;
    ser_clock_trees_seal(trees);
}
