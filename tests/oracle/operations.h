/* SPDX-License-Identifier: MIT */
/*
 * operations.h - what the oracles take each operation for: the one list that they have.
 *
 * The roles of trace/event.h are not asked, on purpose: engines and oracles would be wrong
 * together. An operation that means the same as another one is a line here: both oracles then
 * follow the other's rules, and random traces have it in the other's place.
 */
#ifndef SER_ORACLE_OPERATIONS_H
#define SER_ORACLE_OPERATIONS_H

#include "random.h"
#include "trace/event.h"

/* The operation whose rules it follows. Without a default, so that the compiler misses what is
 * not listed. */
static inline ser_op plain_op(uint8_t op)
{
    switch ((ser_op)op) {
    case SER_OP_SKIP:
    case SER_OP_READ:
    case SER_OP_WRITE:
    case SER_OP_RMW:
    case SER_OP_ACQUIRE:
    case SER_OP_RELEASE:
    case SER_OP_SHARED_ACQUIRE:
    case SER_OP_SHARED_RELEASE:
    case SER_OP_TRY_FAILED:
    case SER_OP_FORK:
    case SER_OP_JOIN:
    case SER_OP_BEGIN:
    case SER_OP_END:
    case SER_OP_WAIT:
    case SER_OP_NOTIFY:
    case SER_OP_NOTIFY_ALL:
    case SER_OP_ARRIVE:
    case SER_OP_DEPART:
    case SER_OP_POST:
    case SER_OP_TAKE:
    case SER_OP_CALL:
    case SER_OP_RETURN:
        return (ser_op)op;
    case SER_OP_FREE:
        return SER_OP_WRITE;
    case SER_OP_COUNT:
        break;
    }
    return SER_OP_SKIP; /* there is no such operation */
}

static inline bool is_access(const ser_event *event)
{
    ser_op op = plain_op(event->op);
    return op == SER_OP_READ || op == SER_OP_WRITE || op == SER_OP_RMW;
}

/* A read alone, or a read and a write in one step. */
static inline bool only_reads(const ser_event *event)
{
    return plain_op(event->op) == SER_OP_READ;
}

static inline bool reads_and_writes(const ser_event *event)
{
    return plain_op(event->op) == SER_OP_RMW;
}

/* A write alone that leaves a value behind: memory that was freed has none. */
static inline bool only_writes(const ser_event *event)
{
    return plain_op(event->op) == SER_OP_WRITE && event->op != SER_OP_FREE;
}

/* Is its operand a thread? */
static inline bool names_thread(const ser_event *event)
{
    ser_op op = plain_op(event->op);
    return op == SER_OP_FORK || op == SER_OP_JOIN;
}

/* Any of the operations that follow the rules of this one. */
static inline uint8_t any_like(ser_op op, random_source *random)
{
    uint8_t like[SER_OP_COUNT];
    uint32_t count = 0;
    for (int other = 0; other < SER_OP_COUNT; other++)
        if (plain_op((uint8_t)other) == op)
            like[count++] = (uint8_t)other;
    return count > 1 ? like[random_below(random, count)] : (uint8_t)op;
}

#endif
