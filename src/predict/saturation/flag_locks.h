/* SPDX-License-Identifier: MIT */
/*
 * flag_locks.h - variables that are used as locks.
 *
 *     lock(m); while (busy) wait(c, m); busy = 1; unlock(m);  ...  busy = 0;
 *
 * A variable is one if each thread's writes of it are by turns a taking and a giving back, the
 * first one a taking; if directly before each taking its thread reads the variable, goes no further
 * if that read is broken, and accepts no taking there; and if each taking, with that read, is in a
 * section of one lock. Then a thread that has taken it gives it back before another takes it. (If
 * not: look at the first taking while another thread has the variable. The read before it saw no
 * taking, so it saw a giving back since that of the other thread, by a third one, which had the
 * variable at the same time, and earlier; or the other one's taking came between the read and this
 * one, which the lock does not allow.)
 */
#ifndef SER_PREDICT_SATURATION_FLAG_LOCKS_H
#define SER_PREDICT_SATURATION_FLAG_LOCKS_H

#include "predict/saturation/sections.h"

/* Adds a section from each taking to its giving back, with the number of locks plus that of the
 * variable for a lock. The sections must be those of the task's locks. O(steps, and accesses of
 * such variables times sections and takings). */
void ser_flag_locks_add(ser_sections *sections, const ser_must *must);

#endif
