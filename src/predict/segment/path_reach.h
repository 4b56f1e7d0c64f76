/* SPDX-License-Identifier: MIT */
/*
 * path_reach.h - which accesses of other threads may lie on a violation path.
 *
 * An over-approximation: accesses that a path out of the block may reach and from
 * which one may come back, along conflicts and program order. All of it happens while
 * the block is under way. So an access made under a lock that the block holds from
 * its first access that meets a path to its last is on no path, and program order
 * carries no path over an acquire of such a lock.
 */
#ifndef SER_PREDICT_SEGMENT_PATH_REACH_H
#define SER_PREDICT_SEGMENT_PATH_REACH_H

#include "order/order.h"
#include "predict/segment/segment.h"

/* For each thread, into last[]: the eid of its last access in the segment that may
 * lie on a path; 0 if there is none. Returns the last access of the block at which a
 * path may return, 0 if there is no path. */
uint32_t ser_path_reach(const ser_order *order, uint32_t block, const ser_segment *segment,
                        uint32_t *last, ser_meter *meter);

#endif
