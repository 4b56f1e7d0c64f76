/* SPDX-License-Identifier: MIT */
/*
 * definition.h - conflict serializability by the definition, slowly.
 *
 * A prefix of a trace is serializable iff the graph of its transactions has no
 * cycle, where each pair of conflicting events (conflict.h) is an edge from the
 * earlier one's transaction to the later one's.
 *
 * Cost: cubic in the number of events, or so. Shares no code with the engines.
 */
#ifndef SER_ORACLE_DEFINITION_H
#define SER_ORACLE_DEFINITION_H

#include "facts.h"

typedef struct definition {
    facts facts;
    bool *conflicts; /* (count + 1)^2; [earlier * (count + 1) + later] */

    /* The answers: event numbers, 0 for none. A prefix ends with its event. */
    size_t first_cycle; /* the first prefix that has a cycle */
    size_t block;       /* first event of the transaction that closes it */
    /* The first prefix with a cycle in which at most one transaction is open. */
    size_t first_with_one_open;
    /* The first prefix with a cycle that runs forward through all its open
     * transactions but one: it leaves each no earlier than it entered it. These
     * are the cycles that vector clocks of events see (AeroDrome, Theorem 2). */
    size_t first_forward;
} definition;

/* The marked events of a well-formed trace, which must outlive the definition. */
void definition_init(definition *d, const ser_event *events, size_t count);
void definition_fini(definition *d);

static inline bool conflict_between(const definition *d, size_t earlier, size_t later)
{
    return d->conflicts[earlier * (d->facts.count + 1) + later];
}

/* Does the transaction lie on a cycle of the prefix that ends with last? */
bool definition_is_on_cycle(const definition *d, size_t transaction, size_t last);

#endif
