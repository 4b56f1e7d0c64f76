/* SPDX-License-Identifier: MIT */
/*
 * protection.h - which locks are held wherever a variable is accessed while threads share it?
 *
 * As in Eraser: the locks held at each access are intersected. What a thread does while no other
 * one runs does not count, and a variable that its owner has not touched since it started another
 * thread, or that belonged to a thread which was joined, is handed over without a lock.
 *
 * Expected O(locks held) per event.
 */
#ifndef SER_TRACE_BLOCKS_PROTECTION_H
#define SER_TRACE_BLOCKS_PROTECTION_H

#include "base/vector.h"
#include "trace/event.h"

enum { SER_PROTECTION_LOCKS = 4 }; /* that are kept of a variable; further ones are ignored */

typedef SER_VECTOR(uint32_t) ser_held_locks;

typedef struct ser_protected_variable {
    uint32_t owner;  /* the thread that had it last, + 1; 0: none did */
    bool is_shared;  /* several threads had it, without being handed over */
    bool is_settled; /* the locks are known */
    uint8_t count;
    uint32_t locks[SER_PROTECTION_LOCKS];
    uint64_t last; /* access, by position */
} ser_protected_variable;

typedef struct ser_protected_thread {
    uint32_t parent; /* + 1; 0: unknown */
    uint64_t fork;   /* its position */
    uint32_t joiner; /* + 1; 0: it was not joined */
    ser_held_locks held;
} ser_protected_thread;

typedef struct ser_protection {
    uint64_t position, running; /* threads that were forked and not joined */
    SER_VECTOR(ser_protected_thread) threads;
    SER_VECTOR(ser_protected_variable) variables;
} ser_protection;

void ser_protection_fini(ser_protection *protection);

/* The next event of the validated trace. */
void ser_protection_see(ser_protection *protection, const ser_event *event);

/* After all events: is the variable of one thread at a time, or is the lock always held? */
bool ser_protection_has(const ser_protection *protection, uint32_t variable, uint32_t lock);

#endif
