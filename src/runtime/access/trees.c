/* SPDX-License-Identifier: MIT */
/*
 * The trees of std::map and std::set, whose steps and rebalancing libstdc++ has compiled:
 * instrumented code calls these functions instead, which do the same and record what they access.
 * The layout of nodes is part of libstdc++'s ABI.
 *
 * A red-black tree as in Cormen, Leiserson, Rivest and Stein, chapter 13, without a sentinel. The
 * header is a node beside the tree: its parent is the root, left and right are the first and the
 * last node; it is the root's parent, and red, as the root never is.
 */
#include "runtime/access/nodes.h"

enum { RED = 0, BLACK = 1 };
enum { LEFT = 0, RIGHT = 1 };

typedef struct tree_node {
    uint32_t colour;
    struct tree_node *parent;
    struct tree_node *child[2];
} tree_node;

static_assert(offsetof(tree_node, parent) == 8 && offsetof(tree_node, child) == 16, "libstdc++");

static tree_node *parent_of(const tree_node *node)
{
    return ser_node_get(&node->parent);
}

static tree_node *child_of(const tree_node *node, int side)
{
    return ser_node_get(&node->child[side]);
}

static void set_parent(tree_node *node, const tree_node *parent)
{
    ser_node_set(&node->parent, parent);
}

static void set_child(tree_node *node, int side, const tree_node *child)
{
    ser_node_set(&node->child[side], child);
}

static uint32_t colour_of(const tree_node *node)
{
    ser_runtime_access access = {.kind = SER_ACCESS_LOAD,
                                 .size = sizeof node->colour,
                                 .address = (void *)(uintptr_t)&node->colour};
    ser_access_do_words(&access, 0);
    return (uint32_t)access.old.word;
}

static void set_colour(tree_node *node, uint32_t colour)
{
    ser_runtime_access access = {.kind = SER_ACCESS_STORE,
                                 .size = sizeof node->colour,
                                 .address = &node->colour,
                                 .value.word = colour};
    ser_access_do_words(&access, 0);
}

static bool is_black(const tree_node *node)
{
    return !node || colour_of(node) == BLACK;
}

static tree_node *outermost(tree_node *node, int side)
{
    for (tree_node *child; (child = child_of(node, side)); node = child)
        continue;
    return node;
}

/* --- steps ------------------------------------------------------------------ */

static tree_node *climb(tree_node *node, int side)
{
    tree_node *parent = parent_of(node);
    while (node == child_of(parent, side)) {
        node = parent;
        parent = parent_of(parent);
    }
    /* from the last node of a tree with one node, the root, this is the header already */
    return side == RIGHT && child_of(node, RIGHT) == parent ? node : parent;
}

SER_EXPORT void *__seriatim_tree_next(const void *from)
{
    tree_node *node = (tree_node *)(uintptr_t)from;
    tree_node *right = child_of(node, RIGHT);
    return right ? outermost(right, LEFT) : climb(node, RIGHT);
}

SER_EXPORT void *__seriatim_tree_previous(const void *from)
{
    tree_node *node = (tree_node *)(uintptr_t)from;
    bool is_header = colour_of(node) == RED && parent_of(parent_of(node)) == node;
    if (is_header)
        return child_of(node, RIGHT);
    tree_node *left = child_of(node, LEFT);
    return left ? outermost(left, RIGHT) : climb(node, LEFT);
}

/* --- changes ---------------------------------------------------------------- */

/* Puts another node, or none, in the place of a node below its parent. */
static void replace_in_parent(tree_node *header, const tree_node *node, tree_node *by)
{
    tree_node *parent = parent_of(node);
    if (parent == header)
        set_parent(header, by);
    else
        set_child(parent, child_of(parent, LEFT) == node ? LEFT : RIGHT, by);
}

/* The node goes down to the side; its child on the other side comes into its place. */
static void rotate(tree_node *header, tree_node *node, int side)
{
    tree_node *up = child_of(node, !side), *inner = child_of(up, side);
    set_child(node, !side, inner);
    if (inner)
        set_parent(inner, node);
    set_parent(up, parent_of(node));
    replace_in_parent(header, node, up);
    set_child(up, side, node);
    set_parent(node, up);
}

