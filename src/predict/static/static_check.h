/* SPDX-License-Identifier: MIT */
/*
 * static_check.h - blocks that cannot be violated, seen without any search.
 *
 * A violation path leaves the block at an access s and comes back at a later one t;
 * all between happens while the block is between s and t. So there is none if the
 * block has fewer than two accesses; or if there are no two, s before t, that
 * accesses of other threads in the segment conflict with (the paper's check); or
 * none once accesses are left out that are made under a lock which the block holds
 * from the first such access to the last.
 */
#ifndef SER_PREDICT_STATIC_STATIC_CHECK_H
#define SER_PREDICT_STATIC_STATIC_CHECK_H

#include "order/index.h"
#include "order/order.h"
#include "predict/segment/segment.h"
#include "predict/static/guard.h"

typedef enum ser_static_proof {
    SER_STATIC_OPEN,         /* not settled */
    SER_STATIC_FEW_ACCESSES, /* fewer than two */
    SER_STATIC_NO_CONFLICTS, /* the paper's check */
    SER_STATIC_LOCKED,       /* what conflicts is locked out */
    SER_STATIC_NO_PATH,      /* what leaves cannot come back (relevance.h) */
    SER_STATIC_TWO_PHASE,    /* it and all that may overlap use two-phase locking (two_phase.h) */
} ser_static_proof;

/* A proof counts for nothing if the meter, which may be NULL, was over. */

/* By facts about the whole run, O(1) per access of the block. What it proves the other
 * one proves, too, but perhaps as SER_STATIC_NO_CONFLICTS. Without an order (NULL), with guards by
 * forks and joins alone, a proof holds whatever reads may do: in every model. */
ser_static_proof ser_static_check_run(const ser_run *run, const ser_order *order,
                                      const ser_lock_guards *guards, uint32_t block,
                                      ser_meter *meter);

/* The frontiers of the block's segment are enough (ser_tas_frontiers). */
ser_static_proof ser_static_check(const ser_order *order, const ser_index *index, uint32_t block,
                                  const ser_segment *frontiers, ser_meter *meter);

bool ser_holds_one_against(const ser_run *run, uint32_t event, uint32_t acquire, ser_meter *meter);

/* Does a thread hold, after `event`, a lock in a way that keeps out the thread that made
 * `acquire`? */
static inline bool ser_holds_against(const ser_run *run, uint32_t event, uint32_t acquire,
                                     ser_meter *meter)
{
    /* Checked first, since most events hold no lock. */
    return run->held[event] && ser_holds_one_against(run, event, acquire, meter);
}

#endif
