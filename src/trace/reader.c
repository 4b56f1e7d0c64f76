/* SPDX-License-Identifier: MIT */
/*
 * The reader facade: recognises the format by the first bytes, counts events,
 * and holds an error back until the events before it were delivered, so that
 * formats may return both at once.
 */
#include "trace/reader.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"

/* Bytes that recognition may look at. */
enum { HEAD = 16 << 10 };

struct ser_reader {
    ser_format_context context;
    const ser_format *format;
    void *state;
    ser_error pending; /* the error to return once the events before it were delivered */
};

/* NULL: more bytes are needed. */
static const ser_format *recognise(const uint8_t *head, size_t length, bool more)
{
    static const ser_format *const formats[] = {&ser_format_native, &ser_format_roadrunner, NULL};
    for (const ser_format *const *format = formats; *format; format++) {
        ser_recognition answer = (*format)->recognise(head, length, more);
        if (answer != SER_FORMAT_NO)
            return answer == SER_FORMAT_YES ? *format : NULL;
    }
    return &ser_format_text;
}

/* Reads no more of a pipe than necessary, since the next bytes may come much later. */
static void choose_format(ser_reader *reader)
{
    size_t have = 0;
    ser_input *input = reader->context.input;
    while (!reader->format) {
        size_t want = have < HEAD ? have + 1 : HEAD;
        const uint8_t *head = ser_input_peek(input, want, &have);
        bool more = have >= want && have < HEAD;
        reader->format = recognise(head, have < HEAD ? have : HEAD, more);
    }
}

static ser_status say_pending(const ser_reader *reader, ser_error *error)
{
    if (error)
        *error = reader->pending;
    return reader->pending.status;
}

/* An error of the start stays pending, so that next returns it again. */
static ser_status start(ser_reader *reader, ser_error *error)
{
    reader->context.events = 0;
    reader->pending.status =
        reader->format->open(&reader->state, &reader->context, &reader->pending);
    return reader->pending.status == SER_OK ? SER_OK : say_pending(reader, error);
}

ser_status ser_reader_name_place(ser_status status, uint64_t events, ser_error *error)
{
    if (status != SER_OK)
        ser_error_append(error, ", after event %" PRIu64, events);
    return status;
}

/* As far as it was read. */
static bool is_program(ser_input *input)
{
    size_t have;
    const uint8_t *head = ser_input_peek(input, 1, &have);
    return have >= 4 && memcmp(head, "\177ELF", 4) == 0;
}

static ser_status choose_format_and_start(ser_reader *reader, ser_error *error)
{
    ser_input *input = reader->context.input;
    size_t have;
    ser_input_peek(input, 1, &have);
    if (have == 0 && ser_input_status(input, error) != SER_OK)
        return ser_reader_name_place(SER_INPUT, 0, error);
    if (have == 0)
        return ser_fail(error, SER_INPUT, "%s is empty", ser_input_name(input));
    choose_format(reader);
    if (reader->format == &ser_format_text && is_program(input))
        return ser_fail(error, SER_INPUT,
                        "%s is a program, not a trace; `seriatim record` makes a trace of a run",
                        ser_input_name(input));
    return start(reader, error);
}

static ser_status open_input(ser_reader **result, ser_input *input,
                             const ser_reader_options *options, ser_error *error)
{
    ser_reader *reader = ser_alloc(1, sizeof *reader);
    reader->context.input = input;
    reader->context.symbols = ser_symbols_create();
    reader->context.skip_sites = options && options->skip_sites;
    ser_status status = choose_format_and_start(reader, error);
    if (status != SER_OK) {
        ser_reader_close(reader);
        reader = NULL;
    }
    *result = reader;
    return status;
}

ser_status ser_reader_open(ser_reader **reader, const char *path, const ser_reader_options *options,
                           ser_error *error)
{
    ser_input *input;
    *reader = NULL;
    ser_status status = ser_input_open(&input, path, options && options->keep, error);
    return status == SER_OK ? open_input(reader, input, options, error) : status;
}

ser_status ser_reader_open_memory(ser_reader **reader, const void *bytes, size_t length,
                                  const char *name, ser_error *error)
{
    return open_input(reader, ser_input_open_memory(bytes, length, name), NULL, error);
}

static void close_format(ser_reader *reader)
{
    if (reader->format && reader->state)
        reader->format->close(reader->state);
    reader->state = NULL;
}

void ser_reader_close(ser_reader *reader)
{
    if (!reader)
        return;
    close_format(reader);
    ser_symbols_destroy(reader->context.symbols);
    ser_input_close(reader->context.input);
    free(reader);
}

ser_status ser_reader_next(ser_reader *reader, ser_event *batch, size_t capacity, size_t *count,
                           ser_error *error)
{
    *count = 0;
    if (reader->pending.status != SER_OK)
        return say_pending(reader, error);
    ser_status status = reader->format->next(reader->state, &reader->context, batch, capacity,
                                             count, &reader->pending);
    /* An input error must not get lost if a format did not check why its input ended. */
    if (status == SER_OK && *count == 0)
        status = ser_reader_name_place(ser_input_status(reader->context.input, &reader->pending),
                                       reader->context.events, &reader->pending);
    reader->pending.status = status;
    reader->context.events += *count;
    return status == SER_OK || *count > 0 ? SER_OK : say_pending(reader, error);
}

ser_status ser_reader_rewind(ser_reader *reader, bool skip_sites, ser_error *error)
{
    close_format(reader); /* a thread of it may read the input */
    reader->pending.status = ser_input_rewind(reader->context.input, &reader->pending);
    if (reader->pending.status != SER_OK)
        return say_pending(reader, error);
    reader->context.skip_sites = skip_sites;
    return start(reader, error);
}

ser_status ser_reader_seek(ser_reader *reader, uint64_t least, uint64_t most, bool *went,
                           ser_past_events *past, ser_error *error)
{
    const ser_format *format = reader->format;
    *went = reader->pending.status == SER_OK && format->find &&
            format->find(reader->state, most) > least;
    if (!*went)
        return SER_OK;
    ser_status status = ser_reader_rewind(reader, reader->context.skip_sites, error);
    if (status != SER_OK)
        return status;
    reader->pending.status =
        format->seek(reader->state, &reader->context, most, past, &reader->pending);
    return reader->pending.status == SER_OK ? SER_OK : say_pending(reader, error);
}

ser_symbols *ser_reader_take_symbols(ser_reader *reader)
{
    ser_symbols *symbols = reader->context.symbols;
    reader->context.symbols = NULL;
    return symbols;
}

ser_symbols *ser_reader_symbols(ser_reader *reader)
{
    return reader->context.symbols;
}

const char *ser_reader_format(const ser_reader *reader)
{
    return reader->format->name;
}

const char *ser_reader_note(const ser_reader *reader)
{
    return reader->context.note[0] ? reader->context.note : NULL;
}

void ser_reader_progress(const ser_reader *reader, uint64_t *done, uint64_t *total)
{
    ser_input_progress(reader->context.input, done, total);
}

uint64_t ser_reader_events(const ser_reader *reader)
{
    return reader->context.events;
}
