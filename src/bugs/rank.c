/* SPDX-License-Identifier: MIT */
#include "bugs/bugs.h"
#include "bugs/naming.h"

const char *ser_bug_status_name(ser_bug_status status)
{
    static const char *const names[] = {"predicted", "not confirmed", "observed", "confirmed"};
    return names[status];
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_interest(const void *a, const void *b)
{
    const ser_bug *first = a, *second = b;
    int order = compare(first->intention, second->intention);
    if (!order)
        order = compare(second->status, first->status);
    if (!order)
        order = compare(second->blocks, first->blocks);
    if (!order)
        order = strcmp(first->key, second->key);
    return order ? order : strcmp(first->location, second->location);
}

/* Bugs with one key, in several places of one function, follow one another. */
void ser_bugs_rank(ser_bugs *bugs)
{
    if (bugs->list.count)
        qsort(bugs->list.items, bugs->list.count, sizeof *bugs->list.items, by_interest);
    for (size_t i = 0; i < bugs->list.count; i++) {
        ser_bug *bug = &bugs->list.items[i];
        unsigned same = 1;
        for (size_t j = 0; j < i; j++)
            same += strcmp(bugs->list.items[j].key, bug->key) == 0;
        ser_bug_make_id(bug->id, bug->key, same);
    }
}
