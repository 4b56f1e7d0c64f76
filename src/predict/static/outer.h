/* SPDX-License-Identifier: MIT */
/*
 * outer.h - which transactions come before, or after, all events of other threads.
 *
 * What a main thread does before it forks and after it has joined. That holds in every
 * run, also in those where a read happens early, broken: only forks are asked for what
 * comes before, and what comes after starts one event later than the order says.
 */
#ifndef SER_PREDICT_STATIC_OUTER_H
#define SER_PREDICT_STATIC_OUTER_H

#include "order/order.h"

typedef struct ser_outer {
    uint32_t *before_all; /* of each thread: events up to this eid come before all of others */
    uint32_t *after_all;  /* and from this one on after them */
} ser_outer;

/* Cost: O(threads * log threads * log events). */
ser_outer ser_outer_of(const ser_order *order);

/* By forks and joins alone: what the first thread does before it forks, and after it has joined
 * all others, itself or by those that it joined. O(events). */
ser_outer ser_outer_by_forks(const ser_run *run);
void ser_outer_fini(ser_outer *outer);

/* Are the events of a thread from one eid to another before or after those of other threads? */
static inline bool ser_outer_has(const ser_outer *outer, uint32_t thread, uint32_t first,
                                 uint32_t last)
{
    return last <= outer->before_all[thread] || first >= outer->after_all[thread];
}

bool ser_outer_holds_block(const ser_outer *outer, const ser_run *run, uint32_t block);

/* Are all events of its transaction, the block it is in or itself alone, before or after
 * those of other threads? */
static inline bool ser_outer_holds(const ser_outer *outer, const ser_run *run, uint32_t event)
{
    uint32_t thread = run->events[event].thread, eid = run->eid[event];
    if (!ser_outer_has(outer, thread, eid, eid))
        return false;
    return !run->block_of[event] || ser_outer_holds_block(outer, run, run->block_of[event] - 1);
}

#endif
