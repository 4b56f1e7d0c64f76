/* SPDX-License-Identifier: MIT */
/*
 * two_phase.h - blocks that lie on no cycle of transactions, in any interleaving, because all
 * transactions use two-phase locking.
 *
 * A transaction is two-phase if it makes each access of a contested variable under the
 * variable's guard (guard.h), a write under its writer's side, and if it holds all these
 * guards at one time. Whatever the interleaving, an edge between two such transactions
 * leads from the one for which that time comes first. So a cycle has a transaction that
 * is not two-phase, or is one of them: docs/algorithms/segment.md has the proof. Threads
 * that are linked by contested variables form groups; in a group in which all transactions are
 * two-phase, no block can be violated.
 *
 * Cost: one pass over the run. Read-only once created.
 */
#ifndef SER_PREDICT_STATIC_TWO_PHASE_H
#define SER_PREDICT_STATIC_TWO_PHASE_H

#include "predict/static/guard.h"
#include "predict/static/outer.h"

typedef struct ser_two_phase {
    uint32_t *group; /* of each thread: another one of its group, or itself */
    bool *spoilt;    /* of each thread that stands for its group */
} ser_two_phase;

/* Incomplete if the meter, which may be NULL, was over. */
ser_two_phase *ser_two_phase_create(const ser_run *run, const ser_outer *outer,
                                    const ser_lock_guards *guards, ser_meter *meter);
void ser_two_phase_destroy(ser_two_phase *proof);

/* True: no interleaving has a cycle of transactions that the block lies on. */
bool ser_two_phase_proves(const ser_two_phase *proof, const ser_run *run, uint32_t block);

#endif
