/* SPDX-License-Identifier: MIT */
/*
 * watchdog.h - a thread of the runtime's own that takes the token away from
 * whoever sits on it: blocked in a call that is not interposed, or computing in
 * code that is not instrumented, while others could run.
 */
#ifndef SER_RUNTIME_WATCHDOG_H
#define SER_RUNTIME_WATCHDOG_H

/* Starts it unless it runs, is not needed (parallel mode) or cannot be exact (a kernel
 * without membarrier). */
void ser_watchdog_start(void);

#endif
