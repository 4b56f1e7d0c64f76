/* SPDX-License-Identifier: MIT */
/*
 * asleep.h - what the kernel says about the threads of this process: do they sleep for ever?
 *
 * For threads that wait where the runtime does not see it: in futexes that other processes may
 * use, too, in libraries that make the system call themselves, in threads that are not ours.
 */
#ifndef SER_RUNTIME_CORE_TURNS_ASLEEP_H
#define SER_RUNTIME_CORE_TURNS_ASLEEP_H

#include "runtime/core/core.h"

/* Calls visit for each thread of the process but the one that calls, until it returns false.
 * False then, or if the threads cannot be listed. */
bool ser_tasks_visit(bool (*visit)(uint32_t tid, void *context), void *context);

/* Does the thread sleep in a futex without a time-out, that no other process can wake? Then
 * *word is the futex. */
bool ser_sleeps_for_ever(uint32_t tid, uint64_t *word);

/* How often the thread has gone to sleep; UINT64_MAX if it is not known. */
uint64_t ser_task_sleeps(uint32_t tid);

/* Is the thread in the kernel because of that futex? Not if it runs, or is about to. */
bool ser_sleeps_on(uint32_t tid, const uint32_t *word);

/* Has the thread ended, though its process lists it? The first one stays until the last ends. */
bool ser_task_is_over(uint32_t tid);

#endif
