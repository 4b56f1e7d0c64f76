/* SPDX-License-Identifier: MIT */
/*
 * checker.h - is a witness valid? Executes an interleaving of the whole trace by the definition.
 *
 * No violation is reported that has not passed this check. The checker works on the events of the
 * trace alone and shares no code with the engines: it finds reads-from edges and lock owners by
 * itself, executes the order step by step by the definition of almost view-preserving
 * interleavings, or of those in which reads may change (trace/reads.h), and looks for the violation
 * path.
 *
 * Cost: O(trace) to create, O(order) per check, plus the search for the path. Not thread-safe: one
 * checker per thread.
 */
#ifndef SER_WITNESS_CHECKER_H
#define SER_WITNESS_CHECKER_H

#include "base/status.h"
#include "base/vector.h"
#include "trace/event.h"
#include "trace/reads.h"
#include "trace/symbols.h"

typedef struct ser_checker ser_checker;

/* Which interleavings count. All zero: the model avp. */
typedef struct ser_checker_model {
    const ser_reads *reads;    /* rules for reads; NULL: none */
    bool equal_values;         /* the model data: a read of an equal value is no change, and one
                                  that is data only does not stop its thread */
    const ser_symbols *guards; /* with equal_values, the model guards: nor is one of a value that
                                  the guards of the read do not distinguish; their texts */
    bool happened;             /* the order is the trace itself, which was executed: what a thread
                                  did after it used freed memory counts */
} ser_checker_model;

/* events[1 .. count], validated and marked; model: NULL for avp. Events and rules must outlive the
 * checker. */
ser_checker *ser_checker_create(const ser_event *events, uint32_t count,
                                const ser_checker_model *model);
void ser_checker_destroy(ser_checker *checker);

/* What a good witness shows. */
typedef struct ser_witness_value {
    uint32_t event;
    uint64_t value, recorded; /* read or written */
} ser_witness_value;

typedef SER_VECTOR(ser_witness_value) ser_witness_values;

typedef struct ser_witness_facts {
    SER_VECTOR(uint32_t)
    path;                        /* s, v1 .. vn, t for the path criterion; for serializability
                                    the events of the cycle's edges, from, to, from, to, ... */
    SER_VECTOR(uint32_t) broken; /* broken (changed) reads and failed tries, as executed */
    uint32_t switches;           /* context switches of the order */
    ser_witness_values values;   /* of accesses whose value is known, and is not the recorded one */
    ser_witness_values path_values; /* in the model guards: of accesses of the path, where known */
} ser_witness_facts;

void ser_witness_facts_fini(ser_witness_facts *facts);

/*
 * order: event numbers from the very first on; block: number of the first event of
 * the block. SER_OK and the facts if every step is allowed and the block is violated
 * (by the path criterion, or with `serializability` by that one). SER_INTERNAL and
 * the reason otherwise: "step 7, event 12: ...". The facts are overwritten, and empty
 * unless the status is SER_OK.
 */
ser_status ser_checker_check(ser_checker *checker, uint32_t block, bool serializability,
                             const uint32_t *order, size_t count, ser_witness_facts *facts,
                             ser_error *error);

/* The same for three accesses (checker/triple.h): if they violate the block, they are the path. */
ser_status ser_checker_check_triple(ser_checker *checker, uint32_t block, const uint32_t triple[3],
                                    const uint32_t *order, size_t count, ser_witness_facts *facts,
                                    ser_error *error);

#endif
