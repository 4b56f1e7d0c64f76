/* SPDX-License-Identifier: MIT */
/* probe.h - a quick look for violations close to the observed run. */
#ifndef SER_PREDICT_DPOR_PROBE_H
#define SER_PREDICT_DPOR_PROBE_H

#include "predict/search.h"

/*
 * Repeats the observed run and, before each access of the block that others can conflict
 * with, keeps the block's thread waiting for a while and lets the others go on. True if a
 * violation (of the path criterion) was found; it is in answer->order then. Adds to
 * answer->explored the number of runs looked at. Ends early when it must stop.
 *
 * Cost: steps a few dozen times as many as the task has, and O(threads) for each.
 */
bool ser_probe(const ser_task *task, const ser_search_options *options, ser_answer *answer);

#endif
