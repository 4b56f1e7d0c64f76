/* SPDX-License-Identifier: MIT */
/*
 * plan.h - an interleaving of a recorded run as a schedule that the program's runtime can
 * follow, and what it should be seen to do.
 *
 * The runtime counts operations of the program, the trace events: an operation on several variables
 * has several events, and elided operations have none; the values of calls, returns and skip events
 * say how many operations their thread made there. Threads are known by their number in the order
 * of creation, which is that of the interleaving.
 *
 * Memory: the plan refers to the run, which must outlive it. Not thread-safe.
 */
#ifndef SER_REPLAY_PLAN_H
#define SER_REPLAY_PLAN_H

#include "base/status.h"
#include "contract/channel.h"
#include "order/run.h"

typedef struct ser_plan_thread {
    bool known;            /* the run has such a thread */
    uint32_t thread;       /* in the run */
    ser_event_list starts; /* the first event of each operation in the trace, all of the run */
    uint64_t planned;      /* operations that the schedule has it make */
} ser_plan_thread;

typedef struct ser_plan {
    const ser_run *run;
    uint64_t *numbers; /* by event, of its operation (ser_operation_numbers) */
    uint64_t *needs;   /* by event: how many operations its thread must have made */
    SER_VECTOR(ser_plan_thread) threads; /* by number of creation */
    SER_VECTOR(uint32_t) created;        /* by thread of the run: its number of creation */
    SER_VECTOR(ser_turn) turns;
    SER_VECTOR(ser_gap) gaps;  /* what the run elided, unless it is little */
    uint64_t operations;       /* all that are planned */
    SER_VECTOR(uint64_t) made; /* by place in the interleaving: planned up to there */
} ser_plan;

/* For each event of the run, which of its thread's operations it is part of; the first is number
 * 1. Of a skip event: the last operation elided there. One pass; to be freed. */
uint64_t *ser_operation_numbers(const ser_run *run);

/* Is it the first event of an operation? */
bool ser_operation_starts(const ser_run *run, uint32_t event);

/* SER_INPUT if the run cannot be replayed: its threads do not have the recorder's names. */
ser_status ser_plan_make(ser_plan *plan, const ser_run *run, const uint32_t *order, size_t count,
                         ser_error *error);
void ser_plan_fini(ser_plan *plan);

/* From now on turns end by place (contract/schedule.h), so that threads may take other paths than
 * recorded: plan_places.c. */
void ser_plan_by_place(ser_plan *plan);

#endif
