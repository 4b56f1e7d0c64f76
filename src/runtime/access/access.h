/* SPDX-License-Identifier: MIT */
/*
 * access.h - performs one access and records it: the fast paths, and the slow one.
 *
 * An access of up to 16 bytes, plain or atomic, described by a small structure: the slow path of
 * abi.h's functions, and the only one of the rarer ones. It takes the token (or the lock of the
 * line), performs, records, and gives it back.
 */
#ifndef SER_RUNTIME_ACCESS_ACCESS_H
#define SER_RUNTIME_ACCESS_ACCESS_H

#include "runtime/access/globals.h"
#include "runtime/core/records/lines.h"
#include "runtime/elide/owners.h"

typedef enum ser_access_kind {
    SER_ACCESS_LOAD,
    SER_ACCESS_STORE,
    SER_ACCESS_ATOMIC_LOAD,
    SER_ACCESS_ATOMIC_STORE,
    SER_ACCESS_RMW, /* 16 bytes: exchange only */
    SER_ACCESS_COMPARE_EXCHANGE,
    SER_ACCESS_POINTER_LOAD, /* of a shared pointer: of its word that points to the object */
    SER_ACCESS_POINTER_STORE,
    SER_ACCESS_POINTER_EXCHANGE,
    SER_ACCESS_POINTER_COMPARE_EXCHANGE,
} ser_access_kind;

typedef union ser_value {
    uint64_t word;
    unsigned char bytes[16];
    unsigned __int128 wide;
} ser_value;

typedef struct ser_runtime_access {
    ser_access_kind kind;
    uint32_t size; /* 1 to 16 for plain accesses, else 1, 2, 4, 8 or 16 */
    uint32_t rmw;  /* which, as abi.h numbers them; of shared pointers: where their count is */
    uint64_t code; /* the place, if there is no site: a code address, or 0 for that of the call */
    void *address;
    ser_value value;    /* in: what to store, or the operand */
    ser_value expected; /* in, of a compare-exchange */
    ser_value old;      /* out: what was read */
    void *pointers[2];  /* shared pointers that are read or written, private ones */
} ser_runtime_access;

/* Performs, and records if this thread records. Returns what the trace calls it. */
ser_op ser_access_do(ser_runtime_access *access, ser_abi_site *site);
/* The same for a plain access that may span several words; fast if they are the thread's own. */
void ser_access_do_words(ser_runtime_access *access, ser_abi_site *site);

/* May it write a global variable for the first time? */
static inline bool ser_access_is_first_write(const ser_runtime_access *access)
{
    return access->kind != SER_ACCESS_LOAD && access->kind != SER_ACCESS_ATOMIC_LOAD &&
           ser_globals_is_first_write((uintptr_t)access->address);
}

/* pointers.c: performs one of a shared pointer. */
ser_op ser_pointer_perform(ser_runtime_access *access);

/* frees.c: the thread, which is inside and may write, is about to free the block. */
void ser_access_free(ser_thread *me, const void *block, size_t size);

/* Is an access only to be performed, now? Then the thread is inside, unless nothing is ever
 * recorded: ser_access_end_pass follows. */
static SER_ALWAYS_INLINE bool ser_access_passes(ser_thread *me)
{
    if (ser_likely(!ser_is_off && !__atomic_load_n(&ser_is_paused, __ATOMIC_RELAXED)))
        return false;
    if (ser_is_off)
        return true;
    if (me->inside)
        return false;
    me->inside = SER_ALONE;
    ser_compiler_barrier();
    if (__atomic_load_n(&ser_is_paused, __ATOMIC_RELAXED))
        return true;
    ser_leave(me);
    return false;
}

static SER_ALWAYS_INLINE void ser_access_end_pass(ser_thread *me)
{
    if (!ser_is_off)
        ser_leave(me);
}

/* The word of an address, if its line is the thread's own and it elides accesses: then it is
 * inside. Else null. */
static SER_ALWAYS_INLINE ser_word *ser_access_begin_own(ser_thread *me, uintptr_t address)
{
    if (ser_unlikely(me->inside))
        return 0;
    me->inside = me->eliding;
    ser_compiler_barrier();
    ser_word *leaf = ser_leaf_before_access(address);
    if (ser_likely(me->stamp < me->elide_limit && leaf && ser_line_is_own(me, leaf, address)))
        return ser_word_in(leaf, address);
    ser_leave(me);
    return 0;
}

/* The fastest path, of most accesses: a plain one of the thread's own word. True: it is elided, and
 * to be performed now; the thread is inside. */
static SER_ALWAYS_INLINE bool ser_access_hides_own(ser_thread *me, uintptr_t address, size_t size,
                                                   bool writes)
{
    ser_word *word = address % 8 + size <= 8 ? ser_access_begin_own(me, address) : 0;
    if (ser_unlikely(!word))
        return false;
    if (ser_likely(ser_word_is_own(me, word, writes))) {
        ser_leave_out(me);
        ser_word_hide_own(me, word, writes);
        return true;
    }
    ser_leave(me);
    return false;
}

