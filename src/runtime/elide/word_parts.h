/* SPDX-License-Identifier: MIT */
/*
 * word_parts.h - which bytes of a word an access touches, as a mask, and as a number of four bits
 * that fits into a stamp.
 */
#ifndef SER_RUNTIME_ELIDE_WORD_PARTS_H
#define SER_RUNTIME_ELIDE_WORD_PARTS_H

#include "runtime/elide/elision.h"

/* The bytes of an access in a word, as a mask. */
static inline unsigned ser_bytes_in(const ser_touch *touch, uintptr_t word)
{
    uintptr_t start = (uintptr_t)touch->address, end = start + touch->size;
    uintptr_t from = start > word * 8 ? start - word * 8 : 0;
    uintptr_t to = end < word * 8 + 8 ? end - word * 8 : 8;
    return ((1U << to) - 1) & ~((1U << from) - 1);
}

/* A part is the word (1), one of its halves (2, 3), quarters (4 to 7), or bytes (8 to 15). */
static inline unsigned ser_bytes_of_part(unsigned part)
{
    if (part == 0)
        return 0;
    unsigned size = 8U >> (31 - __builtin_clz(part));
    return ((1U << size) - 1) << (part * size - 8);
}

/* 0 if the bytes are no part. */
static inline unsigned ser_part_of_bytes(unsigned bytes)
{
    unsigned start = (unsigned)__builtin_ctz(bytes);
    unsigned size = 32 - (unsigned)__builtin_clz(bytes) - start;
    unsigned part = (8 + start) >> __builtin_ctz(size);
    return ser_bytes_of_part(part) == bytes ? part : 0;
}

#endif
