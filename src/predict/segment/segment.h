/* SPDX-License-Identifier: MIT */
/*
 * segment.h - which part of the run matters for a block (trace atomicity segment).
 *
 * Of every thread a segment holds the events with eid from[t] <= eid < to[t]. What is before (the
 * start) happens first, in observed order; what is after never does. No multi-variable access is
 * split.
 */
#ifndef SER_PREDICT_SEGMENT_SEGMENT_H
#define SER_PREDICT_SEGMENT_SEGMENT_H

#include "order/run.h"

typedef struct ser_segment {
    uint32_t threads;
    uint32_t *from, *to;
} ser_segment;

/* The whole run. */
ser_segment *ser_segment_whole(const ser_run *run);
void ser_segment_destroy(ser_segment *segment);

uint64_t ser_segment_size(const ser_segment *segment);

static inline bool ser_segment_holds(const ser_segment *segment, const ser_run *run, uint32_t event)
{
    uint32_t thread = run->events[event].thread, eid = run->eid[event];
    return segment->from[thread] <= eid && eid < segment->to[thread];
}

static inline bool ser_segment_starts_with(const ser_segment *segment, const ser_run *run,
                                           uint32_t event)
{
    return run->eid[event] < segment->from[run->events[event].thread];
}

/* Appends the events of the start, in observed order. */
void ser_segment_start(const ser_segment *segment, const ser_run *run, ser_event_list *start);

/* The first and last access of a block; 0 if it has none. */
uint32_t ser_block_first_access(const ser_run *run, uint32_t block);
uint32_t ser_block_last_access(const ser_run *run, uint32_t block);

#endif
