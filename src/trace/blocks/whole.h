/* SPDX-License-Identifier: MIT */
/*
 * whole.h - threads' first functions that are several critical sections in a row: blocks of last
 * resort.
 *
 *     std::thread mover([&] { thing = take(left); put(right, thing); });
 *
 * What a thread does is seldom meant to be atomic as a whole, and if it is, nothing in the code
 * says so. But nothing smaller can be violated here: all data that the call shares with others is
 * protected, each section by its own lock (the lock with which it begins is held wherever any
 * thread accesses its data while others run). So the call takes nothing's place as a block. It
 * forks, joins and waits for nothing, comes to no lock twice (it has no loop), and a function that
 * it calls has one section at most (one with several is a block itself). Semaphores that are used
 * as locks are given as locks (ser_semaphore_as_lock). Nor does a later section take back what an
 * earlier one has changed: who enters and leaves means to be seen in between.
 *
 * One pass over the validated trace, then the answers by position. Expected O(locks held) per
 * event; memory: O(variables + locks + accesses in such calls, up to a limit).
 */
#ifndef SER_TRACE_BLOCKS_WHOLE_H
#define SER_TRACE_BLOCKS_WHOLE_H

#include "trace/event.h"

typedef struct ser_whole ser_whole;

ser_whole *ser_whole_create(void);
void ser_whole_destroy(ser_whole *whole);

/* The next event. `is_shared`: it accesses what several threads access, and not only read; `acts`:
 * a block that acts upon what it has read ends here (checks.h), which is meant before this one. */
void ser_whole_see(ser_whole *whole, const ser_event *event, bool is_shared, bool acts);

/* After all events; then: is there any such call, and does one begin at a position (from 0)? */
void ser_whole_finish(ser_whole *whole);
bool ser_whole_any(const ser_whole *whole);
bool ser_whole_begins(const ser_whole *whole, uint64_t position);

#endif
