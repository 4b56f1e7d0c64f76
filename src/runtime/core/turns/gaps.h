/* SPDX-License-Identifier: MIT */
/*
 * gaps.h - operations that the replayed run has elided, as the channel names them (ser_gap).
 *
 * Under ser_runtime_world.lock, but for the beginning.
 */
#ifndef SER_RUNTIME_CORE_TURNS_GAPS_H
#define SER_RUNTIME_CORE_TURNS_GAPS_H

#include "runtime/core/core.h"

/* Looks for them; once, at the start, without the lock. There are none where every step is looked
 * at. */
void ser_gaps_find(void);

/* The end of the gap that a thread is in that has made so many steps, which only grow, as a number
 * of steps; 0: it is in none. */
uint64_t ser_gaps_end(uint32_t thread, uint64_t steps);

/* How many steps it makes before the next one, at least 1. */
uint64_t ser_gaps_next(uint32_t thread, uint64_t steps);

#endif
