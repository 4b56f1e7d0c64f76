/* SPDX-License-Identifier: MIT */
/*
 * thread.h - starting, ending and joining threads, whatever interface asks for it.
 */
#ifndef SER_RUNTIME_POSIX_THREAD_H
#define SER_RUNTIME_POSIX_THREAD_H

#include "runtime/posix/sync/sync.h"

/* Registers the calling thread, whose creation was not seen. */
ser_thread *ser_thread_adopt(void);
/* Registers the calling thread, and starts the runtime if need be. False: it, or this process,
 * is not recorded. */
bool ser_thread_meet(void);
/* The key whose destructor is the end of a thread. Once, at the start. */
void ser_thread_key(void);
/* Memory, number and records of a thread that has a ser_thread: from inside itself. */
void ser_thread_begin(ser_thread *me);
/* All that the calling thread has done is recorded, and it does nothing more. */
void ser_thread_finish(void);
/* The calling thread comes back from elsewhere (elsewhere.h), for the first time perhaps. */
void ser_thread_helped(ser_thread *me);
/* pthread_create, recorded; the thread is inside. */
int ser_thread_spawn(ser_thread *me, pthread_t *handle, const pthread_attr_t *attributes,
                     void *(*start)(void *), void *argument);
/* joins.c: the thread can be joined, or no longer. With the token, or ser_runtime_world.objects. */
void ser_joinable_add(ser_thread *thread);
void ser_joinable_remove(ser_thread *thread);
/* Waits for the end of the thread and joins it: 0, or an error as pthread_join's. */
int ser_thread_join(ser_thread *me, pthread_t handle, void **result, const ser_deadline *deadline);
/* Stores a result where the program wants it, in place of the C library: recorded as a write of
 * the caller. The thread is not inside. */
void ser_store_result(void *address, uint64_t value, uint32_t size);

/* Where the thread's next interposed call would be. */
typedef struct ser_call_place {
    uint32_t at;
    uint64_t code;
} ser_call_place;

/* Around calls of the C library that may allocate. A malloc of the program's own may take locks
 * there, wait for other threads and lose its turn: that must not happen inside. */
ser_call_place ser_step_out(ser_thread *me);
void ser_step_in(ser_thread *me, ser_call_place kept);

#endif
