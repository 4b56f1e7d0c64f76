/* SPDX-License-Identifier: MIT */
/*
 * conflict.h - the relation on which the definition rests, pair by pair.
 *
 * Two events conflict if they are of one thread, or a fork and the child's
 * events, or the child's events and its join, or accesses of one variable that
 * are not both reads, or a release and a later acquire of one lock unless both
 * are shared, or a notify and what its waiter does after the wake-up, or an
 * arrival and a departure of one round of a barrier, or a post and the take it
 * served, or a failed try-acquire with the acquires that held the lock and with
 * the next release. Inner (re-entrant) acquires and releases are not meant.
 */
#ifndef SER_ORACLE_CONFLICT_H
#define SER_ORACLE_CONFLICT_H

#include "facts.h"

/* Do the events conflict? The first one is the earlier. */
bool events_conflict(const facts *f, size_t earlier, size_t later);

#endif
