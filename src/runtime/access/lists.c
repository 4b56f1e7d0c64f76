/* SPDX-License-Identifier: MIT */
/*
 * The hooks of std::list, which libstdc++ has compiled: instrumented code calls these instead,
 * which do the same and record what they access. The layout of nodes is part of libstdc++'s ABI.
 */
#include "runtime/access/nodes.h"

typedef struct list_node {
    struct list_node *next, *previous;
} list_node;

static list_node *next(const list_node *node)
{
    return ser_node_get(&node->next);
}

static list_node *previous(const list_node *node)
{
    return ser_node_get(&node->previous);
}

static void link_nodes(list_node *first, list_node *second)
{
    ser_node_set(&first->next, second);
    ser_node_set(&second->previous, first);
}

SER_EXPORT void __seriatim_list_hook(void *inserted, void *behind)
{
    list_node *node = inserted, *position = behind;
    list_node *before = previous(position);
    link_nodes(before, node);
    link_nodes(node, position);
}

SER_EXPORT void __seriatim_list_unhook(void *erased)
{
    const list_node *node = erased;
    list_node *after = next(node);
    link_nodes(previous(node), after);
}

/* Moves the nodes from first to before last in front of the position. */
SER_EXPORT void __seriatim_list_transfer(void *behind, void *from, void *to)
{
    list_node *position = behind, *first = from, *last = to;
    if (position == last)
        return;
    list_node *final = previous(last), *ahead = previous(first), *before = previous(position);
    link_nodes(ahead, last);
    link_nodes(before, first);
    link_nodes(final, position);
}

/* What the one list has, the other has afterwards; an empty list is linked with itself. */
static void take(list_node *to, list_node *first, list_node *last, const list_node *owner)
{
    if (first == owner) {
        link_nodes(to, to);
        return;
    }
    link_nodes(to, first);
    link_nodes(last, to);
}

SER_EXPORT void __seriatim_list_swap(void *one_list, void *other_list)
{
    list_node *one = one_list, *other = other_list;
    list_node *one_first = next(one), *one_last = previous(one);
    list_node *other_first = next(other), *other_last = previous(other);
    take(one, other_first, other_last, other);
    take(other, one_first, one_last, one);
}

SER_EXPORT void __seriatim_list_reverse(void *reversed)
{
    list_node *list = reversed, *node = list;
    do {
        list_node *after = next(node);
        ser_node_set(&node->next, previous(node));
        ser_node_set(&node->previous, after);
        node = after;
    } while (node != list);
}

/* --- hash tables -------------------------------------------------------------- */

/* What decides when a hash table grows; its own code is in headers, and instrumented. */
typedef struct rehash_policy {
    float load;
    size_t next_resize;
} rehash_policy;

SER_EXPORT void __seriatim_rehash_asked(void *policy, uint64_t elements, uint64_t inserted,
                                        ser_abi_site *site)
{
    rehash_policy *asked = policy;
    __seriatim_range_read(asked, sizeof *asked, site);
    if (elements + inserted > asked->next_resize)
        __seriatim_range_written(&asked->next_resize, sizeof asked->next_resize, site);
}
