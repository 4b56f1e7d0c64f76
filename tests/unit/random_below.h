/* SPDX-License-Identifier: MIT */
/*
 * random_below.h - numbers that look random and are the same in every run.
 */
#ifndef SER_TESTS_UNIT_RANDOM_BELOW_H
#define SER_TESTS_UNIT_RANDOM_BELOW_H

#include <stdint.h>

#include "base/status.h"

static uint64_t state_of_random;

static uint32_t random_below(uint32_t limit)
{
    state_of_random =
        state_of_random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    ser_check(limit > 0);
    return (uint32_t)(state_of_random >> 33) % limit;
}

#endif
