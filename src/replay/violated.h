/* SPDX-License-Identifier: MIT */
/*
 * violated.h - the judge of replays: does the trace of a replay show some run of the same code
 * violated, in the order in which it was recorded?
 *
 * It does not matter whether the schedule was followed, nor how the program ended: what the
 * trace shows has happened. The verdict is that of the checker of witnesses (criterion path); a
 * scan finds the blocks that are worth asking it about.
 *
 * Cost: O(events x threads) for the scan, and a check for what it has found.
 */
#ifndef SER_REPLAY_VIOLATED_H
#define SER_REPLAY_VIOLATED_H

#include "order/run.h"
#include "replay/same_code.h"
#include "witness/checker.h"

/* Does a violation of the block with that first event count? */
typedef struct ser_violation_filter {
    bool (*counts)(void *context, const ser_run *run, uint32_t begin,
                   const ser_witness_facts *facts); /* NULL: any does */
    void *context;
} ser_violation_filter;

/* The first of the blocks that the run violates in a way that counts: true, its first event, and
 * what the checker saw. */
bool ser_find_violated(const ser_run *run, const ser_block_list *blocks,
                       const ser_violation_filter *filter, uint32_t *begin,
                       ser_witness_facts *facts);

#endif
