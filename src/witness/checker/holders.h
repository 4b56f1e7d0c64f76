/* SPDX-License-Identifier: MIT */
/*
 * checker/holders.h - inside of the checker: which acquires hold a lock.
 *
 * An all-zero one is free and valid; the caller frees `shared`. Not thread-safe.
 */
#ifndef SER_WITNESS_CHECKER_HOLDERS_H
#define SER_WITNESS_CHECKER_HOLDERS_H

#include "witness/checker/observed.h"

typedef struct ser_lock_holders {
    uint32_t exclusive;       /* the acquire; 0: none */
    ser_event_numbers shared; /* the acquires, the latest one last; at most one per thread */
} ser_lock_holders;

/* What the event of the lock does to it. False: it acquires and releases nothing, as a failed try.
 * O(1); shared releases O(shared holders). */
bool ser_lock_holders_change(ser_lock_holders *lock, const ser_event *events, uint32_t number);

/* Does this acquire hold the lock? O(shared holders). */
bool ser_lock_holders_have(const ser_lock_holders *lock, uint32_t acquire);

#endif
