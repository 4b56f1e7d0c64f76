/* SPDX-License-Identifier: MIT */
/*
 * Reader, validator and block marking in a row. Modes of --atomic that depend on
 * the whole trace are surveyed when the trace is opened, by reading it in advance.
 */
#include "trace/trace.h"

#include <string.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "trace/blocks/blocks.h"
#include "trace/validate/validate.h"

struct ser_trace {
    char *name; /* for messages */
    bool lenient;
    bool by_markers; /* blocks are those of begin and end events */
    bool by_places;  /* or of functions that may be told apart by their places */
    ser_reader *reader;
    ser_validator *validator;
    ser_blocks *blocks;
    uint64_t delivered;
    ser_error failure; /* what the next call reports; status SER_OK for nothing */
    ser_event events[SER_BATCH];
};

static void start_validation(ser_trace *trace)
{
    ser_validator_destroy(trace->validator);
    trace->validator = ser_validator_create(ser_reader_symbols(trace->reader), trace->lenient);
    trace->delivered = 0;
    trace->failure.status = SER_OK;
}

ser_status ser_trace_rewind(ser_trace *trace, bool skip_sites, ser_error *error)
{
    ser_status status = ser_reader_rewind(trace->reader, skip_sites && !trace->by_places, error);
    if (status)
        return status;
    start_validation(trace);
    ser_blocks_restart(trace->blocks);
    return SER_OK;
}

/* The next validated events. If there are none before a bad place, *count is 0
 * and trace->failure says what is wrong. */
static void read_events(ser_trace *trace, size_t *count)
{
    *count = 0;
    if (trace->failure.status)
        return;
    size_t read = 0;
    trace->failure.status =
        ser_reader_next(trace->reader, trace->events, SER_BATCH, &read, &trace->failure);
    if (trace->failure.status)
        return;
    if (ser_validator_check(trace->validator, trace->events, read, trace->delivered + 1, count,
                            &trace->failure))
        ser_error_prefix(&trace->failure, "%s", trace->name);
    trace->delivered += *count;
}

/* A damaged trace is surveyed up to the error: the next pass delivers the same events and then
 * reports it. */
static void survey(ser_trace *trace)
{
    size_t count;
    do
        read_events(trace, &count);
    while (count > 0 && ser_blocks_survey(trace->blocks, trace->events, count) &&
           !ser_should_stop());
    ser_blocks_end_survey(trace->blocks);
}

static ser_status prepare(ser_trace *trace, const char *path, const ser_trace_options *options,
                          ser_error *error)
{
    bool surveys = ser_blocks_spec_wants_survey(options->atomic);
    ser_reader_options reading = {
        .skip_sites = (options->skip_sites && !trace->by_places) || surveys,
        .keep = options->keep || surveys,
    };
    ser_status status = ser_reader_open(&trace->reader, path, &reading, error);
    if (status)
        return status;
    start_validation(trace);
    status = ser_blocks_create(&trace->blocks, options->atomic, ser_reader_symbols(trace->reader),
                               error);
    while (!status && ser_blocks_wants_survey(trace->blocks)) {
        survey(trace);
        bool places = ser_blocks_want_sites(trace->blocks);
        status = ser_trace_rewind(trace, options->skip_sites && !places, error);
    }
    return status;
}

ser_status ser_trace_open(ser_trace **trace, const char *path, const ser_trace_options *options,
                          ser_error *error)
{
    *trace = NULL;
    ser_trace *made = ser_alloc(1, sizeof *made);
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    made->name = ser_copy_text(name, strlen(name));
    made->lenient = options->lenient;
    made->by_markers = !options->atomic || strcmp(options->atomic, "markers") == 0;
    made->by_places = ser_blocks_spec_may_name_places(options->atomic);
    ser_status status = prepare(made, path, options, error);
    if (status) {
        ser_trace_close(made);
        return status;
    }
    *trace = made;
    return SER_OK;
}

void ser_trace_close(ser_trace *trace)
{
    if (!trace)
        return;
    ser_blocks_destroy(trace->blocks);
    ser_validator_destroy(trace->validator);
    ser_reader_close(trace->reader);
    free(trace->name);
    free(trace);
}

ser_status ser_trace_next(ser_trace *trace, ser_batch *batch, ser_error *error)
{
    *batch = (ser_batch){.events = trace->events, .first = trace->delivered + 1};
    read_events(trace, &batch->count);
    if (batch->count == 0 && trace->failure.status) {
        if (error)
            *error = trace->failure;
        return trace->failure.status;
    }
    ser_blocks_mark(trace->blocks, trace->events, batch->count);
    return SER_OK;
}

/* What still matters leaves the rules and the blocks as the whole past would. */
static ser_status take_past(ser_trace *trace, ser_past_events *past, ser_error *error)
{
    for (size_t i = 0; i < past->count; i++) {
        ser_event *event = &past->items[i].event;
        size_t good;
        event->flags &= (uint8_t)~SER_EVENT_JOINED; /* the rest of the step is not here */
        ser_status status =
            ser_validator_check(trace->validator, event, 1, past->items[i].number, &good, error);
        if (status != SER_OK) {
            ser_error_prefix(error, "%s, at a checkpoint", trace->name);
            return status;
        }
        ser_blocks_mark(trace->blocks, event, 1);
    }
    return SER_OK;
}

ser_status ser_trace_seek(ser_trace *trace, uint64_t least, uint64_t most, bool *went,
                          ser_past_events *past, ser_error *error)
{
    *went = false;
    if (!trace->by_markers || trace->lenient)
        return SER_OK;
    ser_status status = ser_reader_seek(trace->reader, least, most, went, past, error);
    if (status != SER_OK || !*went)
        return status;
    start_validation(trace);
    ser_blocks_restart(trace->blocks);
    trace->delivered = ser_reader_events(trace->reader);
    return take_past(trace, past, error);
}

const ser_symbols *ser_trace_symbols(const ser_trace *trace)
{
    return ser_reader_symbols(trace->reader);
}

ser_symbols *ser_trace_take_symbols(ser_trace *trace)
{
    return ser_reader_take_symbols(trace->reader);
}

const ser_reader *ser_trace_reader(const ser_trace *trace)
{
    return trace->reader;
}

uint64_t ser_trace_blocks(const ser_trace *trace)
{
    return ser_blocks_count(trace->blocks);
}

ser_block_kind ser_trace_block_kind(const ser_trace *trace, uint64_t block)
{
    return ser_blocks_kind(trace->blocks, block);
}

ser_unmatched ser_trace_unmatched(const ser_trace *trace)
{
    return ser_unmatched_find(ser_blocks_spec(trace->blocks), ser_trace_symbols(trace));
}

uint64_t ser_trace_threads(const ser_trace *trace)
{
    return ser_validator_threads(trace->validator);
}

uint64_t ser_trace_dropped(const ser_trace *trace)
{
    return ser_validator_dropped(trace->validator);
}

const char *ser_trace_first_complaint(const ser_trace *trace)
{
    return ser_validator_first_complaint(trace->validator);
}
