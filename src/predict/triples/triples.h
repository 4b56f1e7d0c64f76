/* SPDX-License-Identifier: MIT */
/*
 * triples.h - three accesses c, r, c' of one variable: c and c' of a block, r of another thread,
 * that cannot be put in a serial order if r comes between the two.
 *
 * That is every pattern but R-R-R, R-R-W and W-R-R: r writes, or all but r do. A triple is
 *   potential  by its operations alone
 *   ordered    and if no fork or join puts r before c or after c'
 *   unlocked   and if locksets and acquisition histories let r come between: what an analysis
 *              reports that ignores data, and all synchronisation but nested locks
 *   real       and if an interleaving of the model has the three in that order
 * (Wang, Limaye, Ganai and Gupta 2010; docs/algorithms/triples.md).
 */
#ifndef SER_PREDICT_TRIPLES_TRIPLES_H
#define SER_PREDICT_TRIPLES_TRIPLES_H

#include "order/index.h"
#include "order/run.h"

/* Numbers of events. */
typedef struct ser_triple {
    uint32_t from, remote, to;
} ser_triple;

typedef SER_VECTOR(ser_triple) ser_triple_list;

/* How many triples of a block are what. */
typedef struct ser_triple_counts {
    uint64_t potential, ordered, unlocked, real;
    uint64_t undecided; /* ordered ones of which it is not known whether they are real */
} ser_triple_counts;

enum { SER_MOST_TRIPLES = 50000 }; /* that are listed of a block */

/* Appends the potential triples of a block. False: there are more than can be listed. */
bool ser_triples_list(ser_triple_list *list, const ser_run *run, const ser_index *index,
                      uint32_t block);

#endif
