/* SPDX-License-Identifier: MIT */
/*
 * inversion.h - two locks that threads take in both orders: a deadlock that a run did not have.
 *
 * One thread takes lock B while it holds A, another one A while it holds B, and no third lock is
 * held at both places. The other order of the inner lock of the one that came first and the outer
 * lock of the other (reversal.h) is the schedule: each thread then holds what the other one wants.
 */
#ifndef SER_EXPLORE_INVERSION_H
#define SER_EXPLORE_INVERSION_H

#include "explore/reversal.h"

/* Appends a reversal of two acquires for each pair of locks that is taken in both orders; `write`
 * is the earlier one. O(events * locks held at once). */
void ser_inversions_find(const ser_run *run, ser_reversal_list *list);

#endif
