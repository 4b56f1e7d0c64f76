/* SPDX-License-Identifier: MIT */
/*
 * holds.h - where requests are best held in their middle, so that others come in between.
 *
 * A run can hold a request after its thread has released its locks for the first time since it was
 * received, or the second, and so on (the runtime's setting `hold`). Few of these places matter:
 * those with a read of shared data before, and a write of the same data after them.
 */
#ifndef SER_SESSION_RUN_SURVEY_HOLDS_H
#define SER_SESSION_RUN_SURVEY_HOLDS_H

#include "order/run.h"

enum { SER_HOLDS = 6 }; /* unlocks after which a request is held, at most */

/* How often a thread of the run receives something from there, by the name that the recorder gives:
 * "other processes", or "socket" (record/events/outside.h, record/naming/labels.c). */
uint64_t ser_holds_received(const ser_run *run, const char *from);

/* All numbers of unlocks from 1 on, the best first: between how many reads and writes of a request
 * they are in this run. Those without any stay in their order. Expected O(events). */
void ser_holds_find(const ser_run *run, unsigned holds[SER_HOLDS]);

#endif
