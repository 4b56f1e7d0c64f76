/* SPDX-License-Identifier: MIT */
/*
 * distinct.h - was this text there before?
 *
 * Only hashes of texts are kept: "no" is certain, and "yes" is wrong once in 2^64 pairs. For names
 * that get a number behind them if they are taken, of which there are millions. A lookup misses the
 * cache; callers that know the hash some time before can prefetch the entry. Memory: 11 to 22 bytes
 * a text. Expected O(1). Not thread-safe.
 */
#ifndef SER_RECORD_NAMING_DISTINCT_H
#define SER_RECORD_NAMING_DISTINCT_H

#include <stdbool.h>

#include "base/hash.h"

/* An all-zero one is empty and valid. */
typedef struct ser_distinct {
    uint64_t *slots; /* hashes; 0: unused */
    size_t count;
    unsigned bits; /* of the number of slots; 0: there are none yet */
} ser_distinct;

void ser_distinct_fini(ser_distinct *set);

/* Texts of different kinds differ. O(length). */
static inline uint64_t ser_distinct_hash(unsigned kind, const char *text, size_t length)
{
    uint64_t hash = ser_hash_mix(ser_hash_key(text, length), (uint64_t)length << 8 | kind);
    return hash | (hash == 0);
}

static inline void ser_distinct_fetch(const ser_distinct *set, uint64_t hash)
{
    if (set->bits > 0)
        __builtin_prefetch(&set->slots[hash >> (64 - set->bits)], 1);
}

/* Adds a hash; false if it was there. */
bool ser_distinct_add(ser_distinct *set, uint64_t hash);

#endif
