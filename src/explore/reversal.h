/* SPDX-License-Identifier: MIT */
/*
 * reversal.h - schedules that try for the other order of two conflicting accesses of a run.
 *
 * Everything up to the first access (or to where its thread takes a lock that both hold) as
 * recorded, then the other thread alone up to its access. Whether the program goes along is up to
 * it: the second access may see another value than in the run, and what comes then is unknown.
 */
#ifndef SER_EXPLORE_REVERSAL_H
#define SER_EXPLORE_REVERSAL_H

#include "order/run.h"

/* A write within a block, and a read of another thread that saw it. */
typedef struct ser_reversal {
    uint32_t write, read;
} ser_reversal;

typedef SER_VECTOR(ser_reversal) ser_reversal_list;

/* Appends the interleaving. O(events). */
void ser_reversal_make(const ser_run *run, uint32_t first, uint32_t second, ser_event_list *order);

/*
 * Reads that would come in the middle of a block, if they came before the write that they saw: its
 * thread has made accesses of the block before it must stop. The program may take another path
 * after such a read, and a thread that checks first and then acts may act twice. One for each pair
 * of places; those of blocks of the same code come first. O(events).
 */
void ser_reversals_find(const ser_run *run, ser_reversal_list *list);

#endif
