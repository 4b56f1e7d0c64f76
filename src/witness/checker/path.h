/* SPDX-License-Identifier: MIT */
/*
 * checker/path.h - inside of the checker: does an execution violate a block?
 *
 * Path criterion: there is a path s -> v1 -> ... -> vn -> t over executed reads and
 * writes, along program order and conflicts in the order executed, and both ways
 * within a step, with s and t in the block and n >= 1 vertices outside. (A path that passes through
 * the block on its way has a part that does not.)
 *
 * Serializability: the block lies on a cycle of transactions, with edges between
 * executed reads and writes of different transactions that conflict or are of one
 * thread, from the earlier to the later.
 */
#ifndef SER_WITNESS_CHECKER_PATH_H
#define SER_WITNESS_CHECKER_PATH_H

#include "witness/checker/execution.h"

typedef struct ser_path_finder ser_path_finder;

ser_path_finder *ser_path_finder_create(const ser_observed *observed);
void ser_path_finder_destroy(ser_path_finder *finder);

/*
 * Looks for a shortest path, or cycle, for the block that starts with that event.
 * Appends its edges to an empty list: from, to, from, to, ... On a path each edge
 * starts where the last one ended. False if there is none. O(accesses).
 */
bool ser_checker_path_find(ser_path_finder *finder, const ser_executed_accesses *accesses,
                           uint32_t block, bool serializability, ser_event_numbers *edges);

#endif
