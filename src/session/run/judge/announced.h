/* SPDX-License-Identifier: MIT */
/*
 * announced.h - a value that a block writes and takes back.
 *
 * "flag = 1; ...; flag = 0;" tells others that a thread wants to enter, or is inside (Dekker,
 * Peterson). If the block was atomic nobody would ever see the 1, and nobody would have written
 * it: it is meant to be seen in between.
 */
#ifndef SER_SESSION_RUN_JUDGE_ANNOUNCED_H
#define SER_SESSION_RUN_JUDGE_ANNOUNCED_H

#include "order/run.h"

/* The events show a violation of the block. Are they accesses of a single variable, to which the
 * block first writes a constant (or anything, if atomically), and at last what was there before,
 * while others only read it? Values are needed. O(events). */
bool ser_is_announced(const ser_run *run, uint32_t block, const uint32_t *events, size_t count);

#endif
