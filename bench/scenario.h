/* SPDX-License-Identifier: MIT */
/*
 * scenario.h - inside of workload: the types of transactions a program has.
 */
#ifndef SER_BENCH_SCENARIO_H
#define SER_BENCH_SCENARIO_H

#include "base/vector.h"
#include "random.h"
#include "workload.h"

enum { MOST_LOCKS = 3, MOST_SLOTS = 6 };

/* One step: its operand is the lock or the variable that the transaction has
 * put at that index when it started. */
typedef struct step {
    uint8_t op; /* ser_op */
    uint8_t index;
    uint32_t site;
} step;

typedef struct transaction_type {
    SER_VECTOR(step) steps;
    uint32_t locks;
    uint32_t slots;              /* variables */
    uint32_t guards[MOST_SLOTS]; /* index of the lock that guards the slot's variable */
} transaction_type;

typedef SER_VECTOR(transaction_type) type_list;

/* Appends types until the locations are used up. */
void make_types(type_list *types, const workload_options *options, random_source *random);
void free_types(type_list *types);

#endif
