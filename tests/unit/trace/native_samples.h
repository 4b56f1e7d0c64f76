/* SPDX-License-Identifier: MIT */
/*
 * native_samples.h - random traces for the tests of the native format, written
 * to memory or a file and read again.
 */
#ifndef NATIVE_SAMPLES_H
#define NATIVE_SAMPLES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/vector.h"
#include "trace/io/output.h"
#include "trace/reader.h"
#include "trace/writer.h"

typedef struct native_sample {
    ser_symbols *symbols;
    SER_VECTOR(ser_event) events;
} native_sample;

/* The result of reading. */
typedef struct native_reading {
    SER_VECTOR(ser_event) events; /* before the end, or before an error */
    ser_status status;
    ser_error error;
    char note[256]; /* empty for none */
} native_reading;

static inline uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*seed >> 33) % below);
}

static inline void sample_free(native_sample *sample)
{
    ser_symbols_destroy(sample->symbols);
    ser_vector_free(&sample->events);
}

/* `count` names in every space, and sites with and without functions. */
static inline void add_names(ser_symbols *symbols, uint32_t count)
{
    char text[64];
    for (uint32_t i = 0; i < count; i++) {
        for (int space = 0; space < SER_SPACE_COUNT; space++) {
            int length = snprintf(text, sizeof text, "%c|\xff\x01 %u", 'a' + space, i * 7919u);
            ser_symbols_add(symbols, (ser_space)space, text, (size_t)length);
        }
        int length = snprintf(text, sizeof text, "f.c:%u", i / 2);
        ser_symbols_add_site(symbols, text, (size_t)length, i % 2 ? i : SER_NO_OBJECT);
    }
}

/* Any operation on any of the first `names` names. */
static inline ser_event random_event(uint64_t *seed, uint32_t names)
{
    ser_event event = {
        .op = (uint8_t)draw(seed, SER_OP_COUNT),
        .thread = draw(seed, names < 9 ? names : 9),
        .object = draw(seed, names),
        .site = draw(seed, 4) ? draw(seed, names) : SER_NO_SITE,
    };
    bool may_lack = event.op == SER_OP_BEGIN || event.op == SER_OP_END || event.op == SER_OP_SKIP;
    if (may_lack && draw(seed, 2))
        event.object = SER_NO_OBJECT;
    if (draw(seed, 3) == 0) {
        event.flags = SER_EVENT_HAS_VALUE;
        event.value = (uint64_t)draw(seed, 1u << 31) << draw(seed, 34);
    }
    static const uint8_t flags[] = {SER_EVENT_JOINED, SER_EVENT_CONTINUES, SER_EVENT_LATE};
    for (size_t i = 0; i < sizeof flags; i++)
        event.flags |= draw(seed, 8) ? 0 : flags[i];
    if (draw(seed, 6) == 0)
        event.flow = (uint16_t)draw(seed, SER_FLOW_ALL + 1);
    return event;
}

static inline native_sample random_sample(uint64_t seed, uint32_t names, size_t count)
{
    native_sample sample = {.symbols = ser_symbols_create()};
    add_names(sample.symbols, names);
    for (size_t i = 0; i < count; i++)
        ser_vector_push(&sample.events, random_event(&seed, names));
    return sample;
}

/* The sample as a file in memory; the bytes belong to the output. */
static inline ser_output *write_sample(const native_sample *sample)
{
    ser_output *output = ser_output_open_memory();
    void *state = ser_encoder_native.open(output, sample->symbols);
    ser_encoder_native.put(state, sample->events.items, sample->events.count);
    ser_encoder_native.finish(state);
    ser_encoder_native.close(state);
    return output;
}

/* Reads to the end, or to an error, in batches of that size. */
static inline native_reading read_all(ser_reader *reader, size_t batch_size)
{
    native_reading result = {0};
    ser_event *batch = ser_alloc(batch_size, sizeof *batch);
    size_t count;
    do {
        result.status = ser_reader_next(reader, batch, batch_size, &count, &result.error);
        for (size_t i = 0; i < count; i++)
            ser_vector_push(&result.events, batch[i]);
    } while (result.status == SER_OK && count > 0);
    if (ser_reader_note(reader))
        snprintf(result.note, sizeof result.note, "%s", ser_reader_note(reader));
    free(batch);
    return result;
}

static inline native_reading read_bytes(const void *bytes, size_t length, size_t batch_size)
{
    ser_reader *reader;
    native_reading result = {0};
    result.status = ser_reader_open_memory(&reader, bytes, length, "sample", &result.error);
    if (result.status == SER_OK)
        result = read_all(reader, batch_size);
    ser_reader_close(reader);
    return result;
}

/* The events are the sample's first ones, all fields included. */
static inline void assert_starts(const native_reading *reading, const native_sample *sample)
{
    size_t size = reading->events.count * sizeof(ser_event);
    assert_true(reading->events.count <= sample->events.count);
    if (size == 0 || memcmp(reading->events.items, sample->events.items, size) == 0)
        return;
    for (size_t i = 0; i < reading->events.count; i++)
        assert_memory_equal(&reading->events.items[i], &sample->events.items[i], sizeof(ser_event));
}

static inline void assert_whole(const native_reading *reading, const native_sample *sample)
{
    assert_int_equal(reading->status, SER_OK);
    assert_string_equal(reading->note, "");
    assert_int_equal(reading->events.count, sample->events.count);
    assert_starts(reading, sample);
}

static inline void assert_same_names(const ser_symbols *a, const ser_symbols *b)
{
    for (int i = 0; i < SER_SPACE_COUNT; i++) {
        ser_space space = (ser_space)i;
        assert_int_equal(ser_symbols_count(a, space), ser_symbols_count(b, space));
        for (uint32_t n = 0; n < ser_symbols_count(a, space); n++) {
            size_t length = ser_symbols_name_length(a, space, n);
            assert_int_equal(length, ser_symbols_name_length(b, space, n));
            assert_memory_equal(ser_symbols_name(a, space, n), ser_symbols_name(b, space, n),
                                length);
        }
    }
    assert_int_equal(ser_symbols_site_count(a), ser_symbols_site_count(b));
    for (uint32_t site = 0; site < ser_symbols_site_count(a); site++) {
        assert_string_equal(ser_symbols_location(a, site), ser_symbols_location(b, site));
        assert_int_equal(ser_symbols_site_function(a, site), ser_symbols_site_function(b, site));
    }
}

#endif
