/* SPDX-License-Identifier: MIT */
/*
 * origin.h - which violation must happen before another one can (bugs/follows.h)?
 */
#ifndef SER_SESSION_RUN_JUDGE_ORIGIN_H
#define SER_SESSION_RUN_JUDGE_ORIGIN_H

#include "bugs/bugs.h"

/* Looks in the run of a replay that shows the bug, by the last event of the path that shows it, for
 * another one of the list that is complete then, and notes it: the block may be violated in both.
 * If a recorded run has one of both it may be there by chance: then the other one must be about a
 * lock that the program makes itself, and that two threads hold at once. O(blocks x events) at
 * worst. */
void ser_bug_find_origin(ser_bug *bug, const ser_bugs *bugs, const ser_run *replay, uint32_t shown);

/* Is code of the bug violated in the run as it was recorded, in the bug's variables? The same cost.
 */
bool ser_bug_is_in(const ser_bug *bug, const ser_run *run);

#endif
