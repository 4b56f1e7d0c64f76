/* SPDX-License-Identifier: MIT */
/*
 * event.h - one event of one thread, as every part of seriatim sees it.
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
 * What an operation does to its operand. Role and name space together define its meaning: an
 * operation that signals is a notify on a condition, an arrival at a barrier, or a post of a
 * semaphore; one that awaits is a join of a thread, a wait, a departure, or a take. Code that asks
 * for roles instead of operations also handles operations that are added below.
 */
enum {
    SER_READS = 1 << 0,  /* a variable's value */
    SER_WRITES = 1 << 1, /* a variable; with SER_READS: both in one step */
    SER_ACQUIRES = 1 << 2,
    SER_RELEASES = 1 << 3,
    SER_SHARES = 1 << 4, /* with the two above: the reader side of a reader-writer lock */
    SER_TESTS = 1 << 5,  /* finds a lock taken, and goes on without it */
    SER_SIGNALS = 1 << 6,
    SER_ALL = 1 << 7, /* with SER_SIGNALS: every waiter */
    SER_AWAITS = 1 << 8,
    SER_STARTS = 1 << 9,  /* a thread */
    SER_OPENS = 1 << 10,  /* a block, or a call */
    SER_CLOSES = 1 << 11, /* what was opened last */
    SER_COUNTS = 1 << 12, /* its value is the number of elided operations before it */
    SER_FREES = 1 << 13,  /* with SER_WRITES: the variable's memory is gone from here on */
};

/*
 * The operations: symbol, name in text traces, name space of the operand, roles, verb for
 * reports. Their order is part of the native format: append only.
 */
#define SER_OPERATIONS(X)                                                                          \
    /* an event without effect; keeps its number */                                                \
    X(SKIP, "skip", LABEL, SER_COUNTS, "skips")                                                    \
    X(READ, "r", VARIABLE, SER_READS, "reads")                                                     \
    X(WRITE, "w", VARIABLE, SER_WRITES, "writes")                                                  \
    X(RMW, "rmw", VARIABLE, SER_READS | SER_WRITES, "updates")                                     \
    X(ACQUIRE, "acq", LOCK, SER_ACQUIRES, "locks")                                                 \
    X(RELEASE, "rel", LOCK, SER_RELEASES, "unlocks")                                               \
    X(SHARED_ACQUIRE, "racq", LOCK, SER_ACQUIRES | SER_SHARES, "locks")                            \
    X(SHARED_RELEASE, "rrel", LOCK, SER_RELEASES | SER_SHARES, "unlocks")                          \
    X(TRY_FAILED, "tryfail", LOCK, SER_TESTS, "finds locked")                                      \
    X(FORK, "fork", THREAD, SER_STARTS, "starts")                                                  \
    X(JOIN, "join", THREAD, SER_AWAITS, "joins")                                                   \
    X(BEGIN, "begin", LABEL, SER_OPENS, "begins")                                                  \
    X(END, "end", LABEL, SER_CLOSES, "ends")                                                       \
    X(WAIT, "wait", CONDITION, SER_AWAITS, "waits for")                                            \
    X(NOTIFY, "notify", CONDITION, SER_SIGNALS, "signals")                                         \
    X(NOTIFY_ALL, "notifyall", CONDITION, SER_SIGNALS | SER_ALL, "broadcasts")                     \
    X(ARRIVE, "arrive", BARRIER, SER_SIGNALS, "arrives at")                                        \
    X(DEPART, "depart", BARRIER, SER_AWAITS, "departs from")                                       \
    X(POST, "post", SEMAPHORE, SER_SIGNALS, "posts")                                               \
    X(TAKE, "take", SEMAPHORE, SER_AWAITS, "takes") /* a semaphore's wait that succeeded */        \
    X(CALL, "call", FUNCTION, SER_OPENS | SER_COUNTS, "calls")                                     \
    X(RETURN, "ret", FUNCTION, SER_CLOSES | SER_COUNTS, "returns from")                            \
    X(FREE, "free", VARIABLE, SER_WRITES | SER_FREES, "frees")

typedef enum ser_op {
#define SER_X(symbol, name, space, roles, verb) SER_OP_##symbol,
    SER_OPERATIONS(SER_X)
#undef SER_X
        SER_OP_COUNT
} ser_op;

