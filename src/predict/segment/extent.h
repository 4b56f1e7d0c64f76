/* SPDX-License-Identifier: MIT */
/*
 * extent.h - how many events lie between the frontiers, for all blocks at once.
 *
 * The size of N (tas.h) is reported for every block, also for those that are settled
 * without it. One by one, frontiers cost a binary search a thread and block; here one
 * pass over the run, from its end, finds them all.
 *
 * Cost: as for the partial order graph. Memory: 4 bytes per event, and clocks that are given
 * back once no edge needs them.
 */
#ifndef SER_PREDICT_SEGMENT_EXTENT_H
#define SER_PREDICT_SEGMENT_EXTENT_H

#include "order/order.h"

/* By block; 0 for one without accesses. To be freed. NULL if the run has more than 2^31 events,
 * or multi-variable accesses, which are not supported here; or if the meter, which may be NULL,
 * was over. */
uint64_t *ser_extent_of_blocks(const ser_order *order, ser_meter *meter);

#endif