/* Elides a read of a line that is frozen: then the thread is inside, and alone. */
static SER_ALWAYS_INLINE bool ser_access_hides_frozen(ser_thread *me, uintptr_t address,
                                                      size_t size)
{
    ser_word *leaf = ser_leaf_before_access(address);
    if (!leaf || !ser_line_in_is_frozen(leaf, address) || address % 64 + size > 64 || me->inside ||
        me->eliding == SER_INSIDE)
        return false;
    me->inside = me->eliding;
    ser_compiler_barrier();
    if (ser_likely(me->stamp < me->elide_limit && ser_line_in_is_frozen(leaf, address))) {
        ser_leave_out(me);
        return true;
    }
    ser_leave(me);
    return false;
}

/* Is it the thread's own word, or one that several read, in a line that all threads use? */
static SER_ALWAYS_INLINE bool ser_access_is_common(const ser_thread *me, ser_word *leaf,
                                                   uintptr_t address, bool writes)
{
    const ser_word *word = ser_word_in(leaf, address);
    return ser_line_in_is_common(leaf, address) &&
           (ser_word_is_own(me, word, writes) || (!writes && ser_reads_among_many(me, word)));
}

/* The same in a line that all threads use: it is locked then. Not if that takes longer. */
static SER_ALWAYS_INLINE bool ser_access_hides_common(ser_thread *me, uintptr_t address,
                                                      size_t size, bool writes)
{
    if (me->inside || me->eliding == SER_INSIDE || address % 8 + size > 8)
        return false;
    me->inside = SER_INSIDE;
    ser_compiler_barrier();
    ser_word *leaf = ser_leaf_before_access(address);
    ser_line *line = ser_line_of(address);
    if (ser_likely(me->stamp < me->elide_limit && leaf && !ser_owners_may_settle(me) &&
                   ser_access_is_common(me, leaf, address, writes) &&
                   ser_line_try_lock(me, line))) {
        ser_lines_note(me, address, size);
        if (ser_likely(ser_access_is_common(me, leaf, address, writes))) {
            ser_word *word = ser_word_in(leaf, address);
            ser_leave_out(me);
            if (ser_likely(ser_stamp_thread(word->read) != SER_STAMP_MANY))
                ser_word_hide_own(me, word, writes);
            return true;
        }
        me->locked_size = 0;
        ser_line_unlock(me, line);
    }
    ser_leave(me);
    return false;
}

/* The first of several words in one line; as above. */
static inline ser_word *ser_access_begin_own_words(ser_thread *me, uintptr_t address, size_t size)
{
    enum { LINE = 1 << SER_OWNED_BITS };
    bool fits = size <= LINE && address % LINE + size <= LINE;
    return fits ? ser_access_begin_own(me, address) : 0;
}

/* The fastest path of an access of several words. */
static inline bool ser_access_hides_own_words(ser_thread *me, uintptr_t address, size_t size,
                                              bool writes)
{
    ser_word *word = ser_access_begin_own_words(me, address, size);
    if (!word)
        return false;
    ser_word *end = word + (address % 8 + size + 7) / 8;
    for (ser_word *at = word; at < end; at++) {
        if (!ser_word_is_own(me, at, writes)) {
            ser_leave(me);
            return false;
        }
    }
    ser_leave_out(me);
    for (; word < end; word++)
        ser_word_hide_own(me, word, writes);
    return true;
}

/* Which path an access may take. */
typedef enum ser_way {
    SER_SLOW,
    SER_ELIDED,
    SER_PARALLEL_ELIDED,
    SER_SERIAL,
    SER_SERIAL_TOLD,
    SER_PARALLEL,
    SER_PARALLEL_TOLD,
} ser_way;

/* Elides a plain access of any word in lines of the thread's own. */
static SER_ALWAYS_INLINE bool ser_access_hides_alone(ser_thread *me, uintptr_t address, size_t size,
                                                     bool writes)
{
    me->inside = me->eliding;
    ser_compiler_barrier();
    return me->stamp < me->elide_limit &&
           (me->eliding == SER_INSIDE || ser_lines_are_own(me, address, size)) &&
           ser_hides(me, address, size, writes);
}

/* The same in a line that all threads use, which is locked then. */
static SER_ALWAYS_INLINE bool ser_access_hides_locked(ser_thread *me, uintptr_t address,
                                                      size_t size, bool writes)
{
    me->inside = SER_INSIDE;
    ser_compiler_barrier();
    if (me->stamp >= me->elide_limit || ser_word_is_kept(address))
        return false;
    bool may_settle = ser_owners_may_settle(me);
    ser_line *line = ser_line_of(address);
    ser_line_lock(me, line);
    ser_lines_note(me, address, size);
    if (ser_likely(ser_line_is_common(address) && ser_hides(me, address, size, writes))) {
        if (ser_unlikely(may_settle))
            ser_owners_settle(me, address);
        return true;
    }
    me->locked_size = 0;
    ser_line_unlock(me, line);
    return false;
}

