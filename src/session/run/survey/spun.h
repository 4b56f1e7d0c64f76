/* SPDX-License-Identifier: MIT */
/*
 * spun.h - variables that synchronise threads, though they are not atomic.
 *
 * A thread waits in a loop until another one has written them (SER_FLOW_SPINS): Peterson's flags
 * and turn. In C that is a data race, but its steps are meant to be interleaved, and order what
 * comes before and after them.
 */
#ifndef SER_SESSION_RUN_SURVEY_SPUN_H
#define SER_SESSION_RUN_SURVEY_SPUN_H

#include "order/run.h"

/* By variable: does a function with such a loop read it, so that a branch depends on it? To be
 * freed. O(events). */
bool *ser_spun_find(const ser_run *run);

#endif
