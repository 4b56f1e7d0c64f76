/* SPDX-License-Identifier: MIT */
/*
 * formats.h - the formats in which commands write what they found.
 *
 * A format is a file of its own, with a writer for each kind of report, and a line in the table
 * below. That gives every command that reports the option --NAME FILE.
 */
#ifndef SER_REPORT_FORMATS_H
#define SER_REPORT_FORMATS_H

#include <stdio.h>

#include "report/check_report.h"
#include "report/info.h"
#include "report/predict_report.h"
#include "report/replay_report.h"
#include "report/run_report.h"

/* Name of the option, and what the help calls the format. */
#define SER_REPORT_FORMATS(X) X(json, "JSON")

/* What a command found: one of these, the others are NULL. */
typedef struct ser_report {
    const ser_check_report *check;
    const ser_predict_report *predict;
    const ser_run_report *run;
    const ser_replay_report *replay;
    const ser_info *info;
} ser_report;

typedef struct ser_report_format {
    const char *name;
    void (*check)(const ser_check_report *report, FILE *file);
    void (*predict)(const ser_predict_report *report, FILE *file);
    void (*run)(const ser_run_report *report, FILE *file);
    void (*replay)(const ser_replay_report *report, FILE *file);
    void (*info)(const ser_info *info, FILE *file);
} ser_report_format;

/* For people: what standard output gets, unless one of the others goes there. */
extern const ser_report_format ser_report_as_text;

#define SER_X(name, words) extern const ser_report_format ser_report_as_##name;
SER_REPORT_FORMATS(SER_X)
#undef SER_X

/* All but text; NULL-terminated. */
extern const ser_report_format *const ser_report_formats[];

void ser_report_write(const ser_report_format *format, const ser_report *report, FILE *file);

/* A file of it, which stands under its name only once it is complete; "-" is standard output. */
ser_status ser_report_save(const ser_report *report, const ser_report_format *format,
                           const char *path, ser_error *error);

#endif
