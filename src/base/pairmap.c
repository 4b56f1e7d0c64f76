/* SPDX-License-Identifier: MIT */
#include "base/pairmap.h"

#include "base/memory.h"

enum { FIRST_CAPACITY = 16 };

void ser_pairmap_fini(ser_pairmap *map)
{
    free(map->entries);
    *map = (ser_pairmap){0};
}

/* The entry of the pair, or the unused one where it belongs. */
static ser_pairmap_entry *find(const ser_pairmap *map, uint64_t first, uint64_t second)
{
    uint64_t hash = (first * UINT64_C(0x9e3779b97f4a7c15)) ^ second;
    hash *= UINT64_C(0xd6e8feb86659fd93);
    size_t mask = map->capacity - 1;
    for (size_t at = (hash ^ hash >> 32) & mask;; at = (at + 1) & mask) {
        ser_pairmap_entry *entry = &map->entries[at];
        if (entry->value == UINT32_MAX || (entry->first == first && entry->second == second))
            return entry;
    }
}

static void grow(ser_pairmap *map)
{
    ser_pairmap old = *map;
    map->capacity = old.capacity ? 2 * old.capacity : FIRST_CAPACITY;
    map->entries = ser_resize(NULL, map->capacity, sizeof *map->entries);
    for (size_t i = 0; i < map->capacity; i++)
        map->entries[i].value = UINT32_MAX;
    for (size_t i = 0; i < old.capacity; i++)
        if (old.entries[i].value != UINT32_MAX)
            *find(map, old.entries[i].first, old.entries[i].second) = old.entries[i];
    free(old.entries);
}

uint32_t *ser_pairmap_add(ser_pairmap *map, uint64_t first, uint64_t second, uint32_t fresh)
{
    if (4 * (map->count + 1) > 3 * map->capacity)
        grow(map);
    ser_pairmap_entry *entry = find(map, first, second);
    if (entry->value == UINT32_MAX) {
        *entry = (ser_pairmap_entry){first, second, fresh};
        map->count++;
    }
    return &entry->value;
}

uint32_t ser_pairmap_get(const ser_pairmap *map, uint64_t first, uint64_t second, uint32_t missing)
{
    if (!map->capacity)
        return missing;
    const ser_pairmap_entry *entry = find(map, first, second);
    return entry->value == UINT32_MAX ? missing : entry->value;
}
