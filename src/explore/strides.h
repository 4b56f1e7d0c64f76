/* SPDX-License-Identifier: MIT */
/*
 * strides.h - where has a thread done one thing, as seen by the others?
 *
 * It gave its last lock back, or, without a lock, wrote a variable that another thread uses. If
 * threads that go through loops take turns by such strides they meet in the middle of each other's
 * rounds, again and again, which turns of equal length or at random hardly ever do.
 */
#ifndef SER_EXPLORE_STRIDES_H
#define SER_EXPLORE_STRIDES_H

#include "order/run.h"

typedef SER_VECTOR(bool) ser_variable_flags;

/* By variable: does a thread other than this one of the run use it? To be freed. O(events). */
void ser_variables_find_used(const ser_run *run, uint32_t thread, ser_variable_flags *used);

/* Appends the last event of each stride of the thread of the run. O(events). */
void ser_strides_find(const ser_run *run, uint32_t thread, ser_event_list *ends);

#endif
