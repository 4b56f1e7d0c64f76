/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bugs/bugs.h"

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

/* FNV-1a, its upper bits. */
void ser_bug_id(const char *key, char id[static SER_BUG_ID_SIZE])
{
    enum { ID_BITS = 40 };
    uint64_t value = UINT64_C(14695981039346656037);
    for (; *key; key++)
        value = (value ^ (unsigned char)*key) * UINT64_C(1099511628211);
    snprintf(id, SER_BUG_ID_SIZE, "%010" PRIx64, value >> (64 - ID_BITS));
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
        ser_bug_id(bug->key, bug->id);
        size_t length = strlen(bug->id);
        if (same > 1)
            snprintf(bug->id + length, sizeof bug->id - length, "-%u", same);
    }
}
