/* SPDX-License-Identifier: MIT */
/*
 * trace.h - the interface of trace/: reads, validates and marks blocks, batch by batch.
 *
 *     ser_trace *trace;
 *     ser_trace_open(&trace, path, &options, &error);
 *     while (ser_trace_next(trace, &batch, &error) == SER_OK && batch.count) ...
 */
#ifndef SER_TRACE_TRACE_H
#define SER_TRACE_TRACE_H

#include "base/status.h"
#include "trace/blocks/unmatched.h"
#include "trace/event.h"
#include "trace/reader.h"
#include "trace/symbols.h"

typedef struct ser_trace ser_trace;

typedef struct ser_trace_options {
    const char *atomic; /* --atomic; NULL is "markers" */
    bool lenient;       /* --lenient */
    bool skip_sites;    /* locations are not needed in this pass */
    bool keep;          /* rewind will be used */
} ser_trace_options;

typedef struct ser_batch {
    const ser_event *events; /* valid until the next call */
    size_t count;            /* 0: the trace ended */
    uint64_t first;          /* number of events[0] */
} ser_batch;

ser_status ser_trace_open(ser_trace **trace, const char *path, const ser_trace_options *options,
                          ser_error *error);
void ser_trace_close(ser_trace *trace);

/* Events before a bad one are delivered first. */
ser_status ser_trace_next(ser_trace *trace, ser_batch *batch, ser_error *error);

/* Back to the first event, with locations or without. Needs options.keep. */
ser_status ser_trace_rewind(ser_trace *trace, bool skip_sites, ser_error *error);

/* As ser_reader_seek; `past` is validated and marked. Only for blocks of markers, and not if events
 * may be dropped: else it goes nowhere. */
ser_status ser_trace_seek(ser_trace *trace, uint64_t least, uint64_t most, bool *went,
                          ser_past_events *past, ser_error *error);

const ser_symbols *ser_trace_symbols(const ser_trace *trace);
/* The same, now the caller's to destroy; after that the trace can only be closed. */
ser_symbols *ser_trace_take_symbols(ser_trace *trace);
const ser_reader *ser_trace_reader(const ser_trace *trace);

/* Blocks of the events delivered in this pass, open ones included, and threads that
 * have such events. */
uint64_t ser_trace_blocks(const ser_trace *trace);

/* What makes one of them a block; from 0, in the order of their first events. */
ser_block_kind ser_trace_block_kind(const ser_trace *trace, uint64_t block);

/* Of --atomic FILE, after the last event: lines that match no function. To be finished. */
ser_unmatched ser_trace_unmatched(const ser_trace *trace);
uint64_t ser_trace_threads(const ser_trace *trace);

/* Events that --lenient dropped, and why the first one was. */
uint64_t ser_trace_dropped(const ser_trace *trace);
const char *ser_trace_first_complaint(const ser_trace *trace);

#endif
