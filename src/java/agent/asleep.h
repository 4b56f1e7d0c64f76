/* SPDX-License-Identifier: MIT */
/*
 * asleep.h - why a thread of the machine sleeps in the kernel, as the machine's own structures say.
 *
 * A thread that waits for the collector, for a class that is being loaded, or for the first sign of
 * life of a thread that it has started goes on by itself, however long a busy machine takes: it
 * keeps the token, so that the same seed gives the same run. One that waits for another thread, or
 * for something outside, must give it up.
 */
#ifndef SER_JAVA_AGENT_ASLEEP_H
#define SER_JAVA_AGENT_ASLEEP_H

#include "java/agent/agent.h"

/* Finds the machine's own description of its structures; without it every thread that sleeps
 * counts as one that waits for others. */
void ser_java_asleep_start(void);
/* The thread, which has not ended, sleeps: does it wait for the machine alone? */
bool ser_java_awaits_machine(const ser_thread *thread);
/* Does the thread wait for a real monitor? True if that is not known. */
bool ser_java_enters_monitor(const ser_thread *thread);

#endif
