/* SPDX-License-Identifier: MIT */
/*
 * signals.h - inside of program.h: signals while a program is recorded.
 *
 * Those that are sent to the recorder go on to the program; those of the terminal reach it anyway.
 * SIGCHLD ends the recorder's wait for records. One program at a time.
 */
#ifndef SER_RECORD_CAPTURE_PROGRAM_SIGNALS_H
#define SER_RECORD_CAPTURE_PROGRAM_SIGNALS_H

#include <signal.h>
#include <sys/types.h>

#include "contract/channel.h"

/* From here on they are caught, and held back until ser_signals_forward. `mask` gets what was held
 * back before. interruptible: those that ask to end also stop seriatim (interrupt.h). */
void ser_signals_hold(ser_channel *channel, bool interruptible, sigset_t *mask);

/* In the new process, before it becomes the program: as if nothing had been done about them. */
void ser_signals_reset(const sigset_t *mask);

/* They go on to this process; not positive: to none. */
void ser_signals_forward(pid_t process, const sigset_t *mask);

/* The process has ended: waits for a second signal that means the same as the first, and then
 * does what was done before. */
void ser_signals_end(void);

/* The same at once: there is no process. */
void ser_signals_release(void);

#endif
