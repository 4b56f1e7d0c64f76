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
/* The handlers of deferred signals run. Not inside, or asleep. */
void ser_signals_handle_deferred(ser_thread *me);
/* The thread ends: its deferred signals are sent to the process. */
void ser_signals_pass_on(ser_thread *me);

#endif
