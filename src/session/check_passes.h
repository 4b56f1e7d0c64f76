/* SPDX-License-Identifier: MIT */
/*
 * check_passes.h - the passes over a trace that find its violations and explain them.
 *
 *     ser_check_passes work = {.engine = ..., .found.all = ...};
 *     open work.source: a file with settings.keep and settings.skip_sites, or a run in memory
 *     status = ser_check_run(&work, error);
 *     use work.explainer, work.partial, work.size
 *     ser_check_passes_fini(&work);
 */
#ifndef SER_SESSION_CHECK_PASSES_H
#define SER_SESSION_CHECK_PASSES_H

#include "monitor/engine.h"
#include "monitor/explain.h"
#include "monitor/violations.h"
#include "report/describe.h"
#include "session/source.h"
#include "trace/statistics.h"

typedef struct ser_check_passes {
    ser_source source;
    const ser_engine *engine;
    ser_violations found;       /* .all is the caller's to set */
    ser_explainer *explainer;   /* NULL: nothing found */
    const char *partial;        /* why the first pass ended early */
    ser_trace_size size;        /* of what was analysed */
    ser_statistics *statistics; /* the caller's to create where events may be dropped
                                   (--lenient); else NULL */
} ser_check_passes;

/* What was found before bad input ended the analysis is explained all the same; the
 * status is then that of the input. */
ser_status ser_check_run(ser_check_passes *work, ser_error *error);

/* Also after a failure; closes the source. */
void ser_check_passes_fini(ser_check_passes *work);

#endif
