/* SPDX-License-Identifier: MIT */
/*
 * from_checkpoint.h - is a witness valid that begins somewhere in the trace? The checker, without
 * the events that a checkpoint (trace/checkpoint.h) stands for.
 *
 * The answer is that of the checker (checker.h) for the whole trace, if everything before the
 * checkpoint is executed as observed, but for waits that are pending there and come later. Only for
 * paths under the model avp: a cycle of transactions may go through accesses before the checkpoint.
 *
 * Cost: O(what the checkpoint holds + window + order).
 */
#ifndef SER_WITNESS_FROM_CHECKPOINT_H
#define SER_WITNESS_FROM_CHECKPOINT_H

#include "trace/checkpoint.h"
#include "witness/checker.h"

/* Events from a checkpoint on. */
typedef struct ser_checked_window {
    const ser_checkpoint *start;
    const ser_event *events; /* validated and marked; events[0] comes right after the checkpoint */
    size_t count;
    uint64_t first; /* the number of events[0] */
} ser_checked_window;

/* What is to be checked; all numbers are those of the trace. */
typedef struct ser_late_witness {
    uint64_t block;        /* the first event of the block, in the window */
    const uint64_t *later; /* waits from before the window that are not executed there */
    size_t later_count;
    const uint64_t *order; /* events of the window, and of `later` */
    size_t order_count;
} ser_late_witness;

/* SER_OK if every step is allowed and a path violates the block; SER_INTERNAL and the reason
 * otherwise. The facts are overwritten, for traces that fit into memory: path and broken reads, as
 * numbers of the trace; NULL: nobody wants them. */
ser_status ser_checker_check_from(const ser_checked_window *window, const ser_late_witness *witness,
                                  ser_witness_facts *facts, ser_error *error);

#endif
