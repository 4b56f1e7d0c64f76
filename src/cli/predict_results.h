/* SPDX-License-Identifier: MIT */
/*
 * predict_results.h - what `predict` leaves: report, JSON, schedules, exit code.
 */
#ifndef SER_CLI_PREDICT_RESULTS_H
#define SER_CLI_PREDICT_RESULTS_H

#include "base/options.h"
#include "report/predict_report.h"

/* Makes the folders that options name, before the work: SER_INPUT if one cannot be. */
ser_status ser_predict_make_folders(const ser_arguments *arguments, ser_error *error);

/* The folder is there; SER_INPUT if it cannot be made. NULL: nothing to do. */
ser_status ser_make_folder(const char *path, ser_error *error);

/* One violation's interleaving as a file. */
ser_status ser_write_schedule(const ser_predict_report *report, const ser_block_result *result,
                              const char *path, ser_error *error);

/* Schedules first, since the report names them. */
ser_status ser_predict_write_results(const ser_predict_report *report,
                                     const ser_arguments *arguments, ser_error *error);

/* The exit code that the results call for. */
ser_status ser_predict_verdict(const ser_predict_report *report);

#endif
