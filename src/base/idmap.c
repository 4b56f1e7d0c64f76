/* SPDX-License-Identifier: MIT */
#include "base/idmap.h"

#include <string.h>

#include "base/memory.h"

enum { FIRST_CAPACITY = 16 };

void ser_idmap_fini(ser_idmap *map)
{
    free(map->entries);
    *map = (ser_idmap){0};
}

/* The entry of the key, or the unused one where it belongs. */
static ser_idmap_entry *find(const ser_idmap *map, uint32_t key)
{
    uint32_t hash = key * UINT32_C(0x9e3779b1);
    size_t mask = map->capacity - 1;
    for (size_t at = (hash ^ hash >> 15) & mask;; at = (at + 1) & mask)
        if (map->entries[at].key == key || map->entries[at].key == UINT32_MAX)
            return &map->entries[at];
}

static void grow(ser_idmap *map)
{
    ser_idmap old = *map;
    map->capacity = old.capacity ? 2 * old.capacity : FIRST_CAPACITY;
    map->entries = ser_resize(NULL, map->capacity, sizeof *map->entries);
    memset(map->entries, 0xff, map->capacity * sizeof *map->entries);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.entries[i].key != UINT32_MAX)
            *find(map, old.entries[i].key) = old.entries[i];
    free(old.entries);
}

uint32_t *ser_idmap_add(ser_idmap *map, uint32_t key, uint32_t fresh)
{
    if (4 * (map->count + 1) > 3 * map->capacity)
        grow(map);
    ser_idmap_entry *entry = find(map, key);
    if (entry->key == UINT32_MAX) {
        *entry = (ser_idmap_entry){key, fresh};
        map->count++;
    }
    return &entry->value;
}

uint32_t ser_idmap_get(const ser_idmap *map, uint32_t key, uint32_t missing)
{
    if (!map->capacity)
        return missing;
    const ser_idmap_entry *entry = find(map, key);
    return entry->key == UINT32_MAX ? missing : entry->value;
}
