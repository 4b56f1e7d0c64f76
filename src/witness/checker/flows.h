/* SPDX-License-Identifier: MIT */
/*
 * checker/flows.h - inside of the checker: how far does a thread go behind a changed read?
 *
 * For the model `data`. Behind a read whose value is data only (SER_FLOW_DATA) the thread goes on,
 * up to the first step behind which another thread may have read what it stored without a trace:
 *   - the thread elided operations before it;
 *   - code that is not recorded ran before it in this thread, after a write;
 *   - it starts or meets another thread, and the trace elides operations;
 *   - it writes, while code of other threads runs that is not recorded.
 * The thread may not be joined if the trace elides operations, or if the thread that joins it
 * later runs code that is not recorded. Limits are found when they are asked for, by a walk through
 * the trace, and remembered.
 *
 * Memory: 5 bytes per event. Not thread-safe.
 */
#ifndef SER_WITNESS_CHECKER_FLOWS_H
#define SER_WITNESS_CHECKER_FLOWS_H

#include "trace/reads.h"
#include "trace/symbols.h"
#include "witness/checker/observed.h"

typedef struct ser_checker_flows {
    const ser_observed *observed;
    const bool *is_torn; /* by event: a read of another value than its write had */
    bool elides;         /* the trace elides operations */
    bool *away;          /* by event: its thread is in code that is not recorded */
    uint32_t *limits;    /* by event; 1: not asked for yet */
    uint8_t *own;    /* by event: only its thread uses the variable of a read; 0: not asked yet */
    uint8_t *others; /* by thread: 1 + what other threads do; 0: not asked for yet */
} ser_checker_flows;

void ser_checker_flows_init(ser_checker_flows *flows, const ser_observed *observed,
                            const bool *is_torn);
void ser_checker_flows_fini(ser_checker_flows *flows);

/* The limit (trace/reads.h) of a read in the step that ends with event `last`. */
uint32_t ser_checker_flows_limit(ser_checker_flows *flows, uint32_t read, uint32_t last);

/* Does the read-modify-write, of the step first .. last, write although it changed? */
bool ser_checker_flows_writes(ser_checker_flows *flows, uint32_t first, uint32_t last);

/* The limit of a read whose value only reaches stores, whether the trace says so or not. */
uint32_t ser_checker_flows_limit_of_data(ser_checker_flows *flows, uint32_t read, uint32_t last);

/* The limit of a read that decides something: behind the steps that its text says come first
 * ("^1"), as far as they are its thread's next events and nothing is missing before them. What is
 * written there is dirty, so that it is no later than that of data. */
uint32_t ser_checker_flows_delay(ser_checker_flows *flows, uint32_t read, const ser_symbols *texts);

#endif
