/* SPDX-License-Identifier: MIT */
/*
 * awaited.h - a loop that other threads end is a wait, where a block lets others in.
 *
 * A thread that waits by asking again and again may do something in each round: wake others, give
 * a lock back, look at the time. What tells it from a loop that works is that all its rounds do the
 * same: they access the same variables at the same places, while the variable that is asked for is
 * never written by the block itself. A loop over elements accesses other ones each time, and one
 * that takes things from a store writes what it asks for.
 */
#ifndef SER_SESSION_RUN_JUDGE_WAITS_AWAITED_H
#define SER_SESSION_RUN_JUDGE_WAITS_AWAITED_H

#include "order/run.h"

/* Does such a loop come around between two events of the block with that first event, the later one
 * included? O(events of the block, squared for those at one place). */
bool ser_waits_in_loop(const ser_run *run, uint32_t begin, uint32_t from, uint32_t to);

/* Is the read at a place where threads wait in such a loop, in this run or in `first` (or NULL)? A
 * thread that finds at once what it waits for has no loop to be seen: had the other thread not come
 * before, it would have waited there. O(events). */
bool ser_is_awaited(const ser_run *run, uint32_t read, const ser_run *first);

/* Is the read one of a loop that only asks: does a branch depend on it, and does its thread do the
 * same once more, with nothing between but reads, of what nobody writes then, that it has made
 * before, or that come before it waits for a condition? O(events). */
bool ser_is_idle_look(const ser_run *run, uint32_t access);

#endif
