/* SPDX-License-Identifier: MIT */
/*
 * delayed_limits.h - a thread may release locks before anything depends on what it has read.
 *
 * "^1;..." (contract/guards.def): whatever the read gets, its thread releases a lock next. So the
 * limit of the read is behind that release, if that is the thread's next step, and nothing was
 * elided before it.
 */
#ifndef SER_PREDICT_MODEL_DELAYED_LIMITS_H
#define SER_PREDICT_MODEL_DELAYED_LIMITS_H

#include "order/run.h"

/* The limit of a read that decides something; SER_LIMIT_NEXT if it is the next step. O(events up to
 * there). */
uint32_t ser_delayed_limit(const ser_run *run, uint32_t read);

/* Sets it for all reads that have the next step as their limit. */
void ser_delayed_limits_set(ser_reads *reads, const ser_run *run);

#endif
