/* SPDX-License-Identifier: MIT */
/*
 * tas.h - the trace atomicity segment of a block (Sinha et al. 2011, section III),
 * made exact for locks, waits and contested events.
 *
 * Let u0 and u-infinity be the block's first and last access, P what must happen
 * before u0 (above the upper frontier), N what is neither in P nor below the lower
 * frontier. A thread's part of N ends before its first event that must happen after
 * u-infinity; that event still belongs to it if it is a read that only its reads-from edge puts
 * there, for it may happen early, broken. Not all of P can be taken as done: X is the smallest part
 * of P such that, with Z = N + X, an event p is in X if
 *   (a) something in X must happen before p;
 *   (b) p writes x, and an event of Z observed before p accesses x;
 *   (c) p writes x, Z has a read r coupled with p and a write e of x, and neither p
 *       nor r must happen before e;
 *   (d) p is a wait, the last event of its thread that is not in X, and Z has a wait or notify
 *       on the same condition, or a step that ends a wait on it;
 *   (e) p acquires a lock, and its release is in X;
 *   (f) p acquires a lock that is not released in P, and another thread's acquire of
 *       it is in Z, or in P and observed later.
 * Where reads may change (trace/reads.h), p is in X also if
 *   (g) p reads, and the write that it is coupled with is not in the start: it would change there;
 *   (h) p writes x, Z has a read that accepts p, an earlier write or the initial value, and x is
 *       written more than once.
 * The segment is Z; P without X is its start, in which no read changes. Where the trace has failed
 * tries, X is all of P.
 */
#ifndef SER_PREDICT_SEGMENT_TAS_H
#define SER_PREDICT_SEGMENT_TAS_H

#include "order/index.h"
#include "order/order.h"
#include "predict/segment/segment.h"

/* N alone, of a block with at least one access. Cost: O(threads * log events). Like all results
 * below it is invalid if the meter, which may be NULL, was over. */
ser_segment *ser_tas_frontiers(const ser_order *order, uint32_t block, ser_meter *meter);

/* Makes a segment that holds N, or less (relevance.h), exact above: lowers its `from`
 * by X. Cost: O(segment * log events). */
void ser_tas_grow(const ser_order *order, const ser_index *index, uint32_t block,
                  ser_segment *segment, ser_meter *meter);

/* Makes a segment right above that begins anywhere: its start, which must hold whatever is
 * before its events in the order, can happen as observed, and leaves behind what reads of the
 * segment that are coupled with it want. Lowers its `from` by the rules (a), (b), (e), (f), and
 * for waits that would be in the way of a notify: not exact, but sound. False if it takes more
 * than `most` events: the segment is then invalid. O(most * log events). */
bool ser_tas_mend(const ser_order *order, const ser_index *index, ser_segment *segment,
                  uint64_t most, ser_meter *meter);

#endif
