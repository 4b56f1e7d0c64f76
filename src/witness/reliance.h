/* SPDX-License-Identifier: MIT */
/*
 * reliance.h - does a witness rely on an atomic operation that does not write?
 *
 * By the definition a read-modify-write that reads a different write does not write, and neither
 * does a compare-exchange that failed in the trace, where it is a read. Really each may have
 * written. Nothing is lost by that as long as nobody depends on it. But a thread that reads the
 * variable afterwards, before anything else is stored there, and then goes on, may have read
 * another value than the definition says: the witness is one by the definition, but it is not
 * certain that the program can do it.
 */
#ifndef SER_WITNESS_RELIANCE_H
#define SER_WITNESS_RELIANCE_H

#include "order/run.h"
#include "witness/checker.h"

/* The operation that a later step of the order relies on; 0: none. The facts are those of the
 * order, by the model that it is a witness of. O(order). */
uint32_t ser_witness_relies_on(const ser_run *run, const uint32_t *order, size_t count,
                               const ser_witness_facts *facts);

#endif
