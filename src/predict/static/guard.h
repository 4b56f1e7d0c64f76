/* SPDX-License-Identifier: MIT */
/*
 * guard.h - for every variable: which threads access it, and which lock they nearly always hold.
 *
 * Most blocks are settled by facts about the whole run, which are found once: a variable is used by
 * one thread only, or never written, or guarded by a lock. The few accesses made without the lock
 * are listed, so that a block needs to look at these alone. Accesses of transactions that come
 * before all events of other threads, or after them (outer.h), do not count: no block of another
 * thread can meet them.
 *
 * Cost: two passes over the run. Memory: 32 bytes per variable. Read-only once created.
 */
#ifndef SER_PREDICT_STATIC_GUARD_H
#define SER_PREDICT_STATIC_GUARD_H

#include "base/meter.h"
#include "order/run.h"
#include "predict/static/outer.h"

#define SER_GUARD_NOBODY  UINT32_MAX
#define SER_GUARD_SEVERAL (UINT32_MAX - 1)

typedef struct ser_guard {
    uint32_t readers, writers; /* a thread, or SER_GUARD_*; an rmw is a write */
    uint32_t lock;             /* SER_NO_OBJECT: none */
    /* Are there accesses under the lock's reader side? */
    bool shared_reads, shared_writes;
    uint32_t exceptions; /* accesses without the lock: first of a list, 0 ends it */
} ser_guard;

typedef struct ser_guard_exception {
    uint32_t event, next;
} ser_guard_exception;

typedef struct ser_lock_guards {
    SER_VECTOR(ser_guard) variables; /* those without accesses may be missing at the end */
    SER_VECTOR(ser_guard_exception) exceptions; /* exceptions.items[0] is unused */
} ser_lock_guards;

/* Incomplete if the meter, which may be NULL, was over. */
ser_lock_guards *ser_guards_create(const ser_run *run, const ser_outer *outer, ser_meter *meter);
void ser_guards_destroy(ser_lock_guards *guards);

/* Are there conflicts on the variable? Not if it is never written, or used by one thread only. */
static inline bool ser_guard_is_contested(const ser_guard *guard)
{
    return guard->writers != SER_GUARD_NOBODY &&
           (guard->writers == SER_GUARD_SEVERAL ||
            (guard->readers != guard->writers && guard->readers != SER_GUARD_NOBODY));
}

#endif
