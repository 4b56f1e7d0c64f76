/* SPDX-License-Identifier: MIT */
/*
 * source.h - the events of a trace in order, from a file or from memory.
 *
 *     ser_source source;
 *     ser_batch batch;
 *     ser_status status = ser_source_open(&source, &settings, error);
 *     while (status == SER_OK && (status = ser_source_next(&source, &batch, error)) == SER_OK &&
 *            batch.count) ...
 *     ser_source_close(&source);
 *
 * Shows progress, and stops early where interrupt.h says so.
 */
#ifndef SER_SESSION_SOURCE_H
#define SER_SESSION_SOURCE_H

#include "order/run.h"
#include "trace/trace.h"

typedef struct ser_source {
    ser_trace *trace;   /* NULL: not open */
    const ser_run *run; /* the events in memory; NULL: they are read from the trace, which is
                           then closed with the source */
    const char *path;
    const char *stopped; /* why it ended early; NULL: it did not */
    uint64_t events;     /* delivered in this pass */
    uint64_t limit;      /* where an interrupted pass ended; 0: none was */
    char *label;         /* of the progress line */
} ser_source;

/* What makes events of a trace: the same for all traces of a command. */
typedef struct ser_reading {
    const char *atomic; /* --atomic; NULL is "markers" */
    bool lenient;       /* drop events that break a rule */
} ser_reading;

typedef struct ser_source_settings {
    const char *verb; /* for the progress line: "check" */
    const char *path; /* the trace; "-" is standard input */
    ser_reading reading;
    bool skip_sites, keep; /* as in trace.h */
} ser_source_settings;

ser_status ser_source_open(ser_source *source, const ser_source_settings *settings,
                           ser_error *error);

/* The same events once more, from the run that `read` was read into; both must outlive the
 * source. It can be rewound. */
void ser_source_open_run(ser_source *source, const ser_source *read, const ser_run *run);

/* SER_USAGE if the file to be written is the trace that is read; an output of NULL never is. */
ser_status ser_source_refuse_output(const char *input, const char *output, ser_error *error);

/* The next events. *batch is empty at the end and where the work must stop; source->stopped
 * distinguishes the two. */
ser_status ser_source_next(ser_source *source, ser_batch *batch, ser_error *error);

/* Back to the first event for another pass; needs settings.keep. After a pass that Ctrl-C
 * stopped, all later ones end at the same event, and together may take only a moment. A budget
 * that was used up stops them at once. */
ser_status ser_source_rewind(ser_source *source, bool skip_sites, ser_error *error);

/* Passes over events that are still to come, up to the first `most` of the trace, where it has a
 * checkpoint (ser_trace_seek). */
ser_status ser_source_seek(ser_source *source, uint64_t most, bool *went, ser_past_events *past,
                           ser_error *error);

/* Once all is read: says what was dropped, cut short or not read. */
void ser_source_warn(const ser_source *source);

/* Also after a failed open. */
void ser_source_close(ser_source *source);

/* The name for messages and reports: the path, or "standard input". */
const char *ser_source_name(const ser_source *source);

#endif
