/* SPDX-License-Identifier: MIT */
/*
 * signals.h - keeps signal handlers from running inside the runtime.
 */
#ifndef SER_RUNTIME_POSIX_SIGNALS_H
#define SER_RUNTIME_POSIX_SIGNALS_H

#include "runtime/core/core.h"

/* Control arrives from deeper frames, perhaps by a jump out of a handler that interrupted the
 * thread inside: then it is no longer inside, and waits for nothing. */
void ser_signals_arrive(void);
/* Set when a handler has run in this thread that ends the call it interrupts (no SA_RESTART). */
extern __thread bool ser_signals_interrupted;
/* The thread ends: its deferred signals are sent to the process. */
void ser_signals_pass_on(ser_thread *me);

#endif