/* Begins a plain access that is elided. SER_SLOW: nothing was done. */
static SER_ALWAYS_INLINE ser_way ser_access_begin_elided(ser_thread *me, uintptr_t address,
                                                         size_t size, bool writes)
{
    if (ser_unlikely(me->inside))
        return SER_SLOW;
    bool common = me->eliding != SER_INSIDE && ser_line_is_common(address);
    if (!common && ser_access_hides_alone(me, address, size, writes))
        return SER_ELIDED;
    if (common && address % 64 + size <= 64 && ser_access_hides_locked(me, address, size, writes))
        return SER_PARALLEL_ELIDED;
    ser_leave(me);
    return SER_SLOW;
}

static SER_ALWAYS_INLINE void ser_access_end_elided(ser_thread *me, ser_way way, uintptr_t address)
{
    if (way == SER_PARALLEL_ELIDED) {
        me->locked_size = 0;
        ser_line_unlock(me, ser_line_of(address));
    }
    ser_leave(me);
}

/* An access that is recorded, of a word for which no other record must come first. That is
 * tested again once the line is locked. */
static SER_ALWAYS_INLINE ser_way ser_access_begin_recorded(ser_thread *me, uintptr_t address,
                                                           size_t size, bool writes)
{
    if (!ser_word_is_recorded(me, address, size))
        return SER_SLOW;
    if (ser_owes(me))
        ser_record_elided(me);
    if (me->eliding == SER_INSIDE)
        return SER_SERIAL_TOLD;
    if (!me->line_limit) /* recording has stopped meanwhile */
        return SER_SLOW;
    ser_line *line = ser_line_of(address);
    ser_line_lock(me, line);
    ser_lines_note(me, address, size);
    if (ser_likely(ser_line_is_open(me, address, writes) &&
                   ser_word_is_recorded(me, address, size)))
        return SER_PARALLEL_TOLD;
    me->locked_size = 0;
    ser_line_unlock(me, line);
    return SER_SLOW;
}

/* With the line locked, if the access can go on. */
static SER_ALWAYS_INLINE ser_way ser_access_begin_parallel(ser_thread *me, uintptr_t address,
                                                           size_t size, bool writes)
{
    ser_line *line = ser_line_of(address);
    if (me->keeping & SER_KEEP_ALL) {
        ser_line_lock(me, line);
        ser_lines_note(me, address, size);
        return SER_PARALLEL;
    }
    if (!ser_line_is_open(me, address, writes))
        return SER_SLOW;
    return ser_access_begin_recorded(me, address, size, writes);
}

/* Begins one that is recorded, and may write: the thread is inside, may write one record, and has
 * the line locked (parallel). SER_SLOW: nothing was done, and the slow path must be taken. */
static SER_ALWAYS_INLINE ser_way ser_access_begin(ser_thread *me, const ser_abi_site *site,
                                                  uintptr_t address, size_t size, bool writes)
{
    ser_way way = SER_SLOW;
    if (ser_unlikely(me->inside))
        return SER_SLOW;
    me->inside = SER_INSIDE;
    ser_compiler_barrier();
    uint64_t position = ser_position(me);
    if (position < me->line_limit && site->number && address % 64 + size <= 64)
        way = ser_access_begin_parallel(me, address, size, writes);
    else if (position < me->limit && site->number && me->keeping & SER_KEEP_ALL)
        way = SER_SERIAL;
    else if (position < me->limit && site->number)
        way = ser_access_begin_recorded(me, address, size, writes);
    if (way == SER_SLOW)
        ser_leave(me);
    return way;
}

/* The same of one that writes. What may be the first write takes the slow path. */
static SER_ALWAYS_INLINE ser_way ser_access_begin_write(ser_thread *me, const ser_abi_site *site,
                                                        uintptr_t address, size_t size)
{
    return ser_globals_is_first_write(address) ? SER_SLOW
                                               : ser_access_begin(me, site, address, size, true);
}

/* Records it, and ends what was begun. */
static SER_ALWAYS_INLINE void ser_access_end(ser_thread *me, ser_way way, uintptr_t address,
                                             uint64_t value, uint64_t tag)
{
    if (way == SER_SERIAL_TOLD || way == SER_PARALLEL_TOLD)
        ser_meet_recorded(me, address, tag);
    ser_put_record(me, address, value, tag);
    if (way == SER_PARALLEL || way == SER_PARALLEL_TOLD) {
        me->locked_size = 0;
        ser_line_unlock(me, ser_line_of(address));
        ser_clocks_publish(me);
    }
    ser_leave(me);
}

#endif
