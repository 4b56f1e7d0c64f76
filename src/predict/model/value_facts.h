/* SPDX-License-Identifier: MIT */
/*
 * value_facts.h - what the recorded values say about variables: their initial values, and whether
 * the trace has all their writes.
 *
 * Where a read has another value than its write, or two reads disagree on the initial value, a
 * write is missing in the trace. Where a variable gets the same address twice, and memory may have
 * been freed meanwhile, the second may be the address of another object: equal values are then not
 * the same pointer. In both cases values decide nothing for that variable. O(events). Read-only
 * once found.
 */
#ifndef SER_PREDICT_MODEL_VALUE_FACTS_H
#define SER_PREDICT_MODEL_VALUE_FACTS_H

#include "order/run.h"

typedef struct ser_variable_facts {
    uint32_t user;      /* 1 + the only thread that accesses it; SER_USER_NONE, SER_USER_SEVERAL */
    uint64_t initial;   /* its value before the first write */
    bool knows_initial; /* a read, or the text of the first write, has shown it */
    bool is_written;
    bool opaque; /* a read had another value than the write before it; or it may hold the same
                    address of two objects */
} ser_variable_facts;

enum { SER_USER_NONE = 0 };
#define SER_USER_SEVERAL UINT32_MAX

typedef struct ser_value_facts {
    SER_VECTOR(ser_variable_facts) variables;
    bool *torn; /* by event: a read of another value than its write had */
} ser_value_facts;

/* `by_texts`: texts of first writes count, too (contract/guards.def: <), which are part of the
 * model guards. */
void ser_value_facts_init(ser_value_facts *facts, const ser_run *run, bool by_texts);
void ser_value_facts_fini(ser_value_facts *facts);

/* Is it an access with a value? What a free leaves behind is none: nothing accepts it. */
static inline bool ser_has_value(const ser_event *event)
{
    return ser_op_is_access((ser_op)event->op) && !ser_op_frees((ser_op)event->op) &&
           event->flags & SER_EVENT_HAS_VALUE;
}

/* A read that is no write: the value of a read-modify-write is what it wrote. */
static inline bool ser_only_reads(const ser_event *event)
{
    return ser_op_reads((ser_op)event->op) && !ser_op_writes((ser_op)event->op);
}

/* What a read-modify-write has read: what its source wrote. False if it is none, or that is not
 * known. */
bool ser_find_old_value(const ser_value_facts *known, const ser_run *run, uint32_t event,
                        uint64_t *old);

/* May reads of the variable accept other writes than their own, by the values of these? Reads of
 * variables that only one thread uses never see another. */
static inline bool ser_may_accept(const ser_value_facts *known, uint32_t variable)
{
    const ser_variable_facts *of = &known->variables.items[variable];
    return of->user == SER_USER_SEVERAL && !of->opaque;
}

#endif
