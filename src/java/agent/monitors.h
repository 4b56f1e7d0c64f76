/* SPDX-License-Identifier: MIT */
/*
 * monitors.h - locks that a thread can take again, in the core's table of objects.
 *
 * The virtual lock of a monitor is taken before the real one and given back after it, so that
 * no thread ever waits for a real one. `runner` of the table's object has it, `count` how
 * often. All functions are called inside, with the token.
 */
#ifndef SER_JAVA_AGENT_MONITORS_H
#define SER_JAVA_AGENT_MONITORS_H

#include "java/agent/agent.h"

/* The machine is initialised. False: it lacks what is needed, and an exception is pending. */
bool ser_monitors_start(JNIEnv *env);

/* Waits until the thread has the lock. */
void ser_monitor_take(ser_thread *me, uint64_t lock);
/* Does nothing if the thread has not got it. */
void ser_monitor_give(ser_thread *me, uint64_t lock);
/* Does no other thread hold it? */
bool ser_monitor_is_free(const ser_thread *me, uint64_t lock);
/* How often the thread has it. */
uint32_t ser_monitor_depth(const ser_thread *me, uint64_t lock);
/* Waits until no other thread has it. */
void ser_monitor_await_free(ser_thread *me, uint64_t lock);

#endif
