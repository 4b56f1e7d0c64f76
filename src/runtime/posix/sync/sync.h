/* SPDX-License-Identifier: MIT */
/*
 * sync.h - what the interposed functions of synchronisation have in common.
 */
#ifndef SER_RUNTIME_POSIX_SYNC_SYNC_H
#define SER_RUNTIME_POSIX_SYNC_SYNC_H

#include "runtime/core/turns/objects.h"
#include "runtime/posix/real.h"

/* ser_enter_sync, but null if the object belongs to the unwinder (unwinder.c). */
ser_thread *ser_enter_object_recorded(const void *object);
static inline ser_thread *ser_enter_object(const void *object)
{
    return ser_is_off ? 0 : ser_enter_object_recorded(object);
}
void ser_unwinder_find(void);

/* The system call, with its arguments; an error is negative (futex.c). */
long ser_futex(const long *a);

/* For functions with a time-out; 0, or EINVAL if the time makes no sense. */
int ser_deadline_read(ser_deadline *deadline, clockid_t clock, const struct timespec *time);

/* mutex.c, for conditions and C11. `deadline` may be null. */
int ser_mutex_lock(ser_thread *me, pthread_mutex_t *mutex, const ser_deadline *deadline);
int ser_mutex_try(ser_thread *me, pthread_mutex_t *mutex);
int ser_mutex_unlock(ser_thread *me, pthread_mutex_t *mutex);
/* At the end of a thread: records that it loses the robust mutexes it still holds, some at a time:
 * after the first `done` of them. Returns how many are done; as many as before: all. */
uint32_t ser_mutex_abandon(ser_thread *me, uint32_t done);

/* meetings.c: all have arrived at a barrier, the last of them this thread: what each of them did
 * before happens before what each does next. */
void ser_barrier_join_clocks(ser_thread *me, const ser_runtime_object *object);

/* rescue.c: has the program signal handlers that could post a semaphore? */
bool ser_has_handlers(void);
/* May a handler end any wait, called by a signal that comes without another process? */
bool ser_signal_may_rescue(void);

#endif
