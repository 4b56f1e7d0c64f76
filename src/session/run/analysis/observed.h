/* SPDX-License-Identifier: MIT */
/*
 * observed.h - inside of analysis.h: what the recorded run itself violates, by the monitor.
 *
 * Prediction finds most of that before, with more detail; the monitor alone sees cycles of several
 * blocks, or through locks.
 */
#ifndef SER_SESSION_RUN_OBSERVED_H
#define SER_SESSION_RUN_OBSERVED_H

#include "report/run_report.h"
#include "session/loaded.h"
#include "session/run/judge/harmless.h"
#include "session/run/judge/reasons.h"

typedef struct ser_observing {
    ser_run_report *report;
    size_t index; /* of the trace */
    ser_loaded *loaded;
    const ser_run *run;               /* the loaded one */
    const ser_prediction *prediction; /* from it */
    ser_judging judging;              /* what its violations are asked */
    ser_care *care;                   /* that the program takes */
} ser_observing;

/* Adds to the report what prediction has not found. */
ser_status ser_run_observe(const ser_observing *work, ser_error *error);

#endif