/* The name space of the operand, and the roles, of an operation (less than SER_OP_COUNT). */
static inline ser_space ser_op_space(ser_op op)
{
    static const uint8_t spaces[] = {
#define SER_X(symbol, name, space, roles, verb) SER_SPACE_##space,
        SER_OPERATIONS(SER_X)
#undef SER_X
    };
    return (ser_space)spaces[op];
}

static inline unsigned ser_op_roles(ser_op op)
{
    static const uint16_t all_roles[] = {
#define SER_X(symbol, name, space, roles, verb) roles,
        SER_OPERATIONS(SER_X)
#undef SER_X
    };
    return all_roles[op];
}

/* Has it one of these roles? */
static inline bool ser_op_has(ser_op op, unsigned roles)
{
    return ser_op_roles(op) & roles;
}

/* Has it one of these roles, in that name space? */
static inline bool ser_op_has_in(ser_op op, unsigned roles, ser_space space)
{
    return ser_op_has(op, roles) && ser_op_space(op) == space;
}

static inline bool ser_op_takes_part(ser_op op)
{
    return ser_op_has(op, ~(unsigned)SER_COUNTS);
}

static inline bool ser_op_may_lack_operand(ser_op op)
{
    return ser_op_space(op) == SER_SPACE_LABEL;
}

/* Variables. */
static inline bool ser_op_reads(ser_op op)
{
    return ser_op_has(op, SER_READS);
}

static inline bool ser_op_writes(ser_op op)
{
    return ser_op_has(op, SER_WRITES);
}

/* One of the two alone, or both in one step. A free is none of these. */
static inline bool ser_op_only_reads(ser_op op)
{
    return ser_op_reads(op) && !ser_op_writes(op);
}

static inline bool ser_op_only_writes(ser_op op)
{
    return ser_op_has(op, SER_WRITES) && !ser_op_has(op, SER_READS | SER_FREES);
}

static inline bool ser_op_updates(ser_op op)
{
    return ser_op_reads(op) && ser_op_writes(op);
}

/* Nothing that accesses the variable later goes on as it did with another write. */
static inline bool ser_op_frees(ser_op op)
{
    return ser_op_has(op, SER_FREES);
}

static inline bool ser_op_is_access(ser_op op)
{
    return ser_op_has(op, SER_READS | SER_WRITES);
}

/* Locks. */
static inline bool ser_op_acquires(ser_op op)
{
    return ser_op_has(op, SER_ACQUIRES);
}

static inline bool ser_op_releases(ser_op op)
{
    return ser_op_has(op, SER_RELEASES);
}

static inline bool ser_op_is_shared(ser_op op)
{
    return ser_op_has(op, SER_SHARES);
}

static inline bool ser_op_excludes(ser_op op) /* acquires, and not the reader side */
{
    return ser_op_acquires(op) && !ser_op_is_shared(op);
}

static inline bool ser_op_tests(ser_op op)
{
    return ser_op_has(op, SER_TESTS);
}

/* Threads. */
static inline bool ser_op_forks(ser_op op)
{
    return ser_op_has(op, SER_STARTS);
}

static inline bool ser_op_joins(ser_op op)
{
    return ser_op_has_in(op, SER_AWAITS, SER_SPACE_THREAD);
}

/* Conditions. */
static inline bool ser_op_waits(ser_op op)
{
    return ser_op_has_in(op, SER_AWAITS, SER_SPACE_CONDITION);
}

static inline bool ser_op_notifies(ser_op op)
{
    return ser_op_has_in(op, SER_SIGNALS, SER_SPACE_CONDITION);
}

/* Barriers and semaphores. */
static inline bool ser_op_departs(ser_op op)
{
    return ser_op_has_in(op, SER_AWAITS, SER_SPACE_BARRIER);
}

static inline bool ser_op_posts(ser_op op)
{
    return ser_op_has_in(op, SER_SIGNALS, SER_SPACE_SEMAPHORE);
}

static inline bool ser_op_takes(ser_op op)
{
    return ser_op_has_in(op, SER_AWAITS, SER_SPACE_SEMAPHORE);
}

