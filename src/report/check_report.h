/* SPDX-License-Identifier: MIT */
/*
 * check_report.h - what `seriatim check` found, for people and for programs.
 */
#ifndef SER_REPORT_CHECK_REPORT_H
#define SER_REPORT_CHECK_REPORT_H

#include "monitor/explain.h"
#include "report/describe.h"

typedef struct ser_check_report {
    const char *path;    /* of the trace, as given; "-" for standard input */
    const char *engine;  /* its name */
    const char *partial; /* why the analysis ended early; NULL: it did not */
    bool all;            /* all violations were asked for */
    ser_trace_size size;
    const ser_symbols *symbols;
    const ser_explainer *findings; /* NULL: no violations */
} ser_check_report;

/* Readable; the last line is the verdict. */
void ser_check_report_text(const ser_check_report *report, FILE *file);

/* The JSON object of the command line's contract. */
void ser_check_report_json(const ser_check_report *report, ser_json *json);

#endif
