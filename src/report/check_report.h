/* SPDX-License-Identifier: MIT */
/*
 * check_report.h - what `seriatim check` found, for people and for programs.
 */
#ifndef SER_REPORT_CHECK_REPORT_H
#define SER_REPORT_CHECK_REPORT_H

#include <stdio.h>

#include "base/json.h"
#include "monitor/explain.h"
#include "trace/symbols.h"

/* How large the part of the trace is that was analysed. */
typedef struct ser_trace_size {
    uint64_t events, threads, locks, variables, blocks;
} ser_trace_size;

typedef struct ser_check_report {
    const char *trace;   /* its path as given */
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
