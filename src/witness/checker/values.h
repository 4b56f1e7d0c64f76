/* SPDX-License-Identifier: MIT */
/*
 * checker/values.h - inside of the checker: does a read get its recorded value?
 *
 * For the model `data`: a read may read from another write than in the trace if that wrote the same
 * value. For the model `guards` also if it wrote a value for which the guards of the read have the
 * same results. Everything is computed from the events alone: the initial value is what was read
 * before the first write, for `guards` also what the text of that says; and if a read had another
 * value than the write it read from, the trace lacks a write, and only the observed writes count
 * for that variable. The same holds where an address was stored twice, and in between memory was
 * freed, or something was elided or not seen that may have freed some: the two may be addresses of
 * different objects.
 *
 * Memory: 11 bytes per variable, 1 byte per event. Read-only once found.
 */
#ifndef SER_WITNESS_CHECKER_VALUES_H
#define SER_WITNESS_CHECKER_VALUES_H

#include "trace/symbols.h"
#include "witness/checker/observed.h"

typedef struct ser_checker_values {
    const ser_observed *observed;
    const ser_symbols *guards; /* NULL: only equal values count */
    /* by variable */
    uint64_t *initial;
    bool *is_known; /* the initial value is */
    bool *is_torn;  /* the trace lacks a write of it, or an address in it was used again */
    bool *is_written;
    /* by event */
    bool *differs; /* a read of another value than its write had */
} ser_checker_values;

void ser_checker_values_init(ser_checker_values *values, const ser_observed *observed,
                             const ser_symbols *guards);
void ser_checker_values_fini(ser_checker_values *values);

/* Would the read, an event that only reads, have seen the same value by that write (0: none), or
 * one that its guards do not distinguish from it? */
bool ser_checker_values_accept(const ser_checker_values *values, uint32_t read, uint32_t write);

/* Is the value as good for the read as the one it had: equal, or not distinguished by its guards?
 */
bool ser_checker_values_as_good(const ser_checker_values *values, uint32_t read, uint64_t value);

/* What a variable holds after a write that wrote its recorded value (0: before all writes); false
 * if the trace does not say. */
bool ser_checker_values_find(const ser_checker_values *values, uint32_t variable, uint32_t write,
                             uint64_t *value);

#endif
