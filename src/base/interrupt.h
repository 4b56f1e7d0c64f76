/* SPDX-License-Identifier: MIT */
/*
 * interrupt.h - when to stop early: Ctrl-C, SIGTERM, --budget used up, or a time that was set.
 *
 * Long loops call ser_should_stop() once per batch (it reads a few variables) and then end with the
 * results so far. Signals and the budget also interrupt a read that blocks: it fails with EINTR,
 * and the caller asks before it tries again. Signals within a second of the first are duplicates of
 * it (timeout(1) sends two). A later one ends the process at once, unless ser_interrupt_forget was
 * called meanwhile.
 */
#ifndef SER_BASE_INTERRUPT_H
#define SER_BASE_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM only raise the flag. Once, by main. */
void ser_interrupt_catch(void);

/* The same as a SIGINT. For signal handlers outside of this file. */
void ser_interrupt_note(void);

/* The last Ctrl-C has been handled: what follows can be interrupted again. */
void ser_interrupt_forget(void);

/* A new command begins in the same process: signals before it are ignored. The handlers stay
 * installed. */
void ser_interrupt_reset(void);

/* Work in progress may go on for so many seconds from now, but nothing new may start:
 * ser_was_interrupted() stays true, and ser_should_stop() becomes true after that time. */
void ser_interrupt_defer(double seconds);

/* The budget of the whole command starts now. */
void ser_budget_start(double seconds);

/* Long loops stop at this time of ser_clock_now(); 0: no limit. Returns the time that held until
 * now, so that a part of the work can have a limit of its own. */
double ser_stop_at(double time);

/* The same, but never later than the limit that holds. */
double ser_stop_sooner(double time);

bool ser_interrupted(void);
bool ser_budget_exhausted(void);

/* Was there a signal since the start of the command, even if it has been handled? */
bool ser_was_interrupted(void);

/* One of the reasons to stop. */
bool ser_should_stop(void);

/* While input is awaited, the function is called, several times a second; NULL: none is. */
void ser_on_waiting(void (*call)(void *context), void *context);
void ser_waiting(void);

/* For writers of reports, once per finding: the results so far are reported even when it is time to
 * stop, but for a moment only. True once that is over. Not thread-safe. */
bool ser_should_stop_writing(void);

/* Threads that did not stop are still running and may use any memory, so the process must exit
 * without freeing anything. */
void ser_threads_abandoned(void);
bool ser_has_abandoned_threads(void);

/* For messages: "interrupted", "the budget was used up", "the time was up"; NULL for none. */
const char *ser_stop_reason(void);

#endif
