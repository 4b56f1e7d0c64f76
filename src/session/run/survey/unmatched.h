/* SPDX-License-Identifier: MIT */
/*
 * unmatched.h - does a file of functions (--atomic FILE) fit the program?
 *
 * A file none of whose lines matches a function of the recorded runs is probably the wrong one, and
 * is refused. Normally the first run decides. But where the first thread ended the program while
 * others could still run, functions of those may not have been called yet, and later runs may call
 * them: then the file is refused only after the last run.
 */
#ifndef SER_SESSION_RUN_SURVEY_UNMATCHED_H
#define SER_SESSION_RUN_SURVEY_UNMATCHED_H

#include "report/run_report.h"
#include "session/loaded.h"

/* Keeps the lines that match nothing in this run nor in earlier ones. Fails if the first run
 * refuses the file. */
ser_status ser_note_unmatched(ser_run_report *report, const char *path, const ser_loaded *loaded,
                              ser_error *error);

/* Fails if no run had a function that the file names. */
ser_status ser_refuse_unmatched(const ser_run_report *report, const char *path, ser_error *error);

#endif
