/* SPDX-License-Identifier: MIT */
/*
 * sharpen.h - a witness that stops the thread which comes between at once.
 *
 * Of the interleavings that violate a block, prediction prefers one in which threads read what they
 * have read in the recorded run: whatever comes between two accesses of the block does all of its
 * work there, and what it took from a store is back again. The program then does what it always
 * does. If the other thread stops after its first critical section that changes the data, the block
 * meets the state in between.
 */
#ifndef SER_SESSION_RUN_EVIDENCE_SHARPEN_H
#define SER_SESSION_RUN_EVIDENCE_SHARPEN_H

#include "order/run.h"
#include "predict/predict.h"

/* Gives a violation such a witness, where there is one that the checker accepts. O(events). */
void ser_sharpen(const ser_run *run, ser_block_result *result);

#endif
