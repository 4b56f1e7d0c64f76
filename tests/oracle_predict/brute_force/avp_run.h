/* SPDX-License-Identifier: MIT */
/*
 * avp_run.h - one interleaving, step by step, and whether it violates a block, with
 * the criteria spelled out as they are defined.
 */
#ifndef SER_ORACLE_AVP_RUN_H
#define SER_ORACLE_AVP_RUN_H

#include "avp_world.h"

typedef struct avp_run {
    const avp_world *world;
    avp_state state;
    uint32_t order[AVP_MOST_EVENTS];
    size_t count;
    bool broken[AVP_MOST_EVENTS]; /* by step */
} avp_run;

/* Executes an event, any number; false, and nothing happens, if it may not. */
bool avp_run_step(avp_run *run, uint32_t event);

/* Takes the last step back, given the state before it. */
void avp_run_undo(avp_run *run, const avp_state *before);

/*
 * How many edges has the shortest path that leaves the block and comes back, or the
 * shortest cycle of transactions through it? 0 if there is none, or the run ends
 * within a step.
 */
size_t avp_run_violation(const avp_run *run, size_t block, bool serializability);

/* Does an edge lead from the access at one place of the order to that at another? From
 * a later to an earlier one only if both are of one step. */
bool avp_run_edge(const avp_run *run, size_t from, size_t to);

#endif
