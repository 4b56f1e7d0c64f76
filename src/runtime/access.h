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

/* How an access may go the short way. */
typedef enum ser_way { SER_SLOW, SER_SERIAL, SER_PARALLEL } ser_way;

/* Begins: the thread is inside, may write one record, and has the line locked (parallel).
 * SER_SLOW: nothing was done, and the general way must be taken. */
static inline ser_way ser_access_begin(ser_thread *me, const ser_abi_site *site, uintptr_t address,
                                       size_t size)
{
    if (ser_unlikely(me->inside))
        return SER_SLOW;
    me->inside = 1;
    ser_compiler_barrier();
    uint64_t head = me->ring->head;
    if (ser_likely(head < me->limit && site->number))
        return SER_SERIAL;
    if (head < me->line_limit && site->number && address % 64 + size <= 64) {
        ser_line_lock(me, ser_line_of(address));
        return SER_PARALLEL;
    }
    ser_leave(me);
    return SER_SLOW;
}

/* Records it, and ends what was begun. */
static inline void ser_access_end(ser_thread *me, ser_way way, uintptr_t address, uint64_t value,
                                  uint64_t tag)
{
    ser_put_record(me, address, value, tag);
    if (ser_unlikely(way == SER_PARALLEL)) {
        ser_line_unlock(me, ser_line_of(address));
        ser_lines_publish(me);
    }
    ser_leave(me);
}

#endif
