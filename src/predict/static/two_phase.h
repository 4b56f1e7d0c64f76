/* SPDX-License-Identifier: MIT */
/*
 * two_phase.h - blocks that lie on no cycle of transactions, in any interleaving, because they and
 * all transactions that can be under way at the same time use two-phase locking.
 *
 * A transaction is two-phase if there is a time at which it holds the guards of all guarded
 * variables that it accesses (discipline.h). A step that accesses contested variables without any
 * discipline must be at that time; there can be one such step. Whatever the interleaving, an edge
 * between two such transactions leads from the one for which that time comes first. So a cycle has
 * a transaction that is not two-phase, a loose one, which is under way at that time of each of the
 * others: docs/algorithms/segment.md has the proof. Only blocks can be loose. Threads that are
 * linked by contested variables form groups; a cycle lies within a group.
 *
 * Cost: one pass over the run. Read-only once created.
 */
#ifndef SER_PREDICT_STATIC_TWO_PHASE_H
#define SER_PREDICT_STATIC_TWO_PHASE_H

#include "predict/static/discipline.h"

typedef struct ser_two_phase {
    const ser_run *run;
    const ser_order *order; /* NULL: not known */
    uint32_t *group;        /* of each thread: another one of its group, or itself */
    bool *spoilt;           /* of each thread that stands for its group: it has loose blocks */
    uint32_t threads;
    ser_event_list *loose; /* of each thread: its loose blocks, in its order */
} ser_two_phase;

/* Incomplete if the meter was over. Of the facts, it uses run and order later on. */
ser_two_phase *ser_two_phase_create(const ser_discipline_facts *facts);
void ser_two_phase_destroy(ser_two_phase *proof);

/* True: no interleaving has a cycle of transactions that the block lies on. Without an order, only
 * groups without loose blocks are known to have none. O(threads * log blocks). */
bool ser_two_phase_proves(const ser_two_phase *proof, uint32_t block);

#endif
