/* SPDX-License-Identifier: MIT */
/*
 * pairmap.h - a hash map from pairs of numbers to small numbers.
 *
 * Any key; values but UINT32_MAX. Expected O(1). Not thread-safe.
 */
#ifndef SER_BASE_PAIRMAP_H
#define SER_BASE_PAIRMAP_H

#include <stddef.h>
#include <stdint.h>

typedef struct ser_pairmap_entry {
    uint64_t first, second;
    uint32_t value; /* UINT32_MAX: unused */
} ser_pairmap_entry;

/* An all-zero map is empty and valid. */
typedef struct ser_pairmap {
    ser_pairmap_entry *entries;
    size_t count, capacity; /* capacity is 0 or a power of two */
} ser_pairmap;

void ser_pairmap_fini(ser_pairmap *map);

/* The place of a pair's value; the pair is added with value `fresh` if it is new.
 * Valid until the next call. */
uint32_t *ser_pairmap_add(ser_pairmap *map, uint64_t first, uint64_t second, uint32_t fresh);

/* The value of a pair, or `missing`. */
uint32_t ser_pairmap_get(const ser_pairmap *map, uint64_t first, uint64_t second, uint32_t missing);

#endif
