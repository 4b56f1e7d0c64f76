/* SPDX-License-Identifier: MIT */
/*
 * data_limits.h - how far a thread goes on after a changed read whose value is data only.
 *
 * According to the compiler (SER_FLOW_DATA) no step of the thread depends on the value itself. But
 * what the thread stores from then on is dirty, and may be read by accesses that are not in the
 * trace:
 *   - an elided access, of the thread itself, or of one that it starts, that joins it, or
 *     that it meets at a barrier (docs/algorithms/elision.md: reads-from edges need no rule,
 *     since the other read changes, too);
 *   - code that is not recorded (outside_calls.h), of the thread itself or of others.
 * The limit is the first step that might come after such a read.
 */
#ifndef SER_PREDICT_MODEL_DATA_LIMITS_H
#define SER_PREDICT_MODEL_DATA_LIMITS_H

#include "order/run.h"

/* Sets limits of reads with SER_FLOW_DATA, and which read-modify-writes write in any case.
 * Reads in `torn` (by event) got another value than their write had: they stay as they are.
 * O(events). */
void ser_data_limits_set(ser_reads *reads, const ser_run *run, const bool *torn);

/* The limits that reads have if their values only reach stores, whether the trace says so or not:
 * limits[event]. O(events). */
void ser_data_limits_list(uint32_t *limits, const ser_run *run, const bool *torn);

#endif
