/* SPDX-License-Identifier: MIT */
/*
 * races.h - variables that threads of a run access without any order between them: data races.
 *
 * Two accesses race if they conflict, one of them is a write that is not atomic, and nothing orders
 * them: no program order, fork or join, release and later acquire of a lock, barrier, semaphore, or
 * atomic write and the atomic read of it. Only the last accesses of each thread are compared, so
 * that a race may be missed; none is invented.
 */
#ifndef SER_SESSION_RUN_SURVEY_RACES_H
#define SER_SESSION_RUN_SURVEY_RACES_H

#include "order/run.h"

/* By variable: is there a race on it? To be freed. With very many threads: all have one. `spun`: by
 * variable, those that are taken for atomic ones (spun.h); NULL: none. O(events * threads). */
bool *ser_races_find(const ser_run *run, const bool *spun);

/* Would writes of the variable race if none of its accesses were atomic? If not, something else
 * keeps writers apart: a lock, perhaps one that the program makes itself. Readers may do without
 * it, and look again. The same cost. */
bool ser_writes_race_without(const ser_run *run, uint32_t variable);

#endif
