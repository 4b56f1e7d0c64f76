/* SPDX-License-Identifier: MIT */
/*
 * legs.h - the edges of cycles that are still to be explained (explain.h), by their two
 * transactions.
 *
 * A transaction is identified by its first event. Cycles may share transactions (one that stays
 * open may be on thousands of them), so a leg is found by both its ends: O(log legs), and each leg
 * is explained once.
 */
#ifndef SER_MONITOR_LEGS_H
#define SER_MONITOR_LEGS_H

#include "base/vector.h"
#include "monitor/engine.h"

typedef struct ser_leg {
    ser_transaction from, to;
    uint32_t finding; /* whose cycle it is part of, */
    uint32_t step;    /* and which */
} ser_leg;

/* Legs between the same two transactions; the first `left` are still to be shown. */
typedef struct ser_leg_group {
    uint64_t from, to;
    size_t first, left;
} ser_leg_group;

/* All zero: empty. */
typedef struct ser_legs {
    SER_VECTOR(ser_leg) list;
    SER_VECTOR(ser_leg_group) groups; /* by from, to */
} ser_legs;

void ser_legs_fini(ser_legs *legs);

/* After the last leg was pushed to the list, before the first is taken. */
void ser_legs_group(ser_legs *legs);

/*
 * A leg from the first to the second transaction that has event `source` of the one
 * and event `target` of the other on it, and was not taken yet: taken now. NULL if
 * there is none. `target` never falls from call to call.
 */
const ser_leg *ser_legs_take(ser_legs *legs, uint64_t from, uint64_t to, uint64_t source,
                             uint64_t target);

#endif
