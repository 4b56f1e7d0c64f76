/* SPDX-License-Identifier: MIT */
/*
 * signals.h - handlers of signals and the inside of the runtime.
 */
#ifndef SER_RUNTIME_POSIX_SIGNALS_H
#define SER_RUNTIME_POSIX_SIGNALS_H

#include "runtime/core/core.h"

/* Control comes here from deeper frames, perhaps by a jump out of a handler that met the thread
 * inside: then it is inside no longer, and waits for nothing. */
void ser_signals_arrive(void);
/* Set when a handler has run in this thread that ends the call it interrupts (no SA_RESTART). */
extern __thread bool ser_signals_interrupted;
/* The thread ends: signals that were put off go to others. */
void ser_signals_pass_on(ser_thread *me);

#endif
