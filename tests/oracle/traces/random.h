/* SPDX-License-Identifier: MIT */
/*
 * random.h - numbers that look random and depend on the seed alone (splitmix64).
 *
 * The same seed gives the same numbers on every machine, so that a failure can
 * be named by its seed.
 */
#ifndef SER_ORACLE_RANDOM_H
#define SER_ORACLE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct random_source {
    uint64_t state;
} random_source;

static inline uint64_t random_next(random_source *source)
{
    uint64_t z = (source->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A number from 0 to bound - 1. The bias is below 2^-32 for our bounds. */
static inline uint32_t random_below(random_source *source, uint32_t bound)
{
    return (uint32_t)(((random_next(source) >> 32) * bound) >> 32);
}

static inline uint32_t random_between(random_source *source, uint32_t low, uint32_t high)
{
    return low + random_below(source, high - low + 1);
}

static inline bool random_chance(random_source *source, uint32_t percent)
{
    return random_below(source, 100) < percent;
}

#endif
