/* SPDX-License-Identifier: MIT */
/*
 * checker/triple.h - inside of the checker: do three accesses of an execution violate a block?
 *
 * They are of one variable, the first and the last of the block, the one between of another thread,
 * executed in that order; and the one between writes, or both others do. Where values are followed,
 * neither neighbouring pair may be independent (section 3 of the paper:
 * docs/algorithms/triples.md).
 */
#ifndef SER_WITNESS_CHECKER_TRIPLE_H
#define SER_WITNESS_CHECKER_TRIPLE_H

#include "witness/checker/execution.h"

/* `block` is the number of its first event. False: see why. */
bool ser_checker_triple_holds(const ser_execution *run, uint32_t block, const uint32_t triple[3],
                              const char **why);

#endif
