/* SPDX-License-Identifier: MIT */
/*
 * schedules.h - predicted interleavings as files, for people and for later replays. Within the
 * process witnesses stay lists of events.
 */
#ifndef SER_SESSION_SCHEDULES_H
#define SER_SESSION_SCHEDULES_H

#include "report/predict_report.h"
#include "witness/schedule.h"

/* One violation's interleaving as a file. */
ser_status ser_write_schedule(const ser_predict_report *report, const ser_block_result *result,
                              const char *path, ser_error *error);

/* Those of all violations, into the folder report->schedules. If a file cannot be written the
 * others still are: unwritten[i] says that the file of result i was not. */
ser_status ser_write_schedules(const ser_predict_report *report, bool *unwritten, ser_error *error);

/* Those of all candidates. */
ser_status ser_write_candidates(const ser_predict_report *report, ser_error *error);

/* Reads the interleaving that a schedule file describes, and its reads of different writes.
 * SER_INPUT if it does not belong to this run. */
ser_status ser_read_schedule(const char *path, const ser_run *run, ser_event_list *order,
                             ser_event_list *changed, uint32_t *block, ser_error *error);

/* The interleaving of a schedule that was read. SER_INPUT if it does not belong to this run. */
ser_status ser_expand_schedule(const ser_schedule *schedule, const ser_run *run,
                               ser_event_list *order, ser_error *error);

#endif
