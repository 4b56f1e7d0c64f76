/* SPDX-License-Identifier: MIT */
/*
 * fork_order.h - which events must come before which because threads are started and joined.
 *
 * Memory: a clock for each thread and join. Read-only once made.
 */
#ifndef SER_PREDICT_TRIPLES_FORK_ORDER_H
#define SER_PREDICT_TRIPLES_FORK_ORDER_H

#include "order/run.h"

/* From an event of its thread on, so many events of each thread come before. */
typedef struct ser_fork_clock {
    uint32_t eid;
    uint32_t *counts; /* by thread */
} ser_fork_clock;

typedef struct ser_fork_order {
    const ser_run *run;
    SER_VECTOR(ser_fork_clock) * clocks; /* by thread, rising */
} ser_fork_order;

/* O(events, and threads for each fork and join). */
void ser_fork_order_init(ser_fork_order *order, const ser_run *run);
void ser_fork_order_fini(ser_fork_order *order);

/* Does a, an event of another thread than b, come before b in every run? */
bool ser_fork_order_precedes(const ser_fork_order *order, uint32_t a, uint32_t b);

#endif
