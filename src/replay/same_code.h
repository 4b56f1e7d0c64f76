/* SPDX-License-Identifier: MIT */
/*
 * same_code.h - the blocks of a replay that are the same code as a block of the recorded run.
 *
 * Which calls, rounds and assignments are blocks is guessed from a whole run (trace/blocks), so
 * that a replay in which other data is shared may have other blocks. What the replay is asked
 * about stays the block of the recorded run.
 */
#ifndef SER_REPLAY_SAME_CODE_H
#define SER_REPLAY_SAME_CODE_H

#include "order/run.h"

typedef SER_VECTOR(uint32_t) ser_block_list; /* indices in run->blocks */

/* Appends the blocks of `run` that are the same code as a block (its first event) of another run:
 * operation and place of their first events, and what it is called. None where the place is not
 * known. */
void ser_blocks_of_code(const ser_run *run, const ser_run *other, uint32_t begin,
                        ser_block_list *blocks);

/* Replaces the blocks of `run` by the spans of that code, whether or not they were blocks: calls
 * from call to return, other blocks from their first to their last place. A span ends before a
 * wait. False if there is none, and then `run` is as it was; also if the block is a marked one,
 * which needs no guess, or has no place. O(events). */
bool ser_mark_code(ser_run *run, const ser_run *other, uint32_t begin);

#endif
