/* SPDX-License-Identifier: MIT */
/*
 * distinct.h - was this text there before?
 *
 * Only hashes of texts are kept: "no" is certain, and "yes" is wrong once in 2^64 pairs. For
 * names that get a number behind them if they are taken, of which there are millions.
 * Memory: 11 to 22 bytes a text. Expected O(length). Not thread-safe.
 */
#ifndef SER_RECORD_DISTINCT_H
#define SER_RECORD_DISTINCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An all-zero one is empty and valid. */
typedef struct ser_distinct {
    uint64_t *slots; /* hashes; 0: unused */
    size_t count;
    unsigned bits; /* of the number of slots; 0: there are none yet */
} ser_distinct;

void ser_distinct_fini(ser_distinct *set);

/* Adds a text of a kind; false if it was there. Texts of different kinds differ. */
bool ser_distinct_add(ser_distinct *set, unsigned kind, const char *text, size_t length);

#endif