/* A red node below a red parent; where to look next. */
static tree_node *mend_red(tree_node *header, tree_node *node, tree_node *parent)
{
    tree_node *grandparent = parent_of(parent);
    int side = child_of(grandparent, LEFT) == parent ? LEFT : RIGHT;
    tree_node *uncle = child_of(grandparent, !side);
    if (!is_black(uncle)) {
        set_colour(parent, BLACK);
        set_colour(uncle, BLACK);
        set_colour(grandparent, RED);
        return grandparent;
    }
    if (child_of(parent, !side) == node) {
        rotate(header, parent, side);
        tree_node *lower = parent;
        parent = node;
        node = lower;
    }
    set_colour(parent, BLACK);
    set_colour(grandparent, RED);
    rotate(header, grandparent, !side);
    return node;
}

static void put_below(tree_node *node, tree_node *parent, tree_node *header, int side)
{
    set_parent(node, parent);
    set_child(node, LEFT, 0);
    set_child(node, RIGHT, 0);
    set_colour(node, RED);
    set_child(parent, side, node); /* of the header: the first node */
    if (parent == header) {
        set_parent(header, node);
        set_child(header, RIGHT, node);
    } else if (child_of(header, side) == parent) {
        set_child(header, side, node);
    }
}

SER_EXPORT void __seriatim_tree_insert(uint8_t left, void *inserted, void *parent, void *top)
{
    tree_node *node = inserted, *header = top;
    put_below(node, parent, header, left ? LEFT : RIGHT);
    for (tree_node *above; node != parent_of(header) && !is_black(above = parent_of(node));)
        node = mend_red(header, node, above);
    set_colour(parent_of(header), BLACK);
}

/* One black node too few below the parent, where `node` is, which may be none. Done: null. */
static tree_node *mend_black(tree_node *header, tree_node *parent, const tree_node *node)
{
    int side = child_of(parent, LEFT) == node ? LEFT : RIGHT;
    tree_node *sibling = child_of(parent, !side);
    if (!is_black(sibling)) {
        set_colour(sibling, BLACK);
        set_colour(parent, RED);
        rotate(header, parent, side);
        sibling = child_of(parent, !side);
    }
    if (is_black(child_of(sibling, LEFT)) && is_black(child_of(sibling, RIGHT))) {
        set_colour(sibling, RED);
        return parent;
    }
    if (is_black(child_of(sibling, !side))) {
        set_colour(child_of(sibling, side), BLACK);
        set_colour(sibling, RED);
        rotate(header, sibling, !side);
        sibling = child_of(parent, !side);
    }
    set_colour(sibling, colour_of(parent));
    set_colour(parent, BLACK);
    set_colour(child_of(sibling, !side), BLACK);
    rotate(header, parent, side);
    return 0;
}

static void mend_after_erase(tree_node *header, tree_node *node, tree_node *parent)
{
    while (node != parent_of(header) && is_black(node)) {
        node = mend_black(header, parent, node);
        if (!node)
            return;
        parent = parent_of(node);
    }
    if (node)
        set_colour(node, BLACK);
}

/* The next node comes into the place of one with two children, with its colour. The node has the
 * next one's place then, but is not linked there; *hole is the parent of that place. */
static tree_node *swap_with_next(tree_node *header, tree_node *node, tree_node **hole)
{
    tree_node *right = child_of(node, RIGHT), *after = outermost(right, LEFT);
    tree_node *below = child_of(after, RIGHT), *left = child_of(node, LEFT);
    *hole = after;
    if (after != right) {
        *hole = parent_of(after);
        if (below)
            set_parent(below, *hole);
        set_child(*hole, LEFT, below);
        set_child(after, RIGHT, right);
        set_parent(right, after);
    }
    set_child(after, LEFT, left);
    set_parent(left, after);
    replace_in_parent(header, node, after);
    set_parent(after, parent_of(node));
    uint32_t colour = colour_of(after);
    set_colour(after, colour_of(node));
    set_colour(node, colour);
    return below;
}

/* The first or last node goes: which one comes after it then. */
static void move_ends(tree_node *header, const tree_node *node, tree_node *below)
{
    for (int side = LEFT; side <= RIGHT; side++)
        if (child_of(header, side) == node)
            set_child(header, side, below ? outermost(below, side) : parent_of(node));
}

SER_EXPORT void *__seriatim_tree_erase(void *erased, void *top)
{
    tree_node *node = erased, *header = top;
    tree_node *left = child_of(node, LEFT), *right = child_of(node, RIGHT), *hole, *below;
    if (left && right) {
        below = swap_with_next(header, node, &hole);
    } else {
        below = left ? left : right;
        hole = parent_of(node);
        if (below)
            set_parent(below, hole);
        replace_in_parent(header, node, below);
        move_ends(header, node, below);
    }
    if (colour_of(node) == BLACK)
        mend_after_erase(header, below, hole);
    return node;
}
