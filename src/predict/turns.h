/* SPDX-License-Identifier: MIT */
/*
 * turns.h - in which order blocks are looked at.
 *
 * Runs of the same code tend to have the same answer. So the first execution of every code comes
 * first, then the second of each, and so on: if there is no time for all blocks, as many different
 * ones as possible were examined.
 */
#ifndef SER_PREDICT_TURNS_H
#define SER_PREDICT_TURNS_H

#include "base/vector.h"
#include "order/run.h"

typedef SER_VECTOR(uint32_t) ser_turns;

/* What the code of a block is known by: equal for runs of the same code. */
typedef struct ser_block_code {
    uint64_t place, object;
} ser_block_code;

ser_block_code ser_code_of_block(const ser_run *run, uint32_t block);

/* blocks: indices in run->blocks. `turns` gets each index in blocks once. O(n log n). */
void ser_turns_choose(ser_turns *turns, const ser_run *run, const uint32_t *blocks, size_t count);

#endif
