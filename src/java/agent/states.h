/* SPDX-License-Identifier: MIT */
/*
 * states.h - what a program sees that looks at its own threads while they wait.
 *
 * They wait in the runtime, so that for the machine they run native code. Programs ask all the
 * same: tests wait until `thread.getState() == WAITING`, and servers look for deadlocks by
 * ThreadMXBean. Thread.getState reads a field of the Thread object, which is set here. For
 * deadlocks the machine looks at real monitors: when the program asks, threads that wait for each
 * other for ever enter the real ones. For the runtime they still wait for the virtual ones.
 */
#ifndef SER_JAVA_AGENT_STATES_H
#define SER_JAVA_AGENT_STATES_H

#include "java/agent/agent.h"

/* The machine is initialised. */
void ser_java_states_start(JNIEnv *env);

/* The calling thread is going to wait: for a monitor, in Object.wait, in a sleep or parked, as
 * JVMTI_THREAD_STATE_* say; and it goes on. With the token. */
void ser_java_state_waits(jint how, bool timed);
void ser_java_state_runs(void);

/* How the calling thread must wait for ser_java_self.monitor: for ser_runtime_wait.stays. */
typedef void ser_java_stay(void);
ser_java_stay *ser_java_state_stay(const ser_thread *me);

#endif
