/* SPDX-License-Identifier: MIT */
/*
 * lanes.h - the accesses of one thread to one variable, in program order.
 *
 * Against what must come before or after a given step (must.h), a lane falls into three parts:
 * first those that must come before it, at last those that must come after it, and between them
 * those whose order with the step is open. Both borders are found by bisection. Read-only once
 * made.
 */
#ifndef SER_PREDICT_TASK_LANES_H
#define SER_PREDICT_TASK_LANES_H

#include "predict/task/must.h"

/* Steps of one thread, ascending. */
typedef struct ser_range {
    const uint32_t *steps;
    uint32_t count;
} ser_range;

typedef struct ser_lane {
    uint32_t thread;
    ser_range accesses;
    ser_range writes; /* those of them that write, or may */
} ser_lane;

typedef struct ser_lanes {
    SER_VECTOR(ser_lane) all; /* by variable */
    uint32_t *first_of;       /* variable v: all[first_of[v] .. first_of[v + 1]) */
    uint32_t *accesses, *writes;
} ser_lanes;

/* Of the steps that can happen. O(steps). */
void ser_lanes_init(ser_lanes *lanes, const ser_must *must);
void ser_lanes_fini(ser_lanes *lanes);

/* The part from that step on; the part before it. */
ser_range ser_range_from(ser_range range, uint32_t step);
ser_range ser_range_until(ser_range range, uint32_t step);

/* Without those that must come before the step; without those that must come after. */
ser_range ser_range_not_before(ser_range range, const ser_must *must, uint32_t step);
ser_range ser_range_not_after(ser_range range, const ser_must *must, uint32_t step);

/* Those that may conflict with an access of that kind. */
static inline ser_range ser_lane_rivals(const ser_lane *lane, uint8_t access)
{
    return access == SER_ACCESS_READ ? lane->writes : lane->accesses;
}

#endif
