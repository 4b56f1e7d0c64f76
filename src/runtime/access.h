/* SPDX-License-Identifier: MIT */
/*
 * access.h - performing one access and recording it, the general way.
 *
 * An access of up to 16 bytes, plain or atomic, described by a small structure: the
 * slow path of abi.h's functions, and the way of the rarer ones. It takes the token
 * (or the lock of the line), performs, records, and gives it back.
 */
#ifndef SER_RUNTIME_ACCESS_H
#define SER_RUNTIME_ACCESS_H

#include "runtime/lines.h"
#include "runtime/owners.h"

typedef enum ser_access_kind {
    SER_ACCESS_LOAD,
    SER_ACCESS_STORE,
    SER_ACCESS_ATOMIC_LOAD,
    SER_ACCESS_ATOMIC_STORE,
    SER_ACCESS_RMW, /* 16 bytes: exchange only */
    SER_ACCESS_COMPARE_EXCHANGE,
} ser_access_kind;

typedef union ser_value {
    uint64_t word;
    unsigned char bytes[16];
    unsigned __int128 wide;
} ser_value;

typedef struct ser_access {
    ser_access_kind kind;
    uint32_t size; /* 1 to 16 for plain accesses, else 1, 2, 4, 8 or 16 */
    uint32_t rmw;  /* which, as abi.h numbers them */
    uint64_t code; /* the place, if there is no site: a code address */
    void *address;
    ser_value value;    /* in: what to store, or the operand */
    ser_value expected; /* in, of a compare-exchange */
    ser_value old;      /* out: what was read */
} ser_access;

/* Performs, and records if this thread records. */
void ser_access_do(ser_access *access, ser_abi_site *site);

/* Nobody else can be at the same word. */
static SER_ALWAYS_INLINE bool ser_access_is_alone(const ser_thread *me, uintptr_t address,
                                                  size_t size)
{
    return me->hiding == SER_INSIDE || ser_lines_are_own(me, address, size);
}

/* Begins a plain access that may be left out without a lock: the thread is inside, and in parallel
 * mode the lines are its own. Of the two limits one is 0. */
static SER_ALWAYS_INLINE bool ser_access_begin_alone(ser_thread *me, uintptr_t address, size_t size)
{
    if (ser_unlikely(me->inside))
        return false;
    me->inside = me->hiding;
    ser_compiler_barrier();
    if (ser_likely(ser_position(me) < (me->limit | me->line_limit) && !me->keeping &&
                   ser_access_is_alone(me, address, size)))
        return true;
    ser_leave(me);
    return false;
}

/* The shortest way, of most accesses: a plain one of the thread's own word. True: it is left
 * out, and to be performed now; the thread is inside. */
static SER_ALWAYS_INLINE bool ser_access_hides_own(ser_thread *me, uintptr_t address, size_t size,
                                                   bool writes)
{
    if (ser_unlikely(!ser_access_begin_alone(me, address, size)))
        return false;
    if (ser_likely(ser_hides_own(me, address, size, writes)))
        return true;
    ser_leave(me);
    return false;
}

/* The same of any word. */
static SER_ALWAYS_INLINE bool ser_access_hides(ser_thread *me, uintptr_t address, size_t size,
                                               bool writes)
{
    if (!ser_access_is_alone(me, address, size) || !ser_access_begin_alone(me, address, size))
        return false;
    if (ser_hides(me, address, size, writes))
        return true;
    ser_leave(me);
    return false;
}

/* How an access may go a short way. */
typedef enum ser_way {
    SER_SLOW,
    SER_HIDDEN,
    SER_SERIAL,
    SER_SERIAL_KEPT,
    SER_PARALLEL,
    SER_PARALLEL_KEPT,
    SER_PARALLEL_HIDDEN
} ser_way;

/* What may be left out of what an access does. */
typedef enum ser_hiding { SER_HIDES_NOTHING, SER_HIDES_READ, SER_HIDES_WRITE } ser_hiding;

