/* SPDX-License-Identifier: MIT */
/*
 * minimise.h - the same violation with fewer events and fewer context switches.
 *
 * Whatever the violation path does not need, directly or indirectly, is removed: an event needs the
 * earlier events of its thread, the write that it read from, its fork and the like. What is left
 * may run in any order that keeps dependent events in theirs (of one thread, or on one object in a
 * way whose order matters). The order chosen lets a thread run on as long as it can.
 *
 * Cost: O(order * log), and some tenths of a second at most beyond that: what takes longer is left
 * as it is. The result must pass the checker like any witness.
 */
#ifndef SER_WITNESS_MINIMISE_H
#define SER_WITNESS_MINIMISE_H

#include "order/run.h"

/* Replaces order by a smaller one. `needed` are the events that must stay. With `spares_changes`
 * a changed read (trace/reads.h) does not keep the write that changed it, so that fewer reads may
 * be changed: then the result need not be a witness. */
void ser_witness_minimise(const ser_run *run, ser_event_list *order, const uint32_t *needed,
                          size_t needed_count, bool spares_changes);

#endif
