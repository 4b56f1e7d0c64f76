/* SPDX-License-Identifier: MIT */
#include "monitor/legs.h"

#include <stdlib.h>

void ser_legs_fini(ser_legs *legs)
{
    ser_vector_free(&legs->list);
    ser_vector_free(&legs->groups);
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_ends(const void *a, const void *b)
{
    const ser_leg *first = a, *second = b;
    int order = compare(first->from.first, second->from.first);
    return order ? order : compare(first->to.first, second->to.first);
}

void ser_legs_group(ser_legs *legs)
{
    if (legs->list.count)
        qsort(legs->list.items, legs->list.count, sizeof *legs->list.items, by_ends);
    for (size_t i = 0; i < legs->list.count; i++) {
        const ser_leg *leg = &legs->list.items[i];
        if (i == 0 || by_ends(leg - 1, leg) != 0) {
            ser_leg_group added = {leg->from.first, leg->to.first, i, 0};
            ser_vector_push(&legs->groups, added);
        }
        legs->groups.items[legs->groups.count - 1].left++;
    }
}

static int by_group(const void *key, const void *item)
{
    const ser_leg_group *wanted = key, *group = item;
    int order = compare(wanted->from, group->from);
    return order ? order : compare(wanted->to, group->to);
}

static void swap(ser_leg *a, ser_leg *b)
{
    ser_leg kept = *a;
    *a = *b;
    *b = kept;
}

/* Legs that end before the target can no longer be explained: they are removed, too. */
const ser_leg *ser_legs_take(ser_legs *legs, uint64_t from, uint64_t to, uint64_t source,
                             uint64_t target)
{
    ser_leg_group wanted = {.from = from, .to = to};
    if (!legs->groups.count)
        return NULL;
    ser_leg_group *group = bsearch(&wanted, legs->groups.items, legs->groups.count,
                                   sizeof *legs->groups.items, by_group);
    if (!group)
        return NULL;
    ser_leg *members = legs->list.items + group->first;
    for (size_t i = group->left; i-- > 0;) {
        bool late = members[i].to.last < target;
        if (!late && members[i].from.last < source)
            continue;
        swap(&members[i], &members[--group->left]);
        if (!late)
            return &members[group->left];
    }
    return NULL;
}
