/* SPDX-License-Identifier: MIT */
/*
 * missed.h - wake-ups that come too early: a deadlock that a run did not have.
 *
 *     T1: lock; while (!stop) wait(c);        T2: stop = true; notify_all(c);
 *
 * A thread looks at something with a lock held, and then waits for a condition with that lock. Who
 * changes what it looked at, and wakes it, both without the lock, may do so in between: nobody
 * wakes it then. The other order of the release and the notify (reversal.h) is the schedule.
 */
#ifndef SER_EXPLORE_MISSED_H
#define SER_EXPLORE_MISSED_H

#include "explore/reversal.h"

/* Appends a reversal of the release at which a thread begins to wait (`write`), and of the notify
 * of another one (`read`), for each pair of such places. O(reads of waiters' sections * events). */
void ser_missed_wake_ups_find(const ser_run *run, ser_reversal_list *list);

#endif