/* A word of which everything is recorded: what is owed is told, unless it is another one after
 * all when its line is locked. */
static SER_ALWAYS_INLINE ser_way ser_access_begin_kept(ser_thread *me, uintptr_t address,
                                                       size_t size)
{
    if (ser_owes(me))
        ser_tell_left_out(me);
    if (me->hiding == SER_INSIDE)
        return SER_SERIAL_KEPT;
    if (!me->line_limit) /* recording has stopped meanwhile */
        return SER_SLOW;
    ser_line *line = ser_line_of(address);
    ser_line_lock(me, line);
    ser_lines_note(me, address, size);
    if (ser_likely(ser_line_is_open(me, address) && ser_word_is_kept(address, size)))
        return SER_PARALLEL_KEPT;
    me->locked_size = 0;
    ser_line_unlock(me, line);
    return SER_SLOW;
}

/* With the line locked, if the access can go on. */
static SER_ALWAYS_INLINE ser_way ser_access_begin_parallel(ser_thread *me, uintptr_t address,
                                                           size_t size, ser_hiding hiding)
{
    ser_line *line = ser_line_of(address);
    if (me->keeping & SER_KEEP_ALL) {
        ser_line_lock(me, line);
        ser_lines_note(me, address, size);
        return SER_PARALLEL;
    }
    if (!ser_line_is_open(me, address))
        return SER_SLOW;
    if (hiding != SER_HIDES_NOTHING && ser_word_is_kept(address, size))
        return ser_access_begin_kept(me, address, size);
    ser_line_lock(me, line);
    ser_lines_note(me, address, size);
    if (hiding != SER_HIDES_NOTHING && !me->keeping && ser_line_is_open(me, address) &&
        ser_hides(me, address, size, hiding == SER_HIDES_WRITE)) {
        if (ser_unlikely(me->left_out % SER_SETTLE_AFTER == 0))
            ser_owners_settle(me, address);
        return SER_PARALLEL_HIDDEN;
    }
    me->locked_size = 0;
    ser_line_unlock(me, line);
    return SER_SLOW;
}

/* Begins: the thread is inside, may write one record, and has the line locked (parallel).
 * SER_SLOW: nothing was done, and the general way must be taken. */
static SER_ALWAYS_INLINE ser_way ser_access_begin(ser_thread *me, const ser_abi_site *site,
                                                  uintptr_t address, size_t size, ser_hiding hiding)
{
    ser_way way = SER_SLOW;
    if (ser_unlikely(me->inside))
        return SER_SLOW;
    me->inside = SER_INSIDE;
    ser_compiler_barrier();
    uint64_t position = ser_position(me);
    if (position < me->line_limit && site->number && address % 64 + size <= 64)
        way = ser_access_begin_parallel(me, address, size, hiding);
    else if (position < me->limit && site->number && me->keeping & SER_KEEP_ALL)
        way = SER_SERIAL;
    else if (position < me->limit && site->number && ser_word_is_kept(address, size))
        way = ser_access_begin_kept(me, address, size);
    if (way == SER_SLOW)
        ser_leave(me);
    return way;
}

/* Records it, and ends what was begun. */
static SER_ALWAYS_INLINE void ser_access_end(ser_thread *me, ser_way way, uintptr_t address,
                                             uint64_t value, uint64_t tag)
{
    if (way == SER_SERIAL_KEPT || way == SER_PARALLEL_KEPT)
        ser_meet_kept(me, address, tag);
    if (way != SER_HIDDEN && way != SER_PARALLEL_HIDDEN)
        ser_put_record(me, address, value, tag);
    if (way >= SER_PARALLEL) {
        me->locked_size = 0;
        ser_line_unlock(me, ser_line_of(address));
    }
    if (way == SER_PARALLEL || way == SER_PARALLEL_KEPT)
        ser_lines_publish(me);
    ser_leave(me);
}

#endif
