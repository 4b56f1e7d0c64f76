/* SPDX-License-Identifier: MIT */
/*
 * exact.h - which blocks of a recorded script (script.h) can be violated while every thread does
 * what it was recorded to do, by exact data?
 *
 * Interleavings are those of the trace, by the rules for forks, locks, waits and the like
 * (avp_world.h), but values decide how far a thread goes: up to the first branch or event that is
 * not the recorded one. A compare-exchange that succeeds now and failed in the trace, or the other
 * way round, happens, and its thread stops.
 *
 * No model has more of a compare-exchange than its recorded result: if it reads a different write,
 * it writes nothing, and one that succeeded in the trace stops its thread. Without what relies on
 * more, exact data is part of what candidates are.
 */
#ifndef SER_ORACLE_EXACT_H
#define SER_ORACLE_EXACT_H

#include "sample.h"
#include "script.h"

typedef enum exchange_rule {
    EXCHANGE_BY_DATA, /* a compare-exchange does what it does */
    EXCHANGE_BY_MODEL /* and no more than the models let it */
} exchange_rule;

/* block: an index of sample blocks. */
script_answer search_exact(const script *s, const sample *trace, size_t block, exchange_rule rule);

#endif
