/* SPDX-License-Identifier: MIT */
/*
 * nested_locks.h - could another thread be at r while the block is between c and c', for all that
 * locks say?
 *
 * Locksets must be disjoint, and acquisition histories consistent (Kahlon, Ivancic and Gupta 2005):
 * not both has one thread taken l2 while it held l1, and the other l1 while it held l2, if each
 * still holds the first. Exact for nested locks where nothing else orders the threads. It is the
 * analysis without data with which others are compared; no verdict follows from it.
 */
#ifndef SER_PREDICT_TRIPLES_NESTED_LOCKS_H
#define SER_PREDICT_TRIPLES_NESTED_LOCKS_H

#include "predict/triples/triples.h"

/* O(events between c and c', times pairs of locks held). */
bool ser_nested_locks_allow(const ser_run *run, const ser_index *index, const ser_triple *triple);

#endif
