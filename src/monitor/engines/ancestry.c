/* SPDX-License-Identifier: MIT */
#include "monitor/engines/ancestry.h"

static uint64_t *above(ser_ancestry *ancestry, size_t row)
{
    return ancestry->above + row * ancestry->words;
}

static uint64_t *below(ser_ancestry *ancestry, size_t row)
{
    return ancestry->below + row * ancestry->words;
}

static void unite(uint64_t *target, const uint64_t *source, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        target[i] |= source[i];
}

static uint64_t *widen(uint64_t *matrix, uint32_t rows, uint32_t words, uint32_t wide)
{
    uint64_t *wider = ser_alloc((size_t)wide * 64 * wide, sizeof *wider);
    for (size_t row = 0; row < rows; row++)
        memcpy(wider + row * wide, matrix + row * words, words * sizeof *wider);
    free(matrix);
    return wider;
}

static void grow(ser_ancestry *ancestry)
{
    uint32_t wide = ancestry->words ? 2 * ancestry->words : 1;
    ancestry->above = widen(ancestry->above, ancestry->rows, ancestry->words, wide);
    ancestry->below = widen(ancestry->below, ancestry->rows, ancestry->words, wide);
    for (uint32_t row = 64 * wide; row-- > ancestry->rows;)
        ser_vector_push(&ancestry->unused, row);
    ancestry->words = wide;
    ancestry->rows = 64 * wide;
}

void ser_ancestry_fini(ser_ancestry *ancestry)
{
    free(ancestry->above);
    free(ancestry->below);
    ser_vector_free(&ancestry->unused);
}

uint32_t ser_ancestry_open(ser_ancestry *ancestry)
{
    if (!ancestry->unused.count)
        grow(ancestry);
    return ancestry->unused.items[--ancestry->unused.count];
}

void ser_ancestry_close(ser_ancestry *ancestry, uint32_t row)
{
    uint32_t words = ancestry->words;
    uint64_t *up = above(ancestry, row), *down = below(ancestry, row);
    uint64_t others = ~(UINT64_C(1) << row % 64);
    SER_FOR_EACH_ROW(descendant, down, words)
    above(ancestry, descendant)[row / 64] &= others;
    SER_FOR_EACH_ROW(ancestor, up, words)
    below(ancestry, ancestor)[row / 64] &= others;
    memset(up, 0, words * sizeof *up);
    memset(down, 0, words * sizeof *down);
    ser_vector_push(&ancestry->unused, row);
}

static bool tells_nothing_new(const uint64_t *set, const uint64_t *known, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        if (set[i] & ~known[i])
            return false;
    return true;
}

void ser_ancestry_add(ser_ancestry *ancestry, const uint64_t *set, uint32_t row)
{
    uint32_t words = ancestry->words;
    uint64_t *down = below(ancestry, row);
    if (tells_nothing_new(set, above(ancestry, row), words))
        return;
    SER_FOR_EACH_ROW(descendant, down, words)
    unite(above(ancestry, descendant), set, words);
    unite(above(ancestry, row), set, words);
    SER_FOR_EACH_ROW(ancestor, set, words)
    {
        uint64_t *reached = below(ancestry, ancestor);
        unite(reached, down, words);
        ser_row_insert(reached, row);
    }
}
