/* SPDX-License-Identifier: MIT */
/*
 * report_files.h - where the report of a command goes: text to standard output, and each format
 * that an option names to its file, which stands under its name only once it is complete. "-" is
 * standard output, instead of the text.
 */
#ifndef SER_CLI_REPORT_FILES_H
#define SER_CLI_REPORT_FILES_H

#include "base/options/options.h"
#include "report/formats.h"

/* Does a format go to standard output, instead of the text? */
bool ser_report_takes_stdout(const ser_arguments *arguments);

/* The text, unless something else takes its place. */
void ser_report_print(const ser_report *report, const ser_arguments *arguments);

/* All files that options name. */
ser_status ser_report_save_all(const ser_report *report, const ser_arguments *arguments,
                               ser_error *error);

/* The text and all files. */
ser_status ser_report_deliver(const ser_report *report, const ser_arguments *arguments,
                              ser_error *error);

#endif
