/* SPDX-License-Identifier: MIT */
/*
 * start.h - the runtime in a program that is linked with it.
 */
#ifndef SER_RUNTIME_POSIX_START_H
#define SER_RUNTIME_POSIX_START_H

#include "runtime/core/core.h"

/* Attaches to the channel if there is one; cheap when done before. */
void ser_start(void);
/* In a new process that is a copy of this one: nothing is recorded there. */
void ser_stop_in_child(void);

/* There is a channel: prepares all that is interposed, and makes the first thread known. */
void ser_started(void);

/* heap.c: does the program, or what was loaded before us, have a malloc of its own? */
bool ser_heap_is_foreign(void);

/* stack.c: where the initial thread's stack may be. Size 0 if that is not known. */
void ser_stack_of_process(uintptr_t *lowest, size_t *size);

#endif
