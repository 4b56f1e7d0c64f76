/* SPDX-License-Identifier: MIT */
/*
 * interrupt.h - when to stop early: Ctrl-C, SIGTERM, or --budget used up.
 *
 * Long loops ask ser_should_stop() once a batch (it reads one flag) and then
 * end with what they know so far. Both reasons also interrupt a read that
 * blocks: it fails with EINTR, and the caller asks before it tries again.
 * A second Ctrl-C ends the process at once, unless the first is forgotten.
 */
#ifndef SER_BASE_INTERRUPT_H
#define SER_BASE_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM only raise the flag. Once, by main. */
void ser_interrupt_catch(void);

/* The Ctrl-C that came has been obeyed: what follows can be interrupted anew. */
void ser_interrupt_forget(void);

/* The budget of the whole command starts now. */
void ser_budget_start(double seconds);

bool ser_interrupted(void);
bool ser_budget_exhausted(void);

/* One of the two. */
bool ser_should_stop(void);

/* Threads that would not stop were left behind; they may use anything until the process ends,
 * which it has to without any cleaning up. */
void ser_threads_abandoned(void);
bool ser_has_abandoned_threads(void);

/* For messages: "interrupted" or "the budget was used up"; NULL for neither. */
const char *ser_stop_reason(void);

#endif
