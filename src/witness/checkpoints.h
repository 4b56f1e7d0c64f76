/* SPDX-License-Identifier: MIT */
/*
 * checkpoints.h - checks witnesses that begin near their block, in a trace that is in memory.
 *
 * The whole-trace checker (checker.h) executes every witness from the first event on. If a trace
 * has many violations that is most of the work. Here one pass over the trace takes checkpoints, and
 * a witness that executes everything before some event as observed is checked from the last
 * checkpoint before that event (from_checkpoint.h). Only for paths under the model avp.
 *
 * Thread-safe once created. Cost: O(trace) to create; per check O(what is held at the checkpoint +
 * events from there to the end of the window).
 */
#ifndef SER_WITNESS_CHECKPOINTS_H
#define SER_WITNESS_CHECKPOINTS_H

#include "witness/checker.h"

typedef struct ser_checkpoints ser_checkpoints;

/* events[1 .. count], validated and marked; they must outlive the checkpoints. `spacing` events lie
 * between two of them; 0: a number that suits large traces. */
ser_checkpoints *ser_checkpoints_create(const ser_event *events, uint32_t count, uint32_t spacing);
void ser_checkpoints_destroy(ser_checkpoints *checkpoints);

/* A witness that executes events 1 to start - 1 as observed, and then the order, which has no event
 * behind `last`. No multi-variable access is split by start or last. */
typedef struct ser_near_witness {
    uint32_t block; /* the first event of the block, from start to last */
    uint32_t start, last;
    const uint32_t *order;
    size_t count;
} ser_near_witness;

/* As ser_checker_check does, by the criterion of paths. Switches are those of the order alone. */
ser_status ser_checkpoints_check(const ser_checkpoints *checkpoints,
                                 const ser_near_witness *witness, ser_witness_facts *facts,
                                 ser_error *error);

#endif
