/* SPDX-License-Identifier: MIT */
/*
 * between.h - inside of observed.h: a critical section that comes between two of a block.
 *
 * A block gives a lock back and takes it again, and another thread's critical section comes
 * between. That section belongs together, by its lock, even if nobody calls it a block: if it uses
 * data that the block has used before, and data that it uses after, then it has seen half of what
 * the block does. A path of accesses alone does not show it if the section uses the second before
 * the first.
 */
#ifndef SER_SESSION_RUN_BETWEEN_H
#define SER_SESSION_RUN_BETWEEN_H

#include "monitor/explain.h"
#include "order/run.h"

/* Of a violation by locks: is it one by data, too, in this way? `in_data` is about that then, with
 * steps to be freed. O(events of the block * events of the section). */
bool ser_find_section_between(const ser_run *run, const ser_finding *by_locks,
                              ser_finding *in_data);

#endif
