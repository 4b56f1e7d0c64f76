/* SPDX-License-Identifier: MIT */
/*
 * cancel.h - cancellation of threads.
 *
 * The C library has the state of cancellation; the runtime asks it by pthread_testcancel, never
 * inside. `cancelled` says that pthread_cancel was called since the thread last asked; it is
 * written with the token or ser_runtime_world.objects, and by the thread itself.
 */
#ifndef SER_RUNTIME_POSIX_CANCEL_H
#define SER_RUNTIME_POSIX_CANCEL_H

#include "runtime/posix/sync/sync.h"

/* The thread begins; from inside itself. */
void ser_cancel_begin(ser_thread *me);
/* A place where the thread may be cancelled: it ends here if it was, else it is inside again.
 * True: it was not inside in the meantime, and the state of objects may have changed. */
bool ser_cancel_point(ser_thread *me);
/* The same for a thread that may be cancelled at any place and enters the runtime. */
void ser_cancel_at_entry(ser_thread *me);
/* May the thread be cancelled now, says the C library? */
bool ser_cancel_is_enabled(void);
/* Called now and then by the watchdog: ends threads that may be cancelled at any place, were
 * cancelled, and did not enter the runtime since. */
void ser_cancel_look(void);
/* In a forked child: cancellation is left to the C library alone. */
void ser_cancel_hand_back(ser_thread *me);

#endif
