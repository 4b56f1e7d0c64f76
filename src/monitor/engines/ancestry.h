/* SPDX-License-Identifier: MIT */
/*
 * ancestry.h - which open transactions reach which.
 *
 * Every open transaction has a row; rows are recycled when it ends. A set is a
 * bitset over rows, `words` 64-bit words long. Invariant: the relation is closed
 * (what reaches an ancestor is an ancestor) and has no cycle, so that the end of
 * a transaction merely takes its bit away from everywhere.
 *
 * Cost: reaches O(1), add O((rows above + rows below) * words) if it changes anything. Memory:
 * O(square of the transactions open at the same time).
 */
#ifndef SER_MONITOR_ENGINES_ANCESTRY_H
#define SER_MONITOR_ENGINES_ANCESTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

#define SER_NO_ROW UINT32_MAX

typedef struct ser_ancestry {
    uint32_t rows;   /* how many there is room for; a multiple of 64 */
    uint32_t words;  /* rows / 64 */
    uint64_t *above; /* above[y * words ...]: the rows that reach y */
    uint64_t *below; /* below[y * words ...]: the rows that y reaches */
    SER_VECTOR(uint32_t) unused;
} ser_ancestry;

/* An all-zero ser_ancestry has no rows and is valid. */
void ser_ancestry_fini(ser_ancestry *ancestry);

/* A row for a new transaction, which nothing reaches. May enlarge all sets: then
 * `words` changes, and sets that callers keep must grow by zeroes. */
uint32_t ser_ancestry_open(ser_ancestry *ancestry);
void ser_ancestry_close(ser_ancestry *ancestry, uint32_t row);

static inline const uint64_t *ser_ancestry_above(const ser_ancestry *ancestry, uint32_t row)
{
    return ancestry->above + (size_t)row * ancestry->words;
}

static inline bool ser_row_in(const uint64_t *set, uint32_t row)
{
    return set[row / 64] >> row % 64 & 1;
}

static inline void ser_row_insert(uint64_t *set, uint32_t row)
{
    set[row / 64] |= UINT64_C(1) << row % 64;
}

static inline bool ser_ancestry_reaches(const ser_ancestry *ancestry, uint32_t from, uint32_t to)
{
    return ser_row_in(ser_ancestry_above(ancestry, to), from);
}

/* From now on all rows of the set reach row. The set must be closed and must not
 * hold the row itself (that would be a cycle). */
void ser_ancestry_add(ser_ancestry *ancestry, const uint64_t *set, uint32_t row);

/* Runs the statement after it for each row of a set, in ascending order. */
#define SER_FOR_EACH_ROW(row, set, words)                                                          \
    for (uint32_t ser_word_ = 0; ser_word_ < (words); ser_word_++)                                 \
        for (uint64_t ser_bits_ = (set)[ser_word_], row = 0;                                       \
             ser_bits_ && (row = ser_word_ * 64 + (uint32_t)__builtin_ctzll(ser_bits_), true);     \
             ser_bits_ &= ser_bits_ - 1)

#endif
