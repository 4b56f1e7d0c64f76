/* SPDX-License-Identifier: MIT */
/*
 * minimise.h - the same violation with fewer events and fewer context switches.
 *
 * Two events of an interleaving depend on one another if they are of one thread or
 * act on one object in a way whose order matters. Whatever the violation path does
 * not depend on, directly or through others, can be left out; and what is left may
 * run in any order that keeps dependent events in theirs. The order chosen lets a
 * thread run on as long as it can.
 *
 * Cost: O(order * log). The result must pass the checker like any witness.
 */
#ifndef SER_WITNESS_MINIMISE_H
#define SER_WITNESS_MINIMISE_H

#include "order/run.h"

/* Replaces order by a smaller one. `needed` are the events that must stay. */
void ser_witness_minimise(const ser_run *run, ser_event_list *order, const uint32_t *needed,
                          size_t needed_count);

#endif
