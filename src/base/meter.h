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
    const atomic_bool *stop; /* becomes true to end the work; may be NULL */
    double deadline;         /* in seconds of CLOCK_MONOTONIC; 0: none */
    size_t memory;           /* bytes; 0: no limit */
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
    size_t bytes; /* used by the computation; updated by its owner */
    unsigned steps;
    ser_overrun reached;
} ser_meter;

enum { SER_METER_STRIDE = 1024 }; /* steps; a power of two */

void ser_meter_ask(ser_meter *meter);

/* Will the next step check the limits? Then `bytes` must be up to date; it need not be before. */
static inline bool ser_meter_is_due(const ser_meter *meter)
{
    return meter && (meter->steps + 1) % SER_METER_STRIDE == 0;
}

/* To be called once per step. Must the computation end? Never, if the meter is NULL. */
static inline bool ser_meter_over(ser_meter *meter)
{
    if (!meter)
        return false;
    if (++meter->steps % SER_METER_STRIDE == 0)
        ser_meter_ask(meter);
    return meter->reached != SER_OVERRUN_NONE;
}

/* For expensive steps: checks the limits at once. */
static inline bool ser_meter_over_now(ser_meter *meter)
{
    if (!meter)
        return false;
    ser_meter_ask(meter);
    return meter->reached != SER_OVERRUN_NONE;
}

#endif
