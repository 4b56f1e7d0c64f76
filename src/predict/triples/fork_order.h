/* SPDX-License-Identifier: MIT */
/*
 * fork_order.h - which events must come before which because threads are started and joined.
 *
 * Memory: a clock for each thread and join, which share what they have in common. Read-only once
 * made.
 */
#ifndef SER_PREDICT_TRIPLES_FORK_ORDER_H
#define SER_PREDICT_TRIPLES_FORK_ORDER_H

#include "order/clock_tree.h"
#include "order/run.h"

/* From an event of its thread on, so many events of each thread come before: a clock. */
typedef struct ser_fork_clock {
    uint32_t eid, clock;
} ser_fork_clock;

typedef struct ser_fork_order {
    const ser_run *run;
    ser_clock_trees trees;
    SER_VECTOR(ser_fork_clock) * clocks; /* by thread, rising */
} ser_fork_order;

/* O(events + (forks and joins) * log threads), but for joins of threads that have learnt much from
 * different ones. */
void ser_fork_order_init(ser_fork_order *order, const ser_run *run);
void ser_fork_order_fini(ser_fork_order *order);

/* Does a, an event of another thread than b, come before b in every run? */
bool ser_fork_order_precedes(const ser_fork_order *order, uint32_t a, uint32_t b);

#endif
