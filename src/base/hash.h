/* SPDX-License-Identifier: MIT */
/*
 * hash.h - hashes of strings, 64 bits, for tables in memory.
 *
 * Not for files: a hash depends on the host's byte order. O(length).
 */
#ifndef SER_BASE_HASH_H
#define SER_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SER_HASH_WORD = 8 }; /* bytes of a string that fits into a number */

/* Every bit of the product of two words depends on both; the exclusive or of its halves is a good
 * hash (as in wyhash). */
static inline uint64_t ser_hash_mix(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 product_type;
    product_type product = (product_type)(a ^ 0xa0761d6478bd642fu) * (b ^ 0xe7037ed1a0b428dbu);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* A string of up to eight bytes as a number. Two overlapping loads instead of a loop over the
 * bytes. */
static inline uint64_t ser_hash_short(const char *text, size_t length)
{
    if (length >= 4) {
        uint32_t low, high;
        memcpy(&low, text, 4);
        memcpy(&high, text + length - 4, 4);
        return low | (uint64_t)high << (8 * (length - 4));
    }
    uint64_t word = 0;
    for (size_t i = 0; i < length; i++)
        word |= (uint64_t)(uint8_t)text[i] << (8 * i);
    return word;
}

static inline uint64_t ser_hash_load(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    return word;
}

/* For more than eight bytes: sixteen per round. The last sixteen (or fewer, of a
 * string that has no more) may overlap those before. */
static inline uint64_t ser_hash_long(const char *text, size_t length)
{
    uint64_t hash = length;
    const char *end = text + length;
    const char *tail = length > 16 ? end - 16 : text;
    for (; text < tail; text += 16)
        hash = ser_hash_mix(hash ^ ser_hash_load(text), ser_hash_load(text + 8));
    return ser_hash_mix(hash ^ ser_hash_load(tail), ser_hash_load(end - 8));
}

/* A key that differs from that of other strings of the same length: the bytes themselves if the
 * string is short, else a hash. */
static inline uint64_t ser_hash_key(const char *text, size_t length)
{
    return length <= SER_HASH_WORD ? ser_hash_short(text, length) : ser_hash_long(text, length);
}

#endif
