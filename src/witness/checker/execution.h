/* SPDX-License-Identifier: MIT */
/*
 * checker/execution.h - inside of the checker: executes events in a given order.
 *
 * A run starts with no event executed. A thread that has not stopped may execute
 * its next event e if
 *   - its fork has been executed, where it has one;
 *   - e is join(u): u's fork, where it has one, and all of u's events have been
 *     executed, and u did not stop;
 *   - e is an acquire: no other thread holds the lock (a shared one: no other thread
 *     holds it exclusively); inner acquires and releases do nothing;
 *   - the thread's previous event was a wait: the notify that woke it in the
 *     observed trace, if one did, has been executed;
 *   - e is a notify: all waits that it woke are pending, and no wait is pending on
 *     that condition which was not pending there in the observed trace;
 *   - e departs from a barrier: all arrivals of its round have been executed;
 *   - e takes from a semaphore: the post that served it has been executed;
 *   - e is ordered last (SER_EVENT_LATE), or another event of its step is: all events before it in
 * the trace have been executed, and no thread stopped at one of them. A wait is pending from its
 * execution to its thread's next step. A read whose current last write is not its observed one is
 * broken: it happens, and its thread stops for good and keeps its locks. A read-modify-write is a
 * read and a write in one step; broken, it does not write. A failed try reads the holder of the
 * lock: it is broken unless the acquire that held the lock in the observed trace holds it.
 *
 * The events of a multi-variable access (SER_EVENT_JOINED) are one step: from the first to the last
 * of them no other event happens. A read among them that did not read from the step itself is
 * judged by the last write before the step. If one is broken, the thread stops at the end of the
 * step, and no read-modify-write of the step writes.
 *
 * All this is the model avp. With an overlay of reads (trace/reads.h), or where equal values are
 * as good (checker/values.h, and checker/flows.h for limits), a read may also accept other writes.
 * A changed read does not stop its thread but limits it, as the overlay says; what its thread
 * writes from then on is dirty, and changes what reads it; a changed read-modify-write writes if
 * the overlay says so; and an ordered-last event happens only if no changed read or broken try has.
 *
 * Where texts name reads (checker/code.h), a read whose guards all have the results that they had
 * is not changed, whatever its value; but it is *altered* if that is another one. What its thread
 * writes by an expression over it is computed, and other reads see that. As values may go where the
 * trace has no event, an altered read limits its thread as one that is data only does, and at
 * barriers.
 *
 * In every model an access of a freed variable is its thread's last step: freed by an event that
 * was executed before the step, or observed before it. What the thread would do next, or did, is
 * undefined.
 *
 * Memory: one byte per event, besides what was executed. Not thread-safe.
 */
#ifndef SER_WITNESS_CHECKER_EXECUTION_H
#define SER_WITNESS_CHECKER_EXECUTION_H

#include "base/status.h"
#include "trace/reads.h"
#include "witness/checker/code.h"
#include "witness/checker/flows.h"
#include "witness/checker/holders.h"
#include "witness/checker/values.h"

typedef struct ser_execution_thread {
    uint32_t next;        /* the event it has to execute next; 0: no more */
    uint32_t last;        /* the one it executed last; 0: none yet */
    uint32_t stopped;     /* the broken read at which it stopped; 0: it did not */
    uint32_t changed;     /* its last changed read; 0: it has none */
    uint32_t limit;       /* of its changed reads: the event that must not happen, SER_LIMIT_END
                             or SER_LIMIT_NONE */
    uint32_t altered;     /* its last read of another value that was followed; 0: it has none */
    bool decides;         /* one of these is not data only: the thread does not pass barriers */
    uint32_t transaction; /* first event of the block it is in; 0: it is in none */
} ser_execution_thread;

/* A read or write that happened. */
typedef struct ser_executed_access {
    uint32_t event;
    uint32_t transaction; /* first event of its block; itself outside blocks */
    bool writes;          /* a broken read-modify-write does not */
    bool knows_before, knows_after;
    uint64_t before, after; /* what its variable held, where values are followed */
} ser_executed_access;

typedef SER_VECTOR(ser_executed_access) ser_executed_accesses;

/* An access that got or wrote another value than in the trace. */
typedef struct ser_executed_value {
    uint32_t event;
    uint64_t value, recorded;
} ser_executed_value;

typedef struct ser_execution {
    const ser_observed *observed;
    const ser_reads *reads;           /* NULL: none */
    const ser_checker_values *values; /* these two: NULL, but for the model data */
    ser_checker_flows *flows;
    const ser_checker_code *code; /* the model guards, if texts name reads; else NULL. With it: */
    bool *altered;                /* by event: a read of another value that was followed */
    uint64_t *altered_value;      /* the same: which */
    bool *holds_altered;          /* by variable: its last write wrote another value */
    uint64_t *held_value;         /* the same: which */
    bool happened;                /* the order is the trace's own (checker.h) */
    bool may_change;              /* reads or values are there: the model is not avp */
    bool *done;                   /* by event */
    ser_execution_thread *threads;
    uint32_t *last_write;
    bool *dirty;       /* by variable: its last write is */
    bool *freed;       /* by variable */
    uint32_t step;     /* the first event of the newest step with accesses */
    uint32_t breaking; /* the first broken read of that step; 0: none */
    uint64_t seen;     /* what a broken update of that step has read */
    uint32_t ending;   /* an access of that step to a freed variable; 0: none */
    ser_lock_holders *locks;
    ser_event_numbers *pending; /* by condition: waits */
    uint32_t round; /* an arrival: as source of departures, the last round that was left; 0: none */
    /* What happened, in order. */
    ser_event_numbers order;
    ser_event_numbers broken;
    ser_executed_accesses accesses;
    SER_VECTOR(ser_executed_value) other_values; /* where they are known */
    uint32_t switches;
} ser_execution;

/* `reads`, and both `values` and `flows`, may be NULL; they must outlive the execution. */
void ser_execution_init(ser_execution *run, const ser_observed *observed, const ser_reads *reads,
                        const ser_checker_values *values, ser_checker_flows *flows);

/* With values and flows: values are computed by what texts say. The code must outlive the
 * execution. */
void ser_execution_follow(ser_execution *run, const ser_checker_code *code);
void ser_execution_fini(ser_execution *run);

/* Executes an event, or changes nothing and says why it may not happen now. */
ser_status ser_execution_step(ser_execution *run, uint32_t event, ser_error *error);

/* Is the variable of the access freed, now or in the observed trace? */
bool ser_execution_is_freed(const ser_execution *run, uint32_t event);

/* Back to the start. O(what was executed). */
void ser_execution_reset(ser_execution *run);

#endif
