/* SPDX-License-Identifier: MIT */
/*
 * draw_values.h - random values of accesses, and the writes that reads accept by them.
 *
 * Most reads have the value of the write before them. Some have none, or another one: as if a write
 * were missing.
 */
#ifndef SER_ORACLE_DRAW_VALUES_H
#define SER_ORACLE_DRAW_VALUES_H

#include "random_trace.h"
#include "trace/reads.h"
#include "trace/symbols.h"

/* Guards that distinguish zero, or one, from other values; for ser_flow_with_guards. */
enum { GUARD_OF_ZERO = 1, GUARD_OF_ONE };

void draw_values(event_list *raw, uint64_t seed);

/* Random flows (trace/event.h): of reads and updates, and skip events between others. */
void draw_flows(event_list *raw, uint64_t seed);

/* The texts of the guards that reads of draw_flows have. */
const ser_symbols *guard_symbols(void);

/* The limits of reads that are data only, and the updates that write in any case, by the words of
 * docs/algorithms/changed-reads.md (flow_limits.c). */
void limit_reads_by_flow(ser_reads *reads, const event_list *events);

/* Is it a read with another value than its write, or than an earlier read of the initial value? */
bool is_torn_read(const event_list *events, size_t read);

/* Does any access have a value? */
bool has_drawn_values(const event_list *events);

/* A read with a value accepts all writes of its variable that have the same, or one for which its
 * guards have the same results (a read-modify-write: those of the value that it has read), and the
 * initial value if a read has shown what it is and it is as
 * good; unless some read of the variable has another value than its write, or two reads differ in
 * what the initial value is. */
void make_reads_by_value(ser_reads *reads, const event_list *events);

#endif
