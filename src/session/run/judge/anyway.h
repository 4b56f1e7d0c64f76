/* SPDX-License-Identifier: MIT */
/*
 * anyway.h - does a thread write, whatever the value that it has looked at before?
 *
 * "Take a buffer from the pool, or make one if there is none; use it; put it back" looks at the
 * pool and changes it later. What it saw has decided something, but not whether to put the
 * buffer back. The run itself tells, or the first one, if the same code has met both cases.
 */
#ifndef SER_SESSION_RUN_JUDGE_ANYWAY_H
#define SER_SESSION_RUN_JUDGE_ANYWAY_H

#include "order/run.h"

/* Of events of a run: was the same place read elsewhere, there or in the first run of the program
 * (NULL: there is none), with a value of the other kind (zero or not, or one for which the guards
 * of the read have other results), and did that thread come to the same write all the same? False
 * of a value that is stored itself. O(events). */
bool ser_run_writes_anyway(const ser_run *run, const ser_run *first, uint32_t read, uint32_t write);

/* A place of the run, as another run numbers it; SER_NO_SITE: it does not come there. O(places). */
uint32_t ser_same_site(const ser_run *other, const ser_run *run, uint32_t site);

#endif
