/* SPDX-License-Identifier: MIT */
/*
 * build_internal.h - what the parts of build.c share: the task that is being built.
 */
#ifndef SER_PREDICT_TASK_BUILD_INTERNAL_H
#define SER_PREDICT_TASK_BUILD_INTERNAL_H

#include "base/idmap.h"
#include "predict/task/build.h"

typedef struct ser_task_builder {
    const ser_run *run;
    const ser_segment *segment;
    ser_meter *meter;
    uint32_t block;
    ser_task *task;
    uint32_t *to;                   /* as the segment's, but cut */
    SER_VECTOR(uint32_t) thread_of; /* task thread of each thread of the run */
    ser_idmap variables, locks;
    ser_idmap accept_sets; /* set of run->reads -> index in accept_lists */
    SER_VECTOR(ser_step_list) accept_lists;
    const ser_index *index;
    ser_idmap waits; /* condition -> 1 + index in wait_lists */
    SER_VECTOR(ser_event_list) wait_lists;
    ser_idmap rounds; /* a round's first arrival -> 1 + index in round_needs */
    SER_VECTOR(ser_step_list) round_needs;
} ser_task_builder;

/* Is the event part of the segment, and not cut off? */
static inline bool ser_build_is_inside(const ser_task_builder *work, uint32_t event)
{
    uint32_t thread = work->run->events[event].thread, eid = work->run->eid[event];
    return work->segment->from[thread] <= eid && eid < work->to[thread];
}

static inline bool ser_build_is_in_start(const ser_task_builder *work, uint32_t event)
{
    return ser_segment_starts_with(work->segment, work->run, event);
}

static inline uint32_t ser_build_step_of(const ser_task_builder *work, uint32_t event)
{
    uint32_t thread = work->run->events[event].thread;
    return work->task->threads.items[work->thread_of.items[thread]].first + work->run->eid[event] -
           work->segment->from[thread];
}

/* The step after its move: in avp a thread that breaks stops there. */
static inline uint32_t ser_build_next_step(const ser_task_builder *work, uint32_t event)
{
    return ser_build_step_of(work, ser_run_step_last(work->run, event)) + 1;
}

/* For qsort. */
int ser_build_ascending(const void *a, const void *b);

/* Where each thread ends: with its part of the segment, or before (build_freed.c). */
void ser_build_set_ends(ser_task_builder *work);

/* Which steps free which variable. */
void ser_build_list_frees(ser_task_builder *work);

/* Fills in limit, accepts and writes_anyway of a read (build_reads.c). */
void ser_build_set_change(ser_task_builder *work, ser_task_step *step);

#endif
