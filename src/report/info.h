/* SPDX-License-Identifier: MIT */
/*
 * info.h - what is in a trace, as a table for people and as JSON.
 */
#ifndef SER_REPORT_INFO_H
#define SER_REPORT_INFO_H

#include <stdio.h>

#include "base/output/json.h"
#include "trace/statistics.h"
#include "trace/symbols.h"

typedef struct ser_info {
    const char *path;   /* as the user gave it */
    const char *format; /* "text", "native", "roadrunner" */
    const char *atomic; /* value of --atomic */
    bool partial;       /* the trace was not read to its end */
    uint64_t dropped;   /* events that --lenient dropped */
    ser_counts counts;
    const ser_symbols *symbols; /* for the trace's notes */
} ser_info;

void ser_info_text(const ser_info *info, FILE *file);
void ser_info_json(const ser_info *info, ser_json *json);

#endif