/* Its thread waits next for what others do, and lets them in: for a condition, at a barrier. */
static inline bool ser_op_lets_others_in(ser_op op)
{
    return ser_op_waits(op) || ser_op_has_in(op, SER_SIGNALS, SER_SPACE_BARRIER);
}

/* Blocks and calls. */
static inline bool ser_op_begins(ser_op op)
{
    return ser_op_has_in(op, SER_OPENS, SER_SPACE_LABEL);
}

static inline bool ser_op_ends(ser_op op)
{
    return ser_op_has_in(op, SER_CLOSES, SER_SPACE_LABEL);
}

static inline bool ser_op_calls(ser_op op)
{
    return ser_op_has_in(op, SER_OPENS, SER_SPACE_FUNCTION);
}

static inline bool ser_op_returns(ser_op op)
{
    return ser_op_has_in(op, SER_CLOSES, SER_SPACE_FUNCTION);
}

static inline bool ser_op_opens(ser_op op) /* a block, by begin or by a call */
{
    return ser_op_has(op, SER_OPENS);
}

#define SER_NO_OBJECT UINT32_MAX /* a begin or end without a label */
#define SER_NO_SITE   UINT32_MAX /* an event without a location */

enum {
    /* --- set by readers --- */
    /* value is what was read or written; of call, ret and skip: see ser_event_elided */
    SER_EVENT_HAS_VALUE = 1,
    /* part of a multi-variable access: one indivisible step with the next event */
    SER_EVENT_JOINED = 16,
    /* part of the same operation of the program as the previous event of its thread (a memcpy,
     * say), but other threads may come between the two */
    SER_EVENT_CONTINUES = 32,
    /* an ordered-last access: earlier accesses of the same memory were elided, so no reordering may
     * move it before any event that precedes it in the trace. This is not a conflict */
    SER_EVENT_LATE = 128,
    /* --- set by validation (validate.h) --- */
    /* re-entrant acquire or release, nested begin or end: orders nothing */
    SER_EVENT_INNER = 2,
    /* --- set by block marking (blocks.h); only outermost blocks are marked --- */
    SER_EVENT_OPENS = 4,  /* the first event of a block */
    SER_EVENT_CLOSES = 8, /* the last event of a block */
    /* with the two above: not a block, but a multi-variable access outside blocks, which is one
     * transaction */
    SER_EVENT_STEP = 64,
};

/* What is known about the code behind an event, where the recorder found it out
 * (docs/trace-format.md): for models in which reads may change. */
enum {
    SER_FLOW_DATA = 1,     /* a read: its value reaches nothing but values that are stored */
    SER_FLOW_MODIFIES = 2, /* a read-modify-write that writes whatever it has read, unlike a
                              compare-exchange */
    SER_FLOW_LOOPS = 2,    /* a call: the function has a loop in which it takes locks, or changes
                              something atomically, itself or in what it calls; in Java one that
                              only reads */
    SER_FLOW_KEEPS = 4,    /* a call: the function returns nothing, and has no pointer to where it
                              could leave anything: its caller does not know what it has read */
    SER_FLOW_SPINS =
        8, /* a call: the function has a loop that only looks (instrument/code/spins.h) */
    SER_FLOW_DISPATCHED = 2, /* a return: of a call through a pointer, in a loop */
    SER_FLOW_RAN = 4,        /* a skip: here the thread ran code that is not recorded; with
                                SER_FLOW_ONCE: it runs between acquire and release */
    SER_FLOW_LEAVES = 8,     /* a skip: here the thread goes into such code, which may call back */
    SER_FLOW_RETURNS = 16,   /* a skip: here it has returned from there */
    SER_FLOW_FIXED = 16, /* a write: its value has nothing to do with what its thread has read with
                            SER_FLOW_DATA */
    SER_FLOW_ONCE = 32,  /* an acquire or release: of what runs once, rather than of a lock */
    SER_FLOW_DECIDES = 32, /* a read: it depends on its value whether its thread takes a lock later,
                              or changes something atomically, or what it writes after it has taken
                              another lock */
    SER_FLOW_HANDED = 8, /* a read: it decides so, or its value is stored, after the call that reads
                            it has returned */
    SER_FLOW_ANYWAY = 4, /* a read: its value does not decide whether the thread writes something
                            before it gives the lock back */
    SER_FLOW_BLIND = 16, /* a read: and no branch depends on it there, either */
    SER_FLOW_CHAIN =
        64, /* a take or post: it keeps operations in order, and no thread waits for it */
    SER_FLOW_ATOMIC = 64, /* a read or write: it is atomic in the language, as those of C11 */
    SER_FLOW_ALL = 127,
};

