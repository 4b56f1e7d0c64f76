/* SPDX-License-Identifier: MIT */
/*
 * compare.h - an engine's answers beside the right ones.
 *
 * velodrome and summaries must report the first event that closes a cycle, with
 * its block, and with --all what reference_all says. aerodrome must report at
 * the first event after which there is a cycle that runs forward through all its
 * open transactions but one: never where there is no cycle, and not later than
 * the first one in which at most one transaction is open.
 */
#ifndef SER_ORACLE_COMPARE_H
#define SER_ORACLE_COMPARE_H

#include "definition.h"
#include "monitor/engine.h"
#include "random_trace.h"
#include "reference_all.h"

/* The right answers for one trace. */
typedef struct expectation {
    const event_list *events; /* marked; not owned */
    bool large;               /* too long for the definition: only `all` is known */
    definition definition;
    finding_list all;
} expectation;

void expectation_init(expectation *right, const event_list *events, bool large);
void expectation_fini(expectation *right);

typedef struct difference {
    char text[4096];
} difference;

/* Runs the engine, in batches whose sizes depend on the seed. True, with a text,
 * if it does not do what it must. */
bool engine_differs(const ser_engine *engine, const expectation *right, uint64_t seed,
                    difference *found);

#endif
