/* SPDX-License-Identifier: MIT */
/*
 * interrupt.h - when to stop early: Ctrl-C, SIGTERM, --budget used up, or a time that was set.
 *
 * Long loops ask ser_should_stop() once a batch (it reads a few variables) and then
 * end with what they know so far. Signals and the budget also interrupt a read that
 * blocks: it fails with EINTR, and the caller asks before it tries again.
 * Signals that come within a second of the first mean the same (timeout(1) sends two); a later
 * one ends the process at once, unless the first is forgotten.
 */
#ifndef SER_BASE_INTERRUPT_H
#define SER_BASE_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM only raise the flag. Once, by main. */
void ser_interrupt_catch(void);

/* As if SIGINT had come. For signal handlers of others. */
void ser_interrupt_note(void);

/* The Ctrl-C that came has been obeyed: what follows can be interrupted anew. */
void ser_interrupt_forget(void);

/* A new command begins, in a process that goes on: signals before it do not concern it. The
 * handlers stay as they are. */
void ser_interrupt_reset(void);

/* What has been begun may be finished, within so many seconds from now; nothing new is begun:
 * ser_was_interrupted() stays true, and ser_should_stop() will be. */
void ser_interrupt_defer(double seconds);

/* The budget of the whole command starts now. */
void ser_budget_start(double seconds);

/* Long loops are to stop at this time of ser_clock_now(); 0: at none. */
void ser_stop_at(double time);

bool ser_interrupted(void);
bool ser_budget_exhausted(void);

/* Was there a signal since the start of the command, even one that was forgotten? */
bool ser_was_interrupted(void);

/* One of the reasons to stop. */
bool ser_should_stop(void);

/* Threads that would not stop were left behind; they may use anything until the process ends,
 * which it has to without any cleaning up. */
void ser_threads_abandoned(void);
bool ser_has_abandoned_threads(void);

/* For messages: "interrupted", "the budget was used up", "the time was up"; NULL for none. */
const char *ser_stop_reason(void);

#endif
