/* SPDX-License-Identifier: MIT */
/*
 * guard_bounds.h - rules for reads that let happen all that can happen where values are computed,
 * and perhaps more.
 *
 * In the model `guards` a thread may write another value than in the trace: an expression over what
 * it has read (contract/guards.def). Which value that is depends on the run. Here every read
 * accepts every such write, and of the others those that its guards accept; one with guards over
 * several reads accepts all. So if nothing violates a block by these rules, nothing does in the
 * model; and what does is for the checker, which computes the values, to judge.
 */
#ifndef SER_PREDICT_MODEL_GUARD_BOUNDS_H
#define SER_PREDICT_MODEL_GUARD_BOUNDS_H

#include "predict/model/value_facts.h"

/* Does a text of the trace name a read? If none does, the rules of `guards` are exact. */
bool ser_guard_bounds_are_needed(const ser_run *run);

/* Adds to the rules of `guards`. O(reads * writes of a variable), once for equal reads; where that
 * becomes too much, reads accept all writes. */
void ser_guard_bounds_set(ser_reads *reads, const ser_run *run, const ser_value_facts *facts);

#endif
