/* SPDX-License-Identifier: MIT */
/*
 * held_locks.h - which locks are held at the accesses that show a violation.
 *
 * Events are those of a run. O(locks held at them, multiplied).
 */
#ifndef SER_REPORT_DOSSIER_HELD_LOCKS_H
#define SER_REPORT_DOSSIER_HELD_LOCKS_H

#include "order/run.h"

/* The acquire of the lock that the event's thread holds at the event; 0: it does not hold it. */
uint32_t ser_acquire_held(const ser_run *run, uint32_t event, uint32_t lock);

/* The innermost lock held at the event that is held at `also`, too (0: any); SER_NO_OBJECT: none.
 */
uint32_t ser_lock_at(const ser_run *run, uint32_t event, uint32_t also);

/* One that is held at all three, each time perhaps anew; SER_NO_OBJECT: none. */
uint32_t ser_lock_of_all(const ser_run *run, uint32_t one, uint32_t other, uint32_t third);

/* One that is held from the first to the second, without a release; SER_NO_OBJECT: none. */
uint32_t ser_lock_throughout(const ser_run *run, uint32_t from, uint32_t to);

#endif
