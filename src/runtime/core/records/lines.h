/* SPDX-License-Identifier: MIT */
/*
 * lines.h - parallel mode: a lock and a clock for every cache line.
 *
 * A thread holds the lock of the lines it touches over the access itself and
 * takes its clock from them: one more than the largest of its own and theirs.
 * So clocks rise along every line in the order of the accesses. Lines share locks
 * by a hash; private lines of two threads rarely do.
 */
#ifndef SER_RUNTIME_CORE_RECORDS_LINES_H
#define SER_RUNTIME_CORE_RECORDS_LINES_H

#include "runtime/core/records/clocks.h"

enum { SER_LINE_BITS = 16 };

/* Twice the clock of the last access; 1: locked. Alone in its cache line. */
typedef struct ser_line {
    _Alignas(64) uint64_t word;
} ser_line;

extern ser_line ser_lines[1 << SER_LINE_BITS];

/* Neighbouring lines get neighbouring locks: data of one thread stays apart from that of
 * others as it does in memory. */
static inline ser_line *ser_line_of(uintptr_t address)
{
    uintptr_t number = address >> 6;
    return &ser_lines[(number ^ number >> SER_LINE_BITS ^ number >> (2 * SER_LINE_BITS)) &
                      ((1 << SER_LINE_BITS) - 1)];
}

/* Called if another thread has the lock. Returns the clock. */
uint64_t ser_line_lock_slowly(ser_line *line);

/* Locks a line for something that is no access; returns its clock. */
static inline uint64_t ser_line_hold(ser_line *line)
{
    uint64_t word = __atomic_exchange_n(&line->word, 1, __ATOMIC_ACQUIRE);
    return ser_likely(word != 1) ? word >> 1 : ser_line_lock_slowly(line);
}
static inline void ser_line_let_go(ser_line *line, uint64_t clock)
{
    __atomic_store_n(&line->word, clock << 1, __ATOMIC_RELEASE);
}

/* Gives the thread the clock of its next event, from that of a line. */
static inline void ser_line_clock(ser_thread *me, uint64_t clock)
{
    uint64_t floor = __atomic_load_n(&me->floor, __ATOMIC_RELAXED);
    uint64_t own = me->clock > floor ? me->clock : floor;
    me->clock = (clock > own ? clock : own) + 1;
}

/* Locks one line, and gives the thread that clock. */
static inline void ser_line_lock(ser_thread *me, ser_line *line)
{
    ser_line_clock(me, ser_line_hold(line));
}

/* The same if the lock is free; false if not. */
static inline bool ser_line_try_lock(ser_thread *me, ser_line *line)
{
    uint64_t word = __atomic_exchange_n(&line->word, 1, __ATOMIC_ACQUIRE);
    if (ser_unlikely(word == 1))
        return false;
    ser_line_clock(me, word >> 1);
    return true;
}

static inline void ser_line_unlock(const ser_thread *me, ser_line *line)
{
    ser_line_let_go(line, me->clock);
}

/* The same for the one or two lines of an access of at most 64 bytes. */
void ser_lines_lock(ser_thread *me, const void *address, size_t size);
void ser_lines_unlock(ser_thread *me, const void *address, size_t size);
/* Notes that an access has the lines locked, in case a signal handler never returns to it. */
static inline void ser_lines_note(ser_thread *me, uintptr_t address, size_t size)
{
    me->locked_at = address;
    me->locked_size = size;
}
/* The line's clock is not below that one from now on; returns it. It is not locked by us. */
uint64_t ser_line_raise(uintptr_t address, uint64_t clock);
/* The thread has recorded the end of the memory's life: the next life there begins later
 * (ser_lines_rise). It has no line locked. */
void ser_lines_retire(const ser_thread *me, uintptr_t address, size_t size);
/* What the thread records next is later than all that was recorded of the memory so far, by
 * whomever: it begins a new life. The thread has no line locked. */
void ser_lines_rise(ser_thread *me, uintptr_t address, size_t size);

#endif
