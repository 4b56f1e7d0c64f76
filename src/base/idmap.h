/* SPDX-License-Identifier: MIT */
/*
 * idmap.h - a hash map from numbers to small numbers.
 *
 * Any key but UINT32_MAX. Expected O(1). Not thread-safe.
 */
#ifndef SER_BASE_IDMAP_H
#define SER_BASE_IDMAP_H

#include <stddef.h>
#include <stdint.h>

typedef struct ser_idmap_entry {
    uint32_t key, value;
} ser_idmap_entry;

/* An all-zero map is empty and valid. */
typedef struct ser_idmap {
    ser_idmap_entry *entries; /* capacity of them; unused ones have key UINT32_MAX */
    size_t count, capacity;   /* capacity is 0 or a power of two */
} ser_idmap;

void ser_idmap_fini(ser_idmap *map);

/* The place of a key's value; the key is added with value `fresh` if it is new.
 * Valid until the next call. */
uint32_t *ser_idmap_add(ser_idmap *map, uint32_t key, uint32_t fresh);

/* The value of a key, or `missing`. */
uint32_t ser_idmap_get(const ser_idmap *map, uint32_t key, uint32_t missing);

#endif
