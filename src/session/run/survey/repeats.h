/* SPDX-License-Identifier: MIT */
/*
 * repeats.h - runs that are equal, event by event, to one that was analysed before: another seed
 * often leads to the same schedule, and shows nothing new.
 */
#ifndef SER_SESSION_RUN_SURVEY_REPEATS_H
#define SER_SESSION_RUN_SURVEY_REPEATS_H

#include "order/run.h"
#include "report/run_report.h"

/* Notes the hash of the last trace of the report, which the run is of. True if an earlier one
 * had the same hash and was fully analysed; its counts are then copied. O(events). */
bool ser_run_is_repeated(ser_run_report *report, const ser_run *run);

#endif
