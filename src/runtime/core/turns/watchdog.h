/* SPDX-License-Identifier: MIT */
/*
 * watchdog.h - a thread of the runtime's own. It takes the token from a thread that keeps it
 * (blocked in a call that is not interposed, or computing in code that is not instrumented) while
 * others could run, and it detects deadlocks.
 */
#ifndef SER_RUNTIME_CORE_TURNS_WATCHDOG_H
#define SER_RUNTIME_CORE_TURNS_WATCHDOG_H

/* Starts it unless it runs. It does not steal in parallel mode, nor if that could not be exact
 * (a kernel without membarrier). */
void ser_watchdog_start(void);

/* pause.c: does what the recorder wants (channel.h, `pause`). The watchdog calls it. */
void ser_pause_look(void);

#endif
