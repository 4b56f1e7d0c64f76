/* SPDX-License-Identifier: MIT */
/*
 * owned.h - locks of libraries whose own state says nothing: who holds them is known here.
 *
 * A thread that owns a lock takes the library's, too, which is free then, unless threads that are
 * not recorded use it. All functions are called inside (ser_enter_sync).
 */
#ifndef SER_RUNTIME_POSIX_SYNC_OWNED_H
#define SER_RUNTIME_POSIX_SYNC_OWNED_H

#include "runtime/posix/sync/sync.h"

/* Waits until the thread owns the lock, and records that. `nests`: it may own it already. */
void ser_owned_acquire(ser_thread *me, const void *lock, bool nests);
/* The same without waiting; a failure is recorded, too. */
bool ser_owned_try(ser_thread *me, const void *lock, bool nests);
/* One of those that wait gets it next. */
void ser_owned_release(ser_thread *me, const void *lock);

#endif
