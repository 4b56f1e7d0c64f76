/* SPDX-License-Identifier: MIT */
#include <xxhash.h>

#include "record/capture/spool_format.h"

/* Version 2 and before had a sum of our own, which is needed only to read them. */

static uint64_t add_word(uint64_t sum, uint64_t word)
{
    static const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    sum = (sum ^ word) * factor;
    return sum ^ sum >> 32;
}

static uint64_t word_at(const uint8_t *at, size_t size)
{
    uint64_t word = 0;
    memcpy(&word, at, size);
    return word;
}

static uint32_t checksum_of_version_2(const uint8_t *at, size_t size)
{
    enum { WORD = 8, SUMS = 4, STEP = SUMS * WORD };
    uint64_t sums[SUMS] = {size, 1, 2, 3};
    for (; size >= STEP; at += STEP, size -= STEP)
        for (size_t i = 0; i < SUMS; i++)
            sums[i] = add_word(sums[i], word_at(at + i * WORD, WORD));
    uint64_t sum = 0;
    for (int i = 0; i < SUMS; i++)
        sum = add_word(sum, sums[i]);
    for (; size >= WORD; at += WORD, size -= WORD)
        sum = add_word(sum, word_at(at, WORD));
    return (uint32_t)add_word(sum, word_at(at, size));
}

uint32_t ser_spool_checksum(uint32_t version, const void *bytes, size_t size)
{
    return version <= 2 ? checksum_of_version_2(bytes, size) : (uint32_t)XXH3_64bits(bytes, size);
}
