/* SPDX-License-Identifier: MIT */
/*
 * trial_runs.h - a few runs that often show a violation at once.
 *
 * The observed order is one. The others let the block run to one of its accesses,
 * then other threads for a while, then the block again; where and how long is random
 * but the same each time for the same task.
 */
#ifndef SER_PREDICT_STATES_TRIAL_RUNS_H
#define SER_PREDICT_STATES_TRIAL_RUNS_H

#include "predict/search.h"
#include "predict/states/world.h"

/* True if one of them violates the block: the world is then in that state. Else it
 * is in its first state again. Adds to *runs how many there were. */
bool ser_trial_runs(ser_world *world, const ser_search_options *options, uint64_t *runs);

#endif
