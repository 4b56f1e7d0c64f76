/* SPDX-License-Identifier: MIT */
/*
 * analysis.h - what one recorded run shows: checked, predicted from, and added to
 * the bugs.
 */
#ifndef SER_SESSION_RUN_ANALYSIS_H
#define SER_SESSION_RUN_ANALYSIS_H

#include "report/run_report.h"
#include "session/loaded.h"
#include "session/run/options.h"

/* Analyses the last trace of the report, and fills in its size and what stayed undecided;
 * `first` is the first run of the program, or NULL if this is it or it was not kept. Schedules
 * go into the folder. The trace is read once. `loaded` and the prediction are empty before, and
 * the caller's to free in any case. */
ser_status ser_run_analyse(ser_run_report *report, const ser_run_options *options,
                           const ser_run *first, ser_loaded *loaded, ser_prediction *prediction,
                           ser_error *error);

#endif
