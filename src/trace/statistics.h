/* SPDX-License-Identifier: MIT */
/*
 * statistics.h - what is in a trace: how many events of which kind, threads,
 * locks, variables, blocks.
 *
 * Fed with validated and marked events, batch by batch; the counts are valid at any time. Cost:
 * O(1) per event. Memory: O(threads + locks + variables + ...).
 */
#ifndef SER_TRACE_STATISTICS_H
#define SER_TRACE_STATISTICS_H

#include "trace/event.h"

typedef struct ser_statistics ser_statistics;

typedef struct ser_counts {
    uint64_t events;                   /* all, skipped ones included */
    uint64_t operations[SER_OP_COUNT]; /* events by operation */
    uint64_t objects[SER_SPACE_COUNT]; /* distinct operands of the events, by name space */
    uint64_t threads;                  /* that have events */
    uint64_t lock_events;              /* acquires and releases, shared ones included */
    uint64_t locks;
    uint64_t accesses;
    uint64_t variables;
    uint64_t waits_and_notifies;
    uint64_t blocks;        /* outermost ones, as marked */
    uint64_t open_blocks;   /* those that have not ended */
    uint64_t longest_block; /* in events of its thread, first and last included */
    uint64_t deepest_begin; /* the most begin events a thread had open at once */
    uint64_t skipped;       /* events without effect: dropped, or `skip` in the trace */
    uint64_t elided;        /* elided operations, as counted in the trace */
} ser_counts;

ser_statistics *ser_statistics_create(void);
void ser_statistics_destroy(ser_statistics *statistics);

void ser_statistics_add(ser_statistics *statistics, const ser_event *events, size_t count);

ser_counts ser_statistics_counts(const ser_statistics *statistics);

#endif
