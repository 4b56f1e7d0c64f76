/* SPDX-License-Identifier: MIT */
/*
 * freed.h - which events of a run can happen again, although memory was used after it was freed.
 *
 * An access of a freed variable is undefined behaviour: what its thread did next in the observed
 * run proves nothing about another one, so it is the thread's last step. Whatever needs more of
 * that thread (a join of it, the take of a post that it did not get to) cannot happen either, nor
 * what comes after that in its own thread.
 *
 * That an access may come behind a free that was observed after it is another matter, for what
 * executes interleavings.
 */
#ifndef SER_ORDER_FREED_H
#define SER_ORDER_FREED_H

#include "order/run.h"

/* Sets `possible` of each thread. O(events). */
void ser_freed_find(ser_run *run);

#endif
