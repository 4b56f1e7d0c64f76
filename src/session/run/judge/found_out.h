/* SPDX-License-Identifier: MIT */
/*
 * found_out.h - a value that each thread finds out which needs it.
 *
 * "If the fast clock is not known, find out which it is, and note it": two threads may both find it
 * out, and note the same. But "if nobody is here, note that I am here, and work" looks the same up
 * to there. What tells them apart is what else depends on the look: the run shows it, if the same
 * code has met the value as well.
 */
#ifndef SER_SESSION_RUN_JUDGE_FOUND_OUT_H
#define SER_SESSION_RUN_JUDGE_FOUND_OUT_H

#include "order/run.h"

/* Is the violation one of a single variable that is always written with the same value, and does
 * another call of the block's function, which only reads that value, do all else that the block
 * does? O(events). */
bool ser_is_found_out_again(const ser_run *run, uint32_t block, const uint32_t *events,
                            size_t count);

/* Does the block read at last, of a single variable, what it has written at first, and since its
 * thread was started nobody has written another value there? O(events). */
bool ser_finds_own_value(const ser_run *run, uint32_t block, const uint32_t *events, size_t count);

/* Do all writes of a variable store the same value, *value? False if there is none. O(events). */
bool ser_has_one_value(const ser_run *run, uint32_t variable, uint64_t *value);

#endif
