/* SPDX-License-Identifier: MIT */
/*
 * anew.h - a block that does the same thing several times.
 *
 * A function may call another one in a loop, which looks at shared data, changes it, and is over.
 * What a call has seen is of no use for the next one, which looks itself: others may come in
 * between.
 */
#ifndef SER_SESSION_RUN_JUDGE_ANEW_H
#define SER_SESSION_RUN_JUDGE_ANEW_H

#include "order/run.h"

/* The events show the violation of a block. Is the last one a look at what the first has written,
 * or the same look as the first, in a later call of the same function, and did the earlier call
 * write what was looked at? A function that only reads is no operation of its own: its caller acts
 * upon what it returns. O(events of the thread). */
bool ser_looks_anew(const ser_run *run, uint32_t block, const uint32_t *events, size_t count);

#endif
