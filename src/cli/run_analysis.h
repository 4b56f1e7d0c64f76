/* SPDX-License-Identifier: MIT */
/*
 * run_analysis.h - what one recorded run shows: checked, predicted from, and added to
 * the bugs.
 */
#ifndef SER_CLI_RUN_ANALYSIS_H
#define SER_CLI_RUN_ANALYSIS_H

#include "base/options.h"
#include "report/run_report.h"

/* Analyses the last trace of the report, and fills in its size and what stayed
 * undecided. Schedules go into the folder. */
ser_status ser_run_analyse(ser_run_report *report, const ser_arguments *arguments,
                           const char *folder, ser_error *error);

#endif
