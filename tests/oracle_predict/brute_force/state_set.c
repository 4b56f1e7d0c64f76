/* SPDX-License-Identifier: MIT */
/*
 * Open addressing, at most half full. Keys are compared in full: two states that
 * differ are never taken for one.
 */
#include "state_set.h"

enum { FIRST_SLOTS = 256, LENGTH_BYTES = 2 };

void state_set_init(state_set *set)
{
    *set = (state_set){.slot_count = FIRST_SLOTS};
    set->slots = ser_alloc(set->slot_count, sizeof *set->slots);
}

void state_set_fini(state_set *set)
{
    ser_vector_free(&set->bytes);
    free(set->slots);
}

/* Eight bytes at a time, each mixed into all bits. */
static uint64_t hash_of(const uint8_t *key, size_t length)
{
    uint64_t hash = length;
    for (size_t i = 0; i < length; i += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, key + i, length - i < sizeof word ? length - i : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash ^ hash >> 32;
}

static size_t length_at(const state_set *set, size_t start)
{
    const uint8_t *bytes = set->bytes.items + start;
    return (size_t)(bytes[0] | bytes[1] << 8);
}

/* The slot that holds the key, or the free one where it belongs. */
static size_t find_slot(const state_set *set, const uint8_t *key, size_t length)
{
    size_t slot = hash_of(key, length) & (set->slot_count - 1);
    while (set->slots[slot]) {
        size_t start = set->slots[slot] - 1;
        if (length_at(set, start) == length &&
            memcmp(set->bytes.items + start + LENGTH_BYTES, key, length) == 0)
            break;
        slot = (slot + 1) & (set->slot_count - 1);
    }
    return slot;
}

static void grow(state_set *set)
{
    free(set->slots);
    set->slot_count *= 2;
    set->slots = ser_alloc(set->slot_count, sizeof *set->slots);
    for (size_t start = 0; start < set->bytes.count;) {
        size_t length = length_at(set, start);
        set->slots[find_slot(set, set->bytes.items + start + LENGTH_BYTES, length)] = start + 1;
        start += LENGTH_BYTES + length;
    }
}

bool state_set_add(state_set *set, const uint8_t *key, size_t length)
{
    size_t slot = find_slot(set, key, length);
    if (set->slots[slot])
        return false;
    size_t start = set->bytes.count;
    set->slots[slot] = start + 1;
    ser_vector_extend(&set->bytes, start + LENGTH_BYTES + length);
    set->bytes.items[start] = (uint8_t)length;
    set->bytes.items[start + 1] = (uint8_t)(length >> 8);
    memcpy(set->bytes.items + start + LENGTH_BYTES, key, length);
    if (2 * ++set->count > set->slot_count)
        grow(set);
    return true;
}
