/* SPDX-License-Identifier: MIT */
/*
 * threads.h - threads of the program: known from the start of their Thread object on.
 */
#ifndef SER_JAVA_AGENT_THREADS_H
#define SER_JAVA_AGENT_THREADS_H

#include "java/agent/agent.h"

/* The thread that starts the machine becomes T0. */
void ser_java_thread_first(void);
/* Its Thread object has that identity. */
void ser_java_thread_name_first(JNIEnv *env, jobject thread, uint32_t identity);
/* A thread of the machine begins and ends, in itself. */
void ser_java_thread_begins(JNIEnv *env, jobject thread);
void ser_java_thread_ends(void);

/* Waits for an object, at most so long (0: for ever), until it is woken, or the thread is
 * interrupted: the caller looks. Inside, with the token. `spurious` as in ser_runtime_wait. */
ser_wakening ser_java_wait(ser_thread *me, ser_kind kind, const void *address, jlong nanoseconds,
                           bool spurious);

#endif
