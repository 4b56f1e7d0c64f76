/* SPDX-License-Identifier: MIT */
/*
 * threads.h - threads of the program: known from the start of their Thread object on.
 */
#ifndef SER_JAVA_AGENT_THREADS_H
#define SER_JAVA_AGENT_THREADS_H

#include "java/agent/agent.h"

/* A thread of the program, from the start of its Thread object on. Never freed. */
typedef struct ser_java_thread {
    uint32_t identity; /* 0: free */
    uint32_t permit;   /* of LockSupport.park */
    ser_thread *thread;
    bool interruptible; /* it waits, and an interrupt ends that */
    uint64_t until;     /* it is parked until then, in nanoseconds; 0: for ever */
} ser_java_thread;

/* The calling thread's; null: it is not recorded. */
extern __thread ser_java_thread *ser_java_own;

/* The thread whose Thread object has that identity; null: it is not recorded. */
ser_java_thread *ser_java_thread_find(uint32_t identity);

/* The thread that starts the machine becomes T0. */
void ser_java_thread_first(void);
/* Its Thread object has that identity. */
void ser_java_thread_name_first(JNIEnv *env, jobject thread, uint32_t identity);
/* A thread of the machine begins and ends, in itself. */
void ser_java_thread_begins(JNIEnv *env, jobject thread);
void ser_java_thread_ends(void);

/* Is the calling thread? Asked with the token, so that no interrupt of a recorded thread comes
 * between the question and the wait: the thread may have got the token only now. */
bool ser_java_is_interrupted(void);
/* Waits for an object, at most so long (0: for ever), until it is woken, or the thread is
 * interrupted: the caller looks. Inside, with the token. `spurious` as in ser_runtime_wait. */
ser_wakening ser_java_wait(ser_thread *me, ser_kind kind, const void *address, jlong nanoseconds,
                           bool spurious);

#endif
