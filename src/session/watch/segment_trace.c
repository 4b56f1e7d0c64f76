/* SPDX-License-Identifier: MIT */
/*
 * Records go into a spool, of which the recorder's second pass makes a trace as of any recording.
 */
#include "session/watch/segment_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/vector.h"
#include "record/capture/spool.h"
#include "record/past.h"
#include "record/record.h"

enum { PATH_SIZE = 4200 };

struct ser_segment_trace {
    ser_past *past;
    SER_VECTOR(ser_record) records; /* since the past */
    bool has_passed; /* the past may end within an operation, whose rest comes next */
};

ser_segment_trace *ser_segment_trace_create(void)
{
    ser_segment_trace *trace = ser_alloc(1, sizeof *trace);
    trace->past = ser_past_create();
    return trace;
}

void ser_segment_trace_destroy(ser_segment_trace *trace)
{
    if (!trace)
        return;
    ser_past_destroy(trace->past);
    ser_vector_free(&trace->records);
    free(trace);
}

/* The past does not end within an operation. */
void ser_segment_trace_add(ser_segment_trace *trace, const struct ser_record *records, size_t count)
{
    size_t at = 0;
    while (trace->has_passed && at < count && !ser_past_may_end(trace->past, &records[at]))
        ser_past_add(trace->past, &records[at++], 1);
    trace->has_passed &= at == count;
    for (; at < count; at++)
        ser_vector_push(&trace->records, records[at]);
}

void ser_segment_trace_pass(ser_segment_trace *trace, const struct ser_record *records,
                            size_t count)
{
    ser_past_add(trace->past, trace->records.items, trace->records.count);
    trace->records.count = 0;
    ser_past_add(trace->past, records, count);
    trace->has_passed = true;
}

typedef struct spooling {
    ser_spool *spool;
    ser_status status;
    ser_error *error;
} spooling;

static void put(void *context, const ser_record *records, size_t count)
{
    spooling *at = context;
    if (at->status == SER_OK && count)
        at->status = ser_spool_put(at->spool, records, count, at->error);
}

static ser_status write_spool(const ser_segment_trace *trace, const char *path, ser_error *error)
{
    const ser_record end = ser_past_mark_end(trace->records.items, trace->records.count);
    spooling at = {.error = error};
    ser_spool_remove_dead(path);
    at.status = ser_spool_create(&at.spool, path, error);
    if (at.status != SER_OK)
        return at.status;
    ser_past_write(trace->past, put, &at);
    put(&at, &end, 1);
    put(&at, trace->records.items, trace->records.count);
    if (at.status == SER_OK)
        at.status = ser_spool_flush(at.spool, error);
    ser_spool_close(at.spool);
    return at.status;
}

ser_status ser_segment_trace_write(ser_segment_trace *trace, const char *path, uint64_t *events,
                                   ser_error *error)
{
    char spool[PATH_SIZE];
    ser_finish_result result = {0};
    snprintf(spool, sizeof spool, "%s.part", path);
    const char *notes[] = {"a segment of a run: it begins with what was true before it", NULL};
    const ser_finish_options options = {.spool = spool, .trace = path, .notes = notes};
    ser_status status = write_spool(trace, spool, error);
    if (status == SER_OK)
        status = ser_finish(&options, NULL, &result, error);
    unlink(spool);
    *events = result.events;
    ser_vector_free(&result.messages);
    return status;
}

void ser_segment_trace_cut(ser_segment_trace *trace, size_t most)
{
    size_t count = trace->records.count, cut = count > most ? count - most : 0;
    ser_past_add(trace->past, trace->records.items, cut);
    while (cut > 0 && cut < count && !ser_past_may_end(trace->past, &trace->records.items[cut]))
        ser_past_add(trace->past, &trace->records.items[cut++], 1);
    memmove(trace->records.items, trace->records.items + cut,
            (count - cut) * sizeof *trace->records.items);
    trace->records.count -= cut;
}
