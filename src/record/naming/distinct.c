/* SPDX-License-Identifier: MIT */
/*
 * Open addressing with linear probing. The place of a hash is its highest bits, so that the table
 * is almost sorted by hash: when it grows, entries are copied sequentially.
 */
#include "record/naming/distinct.h"

#include "base/memory.h"

enum { FIRST_BITS = 10 };

void ser_distinct_fini(ser_distinct *set)
{
    free(set->slots);
    *set = (ser_distinct){0};
}

/* The slot that has the hash, or the one it goes to. */
static uint64_t *find(const ser_distinct *set, uint64_t hash)
{
    size_t mask = ((size_t)1 << set->bits) - 1, at = hash >> (64 - set->bits);
    while (set->slots[at] != 0 && set->slots[at] != hash)
        at = (at + 1) & mask;
    return &set->slots[at];
}

static void grow(ser_distinct *set)
{
    ser_distinct old = *set;
    size_t old_size = old.bits ? (size_t)1 << old.bits : 0;
    set->bits = old.bits ? old.bits + 1 : FIRST_BITS;
    set->slots = ser_alloc((size_t)1 << set->bits, sizeof *set->slots);
    for (size_t i = 0; i < old_size; i++)
        if (old.slots[i] != 0)
            *find(set, old.slots[i]) = old.slots[i];
    free(old.slots);
}

bool ser_distinct_add(ser_distinct *set, uint64_t hash)
{
    if (set->bits == 0 || 4 * set->count > 3 * ((size_t)1 << set->bits))
        grow(set);
    uint64_t *slot = find(set, hash);
    if (*slot != 0)
        return false;
    *slot = hash;
    set->count++;
    return true;
}
