/* SPDX-License-Identifier: MIT */
/*
 * meter.h - limits of a long computation: time, memory, or a request to stop.
 *
 * Loops without a known bound step a meter and end without a result once it has expired. A NULL
 * meter never expires.
 */
#ifndef SER_BASE_METER_H
#define SER_BASE_METER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct ser_meter_limits {
    const atomic_bool *stop;   /* becomes true to end the work; may be NULL */
    bool (*should_stop)(void); /* the same; may be NULL */
    double deadline;           /* by ser_clock_work; 0: none */
    size_t memory;             /* bytes; 0: no limit */
} ser_meter_limits;

typedef enum ser_overrun {
    SER_OVERRUN_NONE,
    SER_OVERRUN_STOP,
    SER_OVERRUN_TIME,
    SER_OVERRUN_MEMORY,
} ser_overrun;

/*
 * Counts the steps of one computation, and checks its limits once in a while. Partial results of
 * the loops that step it must not be used once it has expired.
 */
typedef struct ser_meter {
    const ser_meter_limits *limits;
    size_t bytes;   /* used by the computation; updated by its owner */
    unsigned steps; /* once it has expired, each next one checks the limits again */
    ser_overrun reached;
} ser_meter;

enum { SER_METER_STRIDE = 1024 }; /* steps; a power of two */

/* Checks the limits. Must the computation end? */
bool ser_meter_ask(ser_meter *meter);

/* Counts a step. Is it time to check the limits? Then `bytes` must be brought up to date, and
 * ser_meter_over_now called. */
static inline bool ser_meter_is_due(ser_meter *meter)
{
    return meter && ++meter->steps % SER_METER_STRIDE == 0;
}

/* To be called once per step. Must the computation end? Never, if the meter is NULL. */
static inline bool ser_meter_over(ser_meter *meter)
{
    return ser_meter_is_due(meter) && ser_meter_ask(meter);
}

/* For expensive steps: checks the limits at once. */
static inline bool ser_meter_over_now(ser_meter *meter)
{
    return meter && ser_meter_ask(meter);
}

#endif
