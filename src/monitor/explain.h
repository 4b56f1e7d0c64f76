/* SPDX-License-Identifier: MIT */
/*
 * explain.h - from a cycle of transactions to the events that make it one.
 *
 * An engine names the transactions on a cycle. The explainer reads the trace once
 * more and finds, for each transaction and the next one, two events of theirs of
 * which the first must come before the second, and why. This is also an independent check of the
 * cycle: an edge that cannot be explained is a bug in seriatim.
 *
 *     ser_explainer *explainer = ser_explainer_create();
 *     for each violation: ser_explainer_add(explainer, violation);
 *     while (ser_explainer_wants_more(explainer)) ser_explainer_feed(...);
 *     ser_explainer_finish(explainer);
 *     use ser_explainer_finding(explainer, i)
 *
 * Cost: as velodrome's, without the graph. Memory: O(variables + cycles).
 */
#ifndef SER_MONITOR_EXPLAIN_H
#define SER_MONITOR_EXPLAIN_H

#include "base/vector.h"
#include "monitor/conflicts/token.h"
#include "monitor/engine.h"

#define SER_NO_BLOCK UINT32_MAX

/* An atomic block that is part of a finding. */
typedef struct ser_block_span {
    uint64_t begin, end; /* numbers of its first and last event; end 0: it does not end */
    ser_event first;
} ser_block_span;

/* An event that is part of a finding. */
typedef struct ser_moment {
    uint64_t number;
    ser_event event;
    uint32_t block; /* ser_explainer_block; SER_NO_BLOCK outside blocks */
} ser_moment;

/* `from` comes before `to`, and they are of different transactions. */
typedef struct ser_step {
    ser_moment from, to;
    ser_edge_kind by;
    uint32_t object; /* variable, lock, thread, condition, ... as `by` says */
} ser_step;

typedef SER_VECTOR(ser_step) ser_steps;

typedef struct ser_finding {
    ser_moment event; /* at which the violation was reported */
    uint32_t thread;  /* of the violated block */
    uint64_t begin;   /* number of its first event */
    uint32_t block;   /* that block; SER_NO_BLOCK if the explainer did not get there */
    ser_steps steps;  /* the cycle, from the violated block back to it; empty if the
                         explainer did not get there */
} ser_finding;

/* finding.c: have all steps their events? */
bool ser_finding_is_shown(const ser_finding *finding);
/* Adds the steps within a transaction that an engine has merged with events outside blocks. */
void ser_finding_insert_program_order(ser_finding *finding);

typedef struct ser_explainer ser_explainer;

ser_explainer *ser_explainer_create(void);
void ser_explainer_destroy(ser_explainer *explainer);

/* A violation; before the first feed, ordered by event. Of one without a cycle
 * (cycle_length 0) only the block is found. */
void ser_explainer_add(ser_explainer *explainer, const ser_violation *violation);

/* The events of the whole trace from the first on. */
void ser_explainer_feed(ser_explainer *explainer, const ser_event *events, size_t count,
                        uint64_t first);

/* False once everything is found, including the ends of all blocks involved. */
bool ser_explainer_wants_more(const ser_explainer *explainer);

/* After the last feed, which may have come too early (an interrupt): then findings
 * that are not explained yet stay so. */
void ser_explainer_finish(ser_explainer *explainer);

size_t ser_explainer_finding_count(const ser_explainer *explainer);
const ser_finding *ser_explainer_finding(const ser_explainer *explainer, size_t index);
const ser_block_span *ser_explainer_block(const ser_explainer *explainer, uint32_t block);

#endif
