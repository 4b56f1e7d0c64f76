/* SPDX-License-Identifier: MIT */
/*
 * window_report.h - what `seriatim predict --window` finds, printed as it is found: a stream may
 * never end.
 *
 * Violations are printed at once, each place of the code in full once. The JSON object of `predict`
 * is written piece by piece, so that it takes no memory.
 */
#ifndef SER_REPORT_WINDOW_REPORT_H
#define SER_REPORT_WINDOW_REPORT_H

#include "report/predict_report.h"
#include "stream/windows.h"

/* A place of the code: where a block begins. */
typedef struct ser_window_place {
    uint32_t op, site, object;
} ser_window_place;

typedef struct ser_window_report {
    const char *path;
    uint32_t size;     /* of a window */
    bool is_asked_for; /* if not, a block of which only its window is known is undecided */
    const ser_symbols *symbols;
    FILE *text;        /* NULL: none */
    ser_json *json;    /* NULL: none */
    bool only_notable; /* in the JSON, of the blocks */
    /* Filled while it is printed. */
    uint64_t blocks, verdicts[SER_VERDICT_VIOLATION + 1];
    uint64_t bounded; /* unknown ones: none within their window */
    uint64_t outside; /* unknown ones that had no window */
    SER_VECTOR(ser_window_place) printed;
} ser_window_report;

void ser_window_report_begin(ser_window_report *report);

/* The `decided` of windows.h; the context is the report. */
void ser_window_report_add(void *report, const ser_window_result *decided);

/* partial: why the work ended early, or NULL. To be finished. */
void ser_window_report_end(ser_window_report *report, const ser_trace_size *size,
                           const char *partial);

/* SER_VIOLATION; SER_UNDECIDED if a block is unknown for another reason than a window that was
 * asked for; else SER_OK. */
ser_status ser_window_report_verdict(const ser_window_report *report, const char *partial);

#endif
