/* SPDX-License-Identifier: MIT */
/*
 * relation.h - which transactions reach which, for the criterion of serializability.
 *
 * Transactions are numbered from 0. The relation is kept transitively closed; pairs
 * are only ever added, and undone in reverse. Memory: a bit for each pair.
 */
#ifndef SER_PREDICT_STATES_RELATION_H
#define SER_PREDICT_STATES_RELATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vector.h"

typedef struct ser_relation {
    uint32_t count, words;
    uint64_t *reaches;          /* row i: the transactions that i reaches */
    uint64_t *reachedby;        /* row j: those that reach j */
    SER_VECTOR(uint64_t) added; /* pairs, i << 32 | j, in the order they were added */
} ser_relation;

void ser_relation_init(ser_relation *relation, uint32_t count);
void ser_relation_fini(ser_relation *relation);

bool ser_relation_holds(const ser_relation *relation, uint32_t from, uint32_t to);

/* Adds an edge and all that follows; new pairs are appended to `added`. */
void ser_relation_add(ser_relation *relation, uint32_t from, uint32_t to);

/* Takes back the pairs after the first `count` of `added`. */
void ser_relation_undo(ser_relation *relation, size_t count);

#endif
