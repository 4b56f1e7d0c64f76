/* SPDX-License-Identifier: MIT */
/*
 * unseen.h - inside of survey.h: objects of libraries that are not instrumented, which threads may
 * wait for each other at.
 *
 * How they do it is not seen. If several threads come to an object, all calls that get it are a
 * chain in the trace: they keep their order in every reordering, as for locks that are handed over
 * (record/memory/handovers.h). That may hide an interleaving, and invents none. There is no need
 * for it where all of them hold a lock that is seen: then that one orders them.
 *
 * Operations that the library calls "lock" and "unlock" are recorded as such, and are no meetings.
 * Memory O(objects and locks held). Expected O(1) an operation, times the locks held. Not
 * thread-safe.
 */
#ifndef SER_RECORD_EVENTS_UNSEEN_H
#define SER_RECORD_EVENTS_UNSEEN_H

#include "base/pairmap.h"
#include "base/vector.h"
#include "contract/channel.h"
#include "record/memory/memory.h"
#include "trace/event.h"

/* By object and offset. */
typedef struct ser_unseen_place {
    uint64_t object, offset;
} ser_unseen_place;

typedef SER_VECTOR(ser_unseen_place) ser_unseen_places;

typedef struct ser_unseen_object {
    uint16_t thread;          /* that came first */
    bool is_shared;           /* others came */
    bool is_met;              /* and not only to lock and to unlock it */
    ser_unseen_places guards; /* locks that were held each time */
} ser_unseen_object;

typedef struct ser_unseen {
    ser_pairmap numbers; /* (object id, offset) to the place in objects, plus one */
    SER_VECTOR(ser_unseen_object) objects;
    SER_VECTOR(ser_unseen_places) held; /* by thread */
    uint32_t threads;                   /* created and not joined; none: nobody meets anybody */
    bool is_any_met;
} ser_unseen;

void ser_unseen_fini(ser_unseen *unseen);

/* First pass: a thread is created or joined; an operation on a lock; a record SER_RAW_MEETS. */
void ser_unseen_count(ser_unseen *unseen, ser_op op);
void ser_unseen_lock(ser_unseen *unseen, const ser_memory_object *object, uint64_t offset,
                     const ser_record *record);
void ser_unseen_meet(ser_unseen *unseen, const ser_memory_object *object, uint64_t offset,
                     uint16_t thread);

/* Second pass. */
bool ser_unseen_is_chain(const ser_unseen *unseen, const ser_memory_object *object,
                         uint64_t offset);

#endif
