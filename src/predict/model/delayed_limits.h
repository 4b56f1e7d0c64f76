/* SPDX-License-Identifier: MIT */
/*
 * delayed_limits.h - a thread may go on before anything depends on what it has read.
 *
 * "^2;..." (contract/guards.def): whatever the read gets, its thread next makes two steps that
 * write, or acquire or release a lock, with any reads between them. So the limit of the read is
 * behind these, as far as they are its thread's next steps and nothing was elided before them. What
 * it writes is dirty there, so the limit is at most that of a read whose value is only stored
 * (data_limits.h).
 */
#ifndef SER_PREDICT_MODEL_DELAYED_LIMITS_H
#define SER_PREDICT_MODEL_DELAYED_LIMITS_H

#include "order/run.h"

/* The limit of a read that decides something; SER_LIMIT_NEXT if it is the next step. `as_data`: the
 * limit that it would have if its value were only stored. O(events up to there). */
uint32_t ser_delayed_limit(const ser_run *run, uint32_t read, uint32_t as_data);

/* Sets it for all reads that have the next step as their limit. `torn`: as of data_limits.h. */
void ser_delayed_limits_set(ser_reads *reads, const ser_run *run, const bool *torn);

#endif
