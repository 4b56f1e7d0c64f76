/* SPDX-License-Identifier: MIT */
/*
 * round_trip.h - the oracle of the fuzzers, and of the tests of the readers.
 *
 * Whatever bytes a format accepts must survive being written as text and read
 * again: same operations, same names, locations, functions and values. All in
 * this header, so that a test stays one file.
 */
#ifndef SER_TESTS_ROUND_TRIP_H
#define SER_TESTS_ROUND_TRIP_H

#include <stdio.h>
#include <stdlib.h>

#include "base/vector.h"
#include "trace/io/lines.h"
#include "trace/io/output.h"
#include "trace/reader.h"

/* A trace in memory. */
typedef struct loaded {
    ser_symbols *symbols;
    SER_VECTOR(ser_event) events;
    ser_status status; /* of the reading; the events before an error are here */
    ser_error error;
} loaded;

/* Reads all events of the bytes in that format, in batches of the given size. */
static inline void load(loaded *trace, const ser_format *format, const void *bytes, size_t length,
                        size_t batch_size)
{
    *trace = (loaded){.symbols = ser_symbols_create()};
    ser_format_context context = {
        .input = ser_input_open_memory(bytes, length, "bytes"),
        .symbols = trace->symbols,
    };
    ser_event *batch = ser_alloc(batch_size, sizeof *batch);
    void *state = NULL;
    size_t count = 1;
    trace->status = format->open(&state, &context, &trace->error);
    while (trace->status == SER_OK && count > 0) {
        count = 0;
        trace->status = format->next(state, &context, batch, batch_size, &count, &trace->error);
        for (size_t i = 0; i < count; i++)
            ser_vector_push(&trace->events, batch[i]);
        context.events += count;
    }
    if (state)
        format->close(state);
    free(batch);
    ser_input_close(context.input);
}

static inline void unload(loaded *trace)
{
    ser_symbols_destroy(trace->symbols);
    ser_vector_free(&trace->events);
}

static inline bool equal_bytes(const char *a, size_t a_length, const char *b, size_t b_length)
{
    return a_length == b_length && memcmp(a, b, a_length) == 0;
}

static inline bool equal_names(const loaded *a, const loaded *b, ser_space space, uint32_t x,
                               uint32_t y)
{
    if (x == SER_NO_OBJECT || y == SER_NO_OBJECT)
        return x == y;
    return equal_bytes(
        ser_symbols_name(a->symbols, space, x), ser_symbols_name_length(a->symbols, space, x),
        ser_symbols_name(b->symbols, space, y), ser_symbols_name_length(b->symbols, space, y));
}

static inline bool equal_sites(const loaded *a, const loaded *b, uint32_t x, uint32_t y)
{
    if (x == SER_NO_SITE || y == SER_NO_SITE)
        return x == y;
    return equal_bytes(
               ser_symbols_location(a->symbols, x), ser_symbols_location_length(a->symbols, x),
               ser_symbols_location(b->symbols, y), ser_symbols_location_length(b->symbols, y)) &&
           equal_names(a, b, SER_SPACE_FUNCTION, ser_symbols_site_function(a->symbols, x),
                       ser_symbols_site_function(b->symbols, y));
}

static inline const char *event_difference(const loaded *a, const loaded *b, const ser_event *x,
                                           const ser_event *y)
{
    if (x->op != y->op)
        return "operation";
    if (x->flags != y->flags || x->value != y->value)
        return "value";
    if (!equal_names(a, b, SER_SPACE_THREAD, x->thread, y->thread))
        return "thread";
    if (!equal_names(a, b, ser_op_space(x->op), x->object, y->object))
        return "operand";
    return equal_sites(a, b, x->site, y->site) ? NULL : "site";
}

/* NULL, or in what the two traces differ. */
static inline const char *difference(const loaded *a, const loaded *b)
{
    if (a->events.count != b->events.count)
        return "number of events";
    for (size_t i = 0; i < a->events.count; i++) {
        const char *what = event_difference(a, b, &a->events.items[i], &b->events.items[i]);
        if (what)
            return what;
    }
    return NULL;
}

/* The events in a format; the bytes belong to the output. */
static inline ser_output *write_events(const loaded *trace, const ser_encoder *encoder)
{
    ser_output *output = ser_output_open_memory();
    void *writer = encoder->open(output, trace->symbols);
    encoder->put(writer, trace->events.items, trace->events.count);
    encoder->finish(writer);
    encoder->close(writer);
    return output;
}

/* Writes the events, reads them again, and aborts if they differ. Names too
 * long for a line of text may be refused. */
static inline void check_round_trip(const loaded *trace, const ser_encoder *encoder,
                                    const ser_format *format)
{
    loaded again;
    size_t length;
    ser_output *output = write_events(trace, encoder);
    const void *bytes = ser_output_bytes(output, &length);
    load(&again, format, bytes, length, 100);
    const char *what = again.status == SER_OK ? difference(trace, &again) : again.error.text;
    if (again.status != SER_OK && format == &ser_format_text && length > SER_LINE_LIMIT)
        what = NULL;
    if (what) {
        fprintf(stderr, "the trace does not survive the %s format: %s\n", format->name, what);
        fwrite(bytes, 1, length, stderr);
        abort();
    }
    unload(&again);
    ser_output_close(output);
}

static inline void check_text_round_trip(const loaded *trace)
{
    check_round_trip(trace, &ser_encoder_text, &ser_format_text);
}

/* What a fuzzer does with its bytes: reads them, in large and small batches,
 * and writes and reads again what was there before any error. */
static inline void check_bytes(const ser_format *format, const uint8_t *bytes, size_t length)
{
    loaded trace, bitwise;
    load(&trace, format, bytes, length, 100);
    load(&bitwise, format, bytes, length, 3);
    if (trace.status != bitwise.status || difference(&trace, &bitwise)) {
        fprintf(stderr, "the events depend on the size of batches\n");
        abort();
    }
    check_text_round_trip(&trace);
    if (length % 8 == 0) /* seldom, as it is much slower */
        check_round_trip(&trace, &ser_encoder_native, &ser_format_native);
    unload(&trace);
    unload(&bitwise);
}

#endif
