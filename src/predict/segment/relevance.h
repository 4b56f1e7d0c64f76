/* SPDX-License-Identifier: MIT */
/*
 * relevance.h - the end of a segment that no violation of the block can need.
 *
 * An access of another thread may lie on a violation path only if a path out of the
 * block may reach it and one from it may come back, along conflicts and program
 * order, and if no lock that the block holds all the time keeps it out. From the
 * last such access of each thread on, events matter only as far as others need them:
 * as a fork, notify or the like, as a write that a read wants or accepts, as the release of a
 * lock that another thread acquires. What is left over is cut off. No run needs it,
 * since a thread may stop at any time.
 *
 * Cost: O(segment) a round; few rounds.
 */
#ifndef SER_PREDICT_SEGMENT_RELEVANCE_H
#define SER_PREDICT_SEGMENT_RELEVANCE_H

#include "order/order.h"
#include "predict/segment/segment.h"

/* Lowers segment->to. False if there is no access that may lie on a path: then the
 * block cannot be violated. */
bool ser_relevance_trim(const ser_order *order, uint32_t block, ser_segment *segment,
                        ser_meter *meter);

/* Lowers segment->to to what these events need to happen; with `sources` also what the reads among
 * it want. */
void ser_relevance_keep(const ser_run *run, ser_segment *segment, const uint32_t *events,
                        size_t count, bool sources, ser_meter *meter);

#endif
