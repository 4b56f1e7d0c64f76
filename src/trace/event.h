/* SPDX-License-Identifier: MIT */
/*
 * event.h - one step of one thread, as every part of seriatim sees it.
 *
 * Operands are numbers in the name space of the operation (symbols.h turns
 * them into text). An event's number, its 1-based position in the trace, is
 * not stored: events travel in batches that know the number of their first.
 */
#ifndef SER_TRACE_EVENT_H
#define SER_TRACE_EVENT_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Name spaces of operands. */
typedef enum ser_space {
    SER_SPACE_THREAD,
    SER_SPACE_VARIABLE,
    SER_SPACE_LOCK,
    SER_SPACE_CONDITION,
    SER_SPACE_BARRIER,
    SER_SPACE_SEMAPHORE,
    SER_SPACE_FUNCTION,
    SER_SPACE_LABEL, /* names of atomic blocks */
    SER_SPACE_COUNT
} ser_space;

/*
 * The operations: symbol, name in text traces, name space of the operand.
 * Their order is part of the native format: append only.
 */
#define SER_OPERATIONS(X)                                                                          \
    X(SKIP, "skip", LABEL) /* an event that takes no part; keeps its number. A value says how many \
                              operations of its thread are left out there */                       \
    X(READ, "r", VARIABLE)                                                                         \
    X(WRITE, "w", VARIABLE)                                                                        \
    X(RMW, "rmw", VARIABLE) /* atomic read-modify-write */                                         \
    X(ACQUIRE, "acq", LOCK)                                                                        \
    X(RELEASE, "rel", LOCK)                                                                        \
    X(SHARED_ACQUIRE, "racq", LOCK) /* reader side of a reader-writer lock */                      \
    X(SHARED_RELEASE, "rrel", LOCK)                                                                \
    X(TRY_FAILED, "tryfail", LOCK) /* a try-acquire that found the lock taken */                   \
    X(FORK, "fork", THREAD)                                                                        \
    X(JOIN, "join", THREAD)                                                                        \
    X(BEGIN, "begin", LABEL)                                                                       \
    X(END, "end", LABEL)                                                                           \
    X(WAIT, "wait", CONDITION)                                                                     \
    X(NOTIFY, "notify", CONDITION)                                                                 \
    X(NOTIFY_ALL, "notifyall", CONDITION)                                                          \
    X(ARRIVE, "arrive", BARRIER)                                                                   \
    X(DEPART, "depart", BARRIER)                                                                   \
    X(POST, "post", SEMAPHORE)                                                                     \
    X(TAKE, "take", SEMAPHORE) /* a semaphore's wait that succeeded */                             \
    X(CALL, "call", FUNCTION)                                                                      \
    X(RETURN, "ret", FUNCTION)

typedef enum ser_op {
#define SER_X(symbol, name, space) SER_OP_##symbol,
    SER_OPERATIONS(SER_X)
#undef SER_X
        SER_OP_COUNT
} ser_op;

#define SER_NO_OBJECT UINT32_MAX /* a begin or end without a label */
#define SER_NO_SITE   UINT32_MAX /* an event without a location */

enum {
    /* Set by readers. */
    SER_EVENT_HAS_VALUE = 1,  /* value holds what was read or written; of call, ret and skip: see
                                 ser_event_left_out */
    SER_EVENT_JOINED = 16,    /* an access that is one indivisible step with the next event */
    SER_EVENT_CONTINUES = 32, /* made by the same operation of the program as its thread's event
                                 before (a memcpy, say), which others may interrupt */
    SER_EVENT_LATE = 128,     /* an access with others of its memory before it that are not in the
                                 trace: no reordering lets it come before anything that the trace
                                 has before it. No conflict */
    /* Set by validation (validate.h). */
    SER_EVENT_INNER = 2, /* re-entrant acquire or release, nested begin or end: orders nothing */
    /* Set by block marking (blocks.h); only outermost blocks are marked. */
    SER_EVENT_OPENS = 4,  /* the first event of a block */
    SER_EVENT_CLOSES = 8, /* the last event of a block */
    SER_EVENT_STEP = 64,  /* with the two above: it is no block, but a joined step outside
                             blocks, which is one transaction */
};

typedef struct ser_event {
    uint32_t thread;
    uint32_t object; /* operand, in ser_op_space(op); SER_NO_OBJECT for none */
    uint32_t site;   /* location, SER_NO_SITE for none */
    uint8_t op;      /* ser_op */
    uint8_t flags;   /* SER_EVENT_* */
    uint16_t reserved;
    uint64_t value; /* meaningful with SER_EVENT_HAS_VALUE, else 0 */
} ser_event;

static_assert(sizeof(ser_event) == 24, "batches of events are meant to be dense");

/* How many operations the event's thread made directly before it that are not in the trace: the
 * value of a call, a return or a skip, which itself is none. */
static inline uint64_t ser_event_left_out(const ser_event *event)
{
    bool tells = event->op == SER_OP_CALL || event->op == SER_OP_RETURN || event->op == SER_OP_SKIP;
    return tells && event->flags & SER_EVENT_HAS_VALUE ? event->value : 0;
}

/* Name of an operation in text traces, and the name space of its operand. */
const char *ser_op_name(ser_op op);
ser_space ser_op_space(ser_op op);

/* The operation with that text name; SER_OP_COUNT if there is none. `lock` and
 * other aliases of text dialects are the readers' business. */
ser_op ser_op_by_name(const char *name, size_t length);

/* What a name space holds, for messages: "thread", "variable", "lock", ... */
const char *ser_space_noun(ser_space space);

static inline bool ser_op_is_access(ser_op op)
{
    return op == SER_OP_READ || op == SER_OP_WRITE || op == SER_OP_RMW;
}

#endif
