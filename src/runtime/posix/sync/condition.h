/* SPDX-License-Identifier: MIT */
/*
 * condition.h - condition variables, for the interfaces of POSIX and C11.
 */
#ifndef SER_RUNTIME_POSIX_SYNC_CONDITION_H
#define SER_RUNTIME_POSIX_SYNC_CONDITION_H

#include "runtime/posix/sync/sync.h"

/* Waits; deadline may be null. 0, ETIMEDOUT, or an error of the mutex. */
int ser_condition_wait(ser_thread *me, pthread_cond_t *condition, pthread_mutex_t *mutex,
                       const ser_deadline *deadline);
/* Wakes one or all. */
int ser_condition_signal(ser_thread *me, pthread_cond_t *condition, bool all);

#endif
