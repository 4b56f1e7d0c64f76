/* SPDX-License-Identifier: MIT */
/*
 * handovers.h - inside of survey.h: locks that are not used as locks.
 *
 * A mutex may be unlocked by a thread that did not lock it. Then it is a signal from one thread to
 * another rather than a critical section, and as a lock its trace would break the rules of locks
 * (trace/validate/rules.h). So does a lock that is initialised again while it is held, or unlocked
 * twice, or held by code that is not recorded. All operations on such a lock become a chain in the
 * trace: a semaphore that each of them takes and posts again, in the order in which they happened,
 * so that in every reordering each operation finds the lock in the recorded state. That is known
 * only after the whole run: the survey finds these locks, and the second pass asks for them.
 *
 * A lock is known by its object and the offset in it; whatever happened in one of its lives counts
 * for all. Memory O(locks). Expected O(1) an operation. Not thread-safe.
 */
#ifndef SER_RECORD_MEMORY_HANDOVERS_H
#define SER_RECORD_MEMORY_HANDOVERS_H

#include "base/pairmap.h"
#include "base/vector.h"
#include "record/memory/objects.h"
#include "trace/event.h"
#include "trace/validate/rules.h"

typedef struct ser_used_lock {
    uint32_t life;    /* its number in the rules: another one for each life */
    bool handed_over; /* a rule was broken */
} ser_used_lock;

typedef struct ser_handovers {
    ser_pairmap numbers; /* (object id, offset) to the place in locks, plus one */
    SER_VECTOR(ser_used_lock) locks;
    ser_lock_rules *rules; /* NULL until there is a lock */
    uint32_t lives;
    uint32_t count; /* locks that were handed over */
} ser_handovers;

void ser_handovers_fini(ser_handovers *handovers);

/* First pass: an operation on a lock, at an offset of the object. */
void ser_handovers_add(ser_handovers *handovers, const ser_memory_object *object, uint64_t offset,
                       const ser_record *record);

/* First pass: a lock at this place, if there is one, begins a new life. */
void ser_handovers_renew(ser_handovers *handovers, const ser_memory_object *object,
                         uint64_t offset);

/* Second pass: is the lock a chain? */
bool ser_handovers_has(const ser_handovers *handovers, const ser_memory_object *object,
                       uint64_t offset);

#endif