/* The other bits of `flow`, of a read: 1 + the number of its guards (ser_symbols_guards), 0 for
 * none. They are expressions over the value that was read: as long as each has the same result, the
 * thread takes the same steps and stores the same values, whatever it reads
 * (docs/algorithms/guards.md). */
enum { SER_GUARDS_SHIFT = 7, SER_GUARDS_MOST = (1 << (16 - SER_GUARDS_SHIFT)) - 1 };

/* What makes a part of a thread a block. */
typedef enum ser_block_kind {
    SER_BLOCK_MARKED,   /* begin and end */
    SER_BLOCK_LOCK,     /* a lock is held */
    SER_BLOCK_CALL,     /* the call of a function */
    SER_BLOCK_COMPOUND, /* one assignment that reads and writes a variable */
    SER_BLOCK_ROUND,    /* one round of a loop of a thread's first function */
    SER_BLOCK_CHECK,    /* a variable is read, and written by what was read (blocks/checks.h) */
    SER_BLOCK_WHOLE,    /* a thread's first function, for want of anything better (whole.h) */
} ser_block_kind;

typedef struct ser_event {
    uint32_t thread;
    uint32_t object; /* operand, in ser_op_space(op); SER_NO_OBJECT for none */
    uint32_t site;   /* location, SER_NO_SITE for none */
    uint8_t op;      /* ser_op */
    uint8_t flags;   /* SER_EVENT_* */
    uint16_t flow;   /* SER_FLOW_* */
    uint64_t value;  /* meaningful with SER_EVENT_HAS_VALUE, else 0 */
} ser_event;

static_assert(sizeof(ser_event) == 24, "batches of events are meant to be dense");

/* 1 + the number of the guards of a read; 0: none are known. */
static inline uint32_t ser_event_guards(const ser_event *event)
{
    return (uint32_t)event->flow >> SER_GUARDS_SHIFT;
}

/* What is kept of `flow`, in the trace. */
static inline uint16_t ser_flow_with_guards(uint16_t flow, uint32_t guards)
{
    return (uint16_t)((flow & SER_FLOW_ALL) | guards << SER_GUARDS_SHIFT);
}

/* How many operations of the event's thread were elided directly before it: the value of a call, a
 * return or a skip, which itself does not count. */
static inline uint64_t ser_event_elided(const ser_event *event)
{
    bool counts = ser_op_has((ser_op)event->op, SER_COUNTS);
    return counts && event->flags & SER_EVENT_HAS_VALUE ? event->value : 0;
}

/* Takes away what an access has read or written. Without values nothing can be concluded from what
 * they flow into either, since a write that was not recorded can no longer be noticed. */
static inline void ser_event_redact(ser_event *event)
{
    if (!ser_op_is_access((ser_op)event->op))
        return;
    event->flags &= (uint8_t)~SER_EVENT_HAS_VALUE;
    event->value = 0;
    event->flow &= SER_FLOW_MODIFIES | SER_FLOW_DECIDES | SER_FLOW_ATOMIC;
}

/* Name of an operation in text traces. */
const char *ser_op_name(ser_op op);

/* What a thread does with the operand, for reports: "reads", "locks", ... */
const char *ser_op_verb(ser_op op);

/* The operation with that text name; SER_OP_COUNT if there is none. Readers handle `lock` and other
 * aliases of text dialects themselves. */
ser_op ser_op_by_name(const char *name, size_t length);

/* Name of one SER_FLOW_* in text traces, "" for other bits; and the bit of a name, 0 if there is
 * none. */
const char *ser_flow_name(uint16_t bit, ser_op op);
uint16_t ser_flow_by_name(const char *name, size_t length);

/* What a name space holds, for messages: "thread", "variable", "lock", ... */
const char *ser_space_noun(ser_space space);

#endif
