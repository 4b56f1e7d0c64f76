/* SPDX-License-Identifier: MIT */
/*
 * segment_trace.h - makes a trace of each piece of a run.
 *
 * A trace begins with what must be known of the time before (record/past.h), up to a skip
 * event, its first one; then come records that the trace before it has, too, so that blocks at the
 * seams are in one of the two as a whole; then what is new.
 */
#ifndef SER_SESSION_WATCH_SEGMENT_TRACE_H
#define SER_SESSION_WATCH_SEGMENT_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct ser_record;

typedef struct ser_segment_trace ser_segment_trace;

ser_segment_trace *ser_segment_trace_create(void);
void ser_segment_trace_destroy(ser_segment_trace *trace); /* accepts NULL */

/* The next records of the run. */
void ser_segment_trace_add(ser_segment_trace *trace, const struct ser_record *records,
                           size_t count);

/* The same of records that are no part of any trace: the next one begins behind them. */
void ser_segment_trace_pass(ser_segment_trace *trace, const struct ser_record *records,
                            size_t count);

/* Writes the trace of those since the last cut. */
ser_status ser_segment_trace_write(ser_segment_trace *trace, const char *path, uint64_t *events,
                                   ser_error *error);

/* The next trace begins with about the last `most` records of this one. */
void ser_segment_trace_cut(ser_segment_trace *trace, size_t most);

#endif
