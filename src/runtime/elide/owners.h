/* SPDX-License-Identifier: MIT */
/*
 * owners.h - parallel mode: lines of memory that one thread has for itself.
 *
 * To lock a line costs more than the access. So a line (64 bytes) belongs to the first thread that
 * accesses it, and as long as no other thread accesses it, that thread elides accesses without any
 * lock (elision.h). Another thread that comes takes it from its owner:
 *
 *     the other thread                              the owner
 *     owner of the line = MOVING                    inside = ALONE
 *     membarrier                                    read the owner of the line: mine?
 *     wait until the owner is not ALONE             ...
 *     raise the clock of the line
 *     owner of the line = the other thread
 *
 * As with the token (docs/runtime.md), either the owner's `inside` is seen, or the owner sees that
 * the line is no longer its own. The owner waits for nothing while it is ALONE. The line, and the
 * other thread, get the owner's clock: what comes next is later than all that the owner did.
 *
 * The barrier is expensive. So a line that was taken six times is common from then on: every thread
 * locks it. And the more lines of a page have been taken, the more are taken at once: of a buffer
 * that is handed on, all of them in a few steps; of a stack with one shared variable, a line or
 * two. Memory that cannot be written has no owner, and is frozen (frozen.h). New memory has no
 * owner; and a common line of which one thread made the last accesses, of all its words, is that
 * thread's after a while.
 */
#ifndef SER_RUNTIME_ELIDE_OWNERS_H
#define SER_RUNTIME_ELIDE_OWNERS_H

#include "runtime/elide/elision.h"

/* A line has an owner, by its tag, which is 1 and more, or one of these; and above it stands how
 * often the line was taken from one. */
enum {
    SER_LINE_NOBODYS = 0,
    SER_LINE_OWNERS = 500, /* threads that can have lines; from here on it is moving, to that one
                              or, the first sign, to one that cannot */
    SER_LINE_FROZEN = 0x3fe,
    SER_LINE_COMMON = 0x3ff,
    SER_LINE_OWNER = 0x3ff, /* the bits of the owner */
    SER_LINE_TAKEN = 0x400, /* once */
};

/* Locks the one or two lines of an access of at most a line's size, which are the thread's own,
 * common, or frozen if it only reads, then: a thread that takes a line from its owner locks it
 * meanwhile, and so it stays as it is until it is unlocked. The thread has no line locked. */
void ser_owners_lock(ser_thread *me, const void *address, size_t size, bool writes);

/* For frozen.c: takes a line from its owner; false if it has another owner by now. */
bool ser_owners_begin_move(const ser_thread *me, uint16_t *line, uint16_t owner);
/* The line belongs to `owner` from now on, unless it became new memory in the meantime. */
void ser_owners_end_move(const ser_thread *me, uint16_t *line, uint16_t owner);
/* Between them, after a barrier: until a former owner has left the access in which it is alone. */
void ser_owners_await(const ser_thread *owner);

/* An access was elided in a common line, which the thread has locked. */
void ser_owners_settle(const ser_thread *me, uintptr_t address);

/* Before such an access: is that to be done? After as many as cost a taking. */
static inline bool ser_owners_may_settle(const ser_thread *me)
{
    enum { AFTER = 256 };
    return ser_stamp_operation(me->stamp) % AFTER == 0;
}

/* May the thread lock the line of one address? To be asked again once it has. A line without an
 * owner is not open, not even to a thread without a tag: the next thread would become its owner. */
static inline bool ser_line_is_open(const ser_thread *me, uintptr_t address, bool writes)
{
    const volatile uint16_t *line = ser_owner_at(address);
    uint16_t owner = line ? *line & SER_LINE_OWNER : SER_LINE_NOBODYS;
    if (owner == SER_LINE_NOBODYS)
        return false;
    return owner == SER_LINE_COMMON || owner == me->owner_tag ||
           (owner == SER_LINE_FROZEN && !writes);
}

/* All threads use the line, of an address in a leaf: they lock it. To be asked again once it is
 * locked. */
static inline bool ser_line_in_is_common(ser_word *leaf, uintptr_t address)
{
    uint16_t line = __atomic_load_n(ser_owner_in(leaf, address), __ATOMIC_ACQUIRE);
    return (line & SER_LINE_OWNER) == SER_LINE_COMMON;
}

static inline bool ser_line_is_common(uintptr_t address)
{
    ser_word *leaf = ser_leaf_at(address);
    return leaf && ser_line_in_is_common(leaf, address);
}

/* Everybody may read the line, of an address in a leaf. `inside` is ALONE, or it is to be asked
 * again when it is. */
static SER_ALWAYS_INLINE bool ser_line_in_is_frozen(ser_word *leaf, uintptr_t address)
{
    uint16_t line = __atomic_load_n(ser_owner_in(leaf, address), __ATOMIC_RELAXED);
    return (line & SER_LINE_OWNER) == SER_LINE_FROZEN;
}

/* The same of the one or two lines of an access of at most a line's size. */
static inline bool ser_lines_are_frozen(uintptr_t address, size_t size)
{
    ser_word *first = ser_leaf_at(address), *last = ser_leaf_at(address + size - 1);
    return first && last && ser_line_in_is_frozen(first, address) &&
           ser_line_in_is_frozen(last, address + size - 1);
}

/* The lines of an access of at most a line's size are the thread's own. Its `inside` is ALONE: so
 * they stay so until it is not. */
static SER_ALWAYS_INLINE bool ser_lines_are_own(const ser_thread *me, uintptr_t address,
                                                size_t size)
{
    enum { LINE = 1 << SER_OWNED_BITS };
    const volatile uint16_t *line = ser_owner_at(address);
    if (!line || !me->owner_tag || (*line & SER_LINE_OWNER) != me->owner_tag)
        return false;
    if (ser_likely(address % LINE + size <= LINE))
        return true;
    line = ser_owner_at(address + size - 1);
    return line && (*line & SER_LINE_OWNER) == me->owner_tag;
}

/* The same of one line, of an address in a leaf; where lines have no owners, of any. */
static SER_ALWAYS_INLINE bool ser_line_is_own(const ser_thread *me, ser_word *leaf,
                                              uintptr_t address)
{
    uint16_t line = __atomic_load_n(ser_owner_in(leaf, address), __ATOMIC_RELAXED);
    return me->eliding == SER_INSIDE || (line & SER_LINE_OWNER) == me->owner_tag;
}

#endif
