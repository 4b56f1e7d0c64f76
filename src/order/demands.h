/* SPDX-License-Identifier: MIT */
/*
 * demands.h - which writes must have happened because reads have limits (trace/reads.h).
 *
 * In the model avp the source of a read must come before it: else its thread stops there. A read
 * that may change orders nothing by itself. But if it accepts no other write, its source must
 * have happened before the step that is its limit, or before its thread is joined: a step *demands*
 * the sources of the reads whose limit it is. A dirty source counts as another write and
 * happened all the same.
 *
 * Memory: a byte per event, and 8 bytes per demand. Read-only once made.
 */
#ifndef SER_ORDER_DEMANDS_H
#define SER_ORDER_DEMANDS_H

#include "base/idmap.h"
#include "order/run.h"

typedef struct ser_demand {
    uint32_t source;
    uint32_t next; /* 1 + index of the next one of the same step or thread; 0: none */
} ser_demand;

/* All zero: none, as in avp. */
typedef struct ser_demands {
    SER_VECTOR(bool) loose;       /* by event: a read that is not ordered after its couple */
    ser_idmap at;                 /* first event of a step -> 1 + index of its first demand */
    SER_VECTOR(uint32_t) at_ends; /* the same of the ends of threads */
    SER_VECTOR(ser_demand) all;
} ser_demands;

/* All zero if the run has no rules for reads. O(events). */
void ser_demands_init(ser_demands *demands, const ser_run *run);
void ser_demands_fini(ser_demands *demands);

/* Must the event come after its couple, unless it is broken? In the model avp all reads must. */
static inline bool ser_demands_keep_couple(const ser_demands *demands, uint32_t event)
{
    return !demands->loose.count || !demands->loose.items[event];
}

/* The first of the demands of a step, named by its first event, or of a thread's end: 1 + its
 * index; 0 if there is none. */
static inline uint32_t ser_demands_of_step(const ser_demands *demands, uint32_t first)
{
    return demands->at.count ? ser_idmap_get(&demands->at, first, 0) : 0;
}

static inline uint32_t ser_demands_of_end(const ser_demands *demands, uint32_t thread)
{
    return thread < demands->at_ends.count ? demands->at_ends.items[thread] : 0;
}

#endif
