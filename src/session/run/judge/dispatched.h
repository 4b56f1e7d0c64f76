/* SPDX-License-Identifier: MIT */
/*
 * dispatched.h - functions that call what others have registered.
 *
 * An event loop, or a pool of threads, takes one piece of work after the other and calls its
 * function through a pointer. Each of these functions is an operation of its own. What two of them
 * do, or one of them and the loop around it, is not meant to be atomic.
 */
#ifndef SER_SESSION_RUN_JUDGE_DISPATCHED_H
#define SER_SESSION_RUN_JUDGE_DISPATCHED_H

#include "order/run.h"

/* Two events of one thread. Are they of different operations that a dispatcher calls at one place,
 * or is one of them of the dispatcher itself? Two calls of one round, at different places, belong
 * together: a->balance(), and a->withdraw(). O(events of the thread). */
bool ser_are_dispatched(const ser_run *run, uint32_t first, uint32_t last);

#endif
