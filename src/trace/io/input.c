/* SPDX-License-Identifier: MIT */
/*
 * The window over decoded bytes. ser_input_peek moves what is left of the
 * window to its front and lets the codec fill the rest; for a reader that consumes what it is
 * given, only one partial record is ever moved.
 */
#include "trace/io/input.h"

#include <string.h>

#include "base/memory.h"
#include "trace/io/input_internal.h"

enum { MAGIC_BYTES = 4, SMALLEST_WINDOW = 64 };

struct ser_input {
    ser_raw_buffer source;
    const ser_codec *codec; /* NULL until the first byte is wanted */
    void *codec_state;
    uint8_t *window; /* capacity bytes, and SER_INPUT_SLACK more */
    size_t at, end, capacity;
    bool ended;
    uint64_t consumed;
    char *name;
};

/* `chunk` is how much is read at a time. */
static ser_input *create(const char *name, size_t chunk)
{
    ser_input *input = ser_alloc(1, sizeof *input);
    input->name = ser_copy_text(name, strlen(name));
    input->source.name = input->name;
    input->source.capacity = input->capacity = chunk;
    input->source.bytes = ser_resize(NULL, chunk, 1);
    input->window = ser_alloc(chunk + SER_INPUT_SLACK, 1);
    return input;
}

ser_status ser_input_open(ser_input **input, const char *path, bool keep, ser_error *error)
{
    bool standard = strcmp(path, "-") == 0;
    ser_raw raw;
    const char *name = standard ? "standard input" : path;
    *input = NULL;
    ser_status status = ser_raw_open(&raw, standard ? NULL : path, name, keep, error);
    if (status != SER_OK)
        return status;
    *input = create(name, SER_RAW_CHUNK);
    (*input)->source.raw = raw;
    return SER_OK;
}

ser_input *ser_input_open_memory(const void *bytes, size_t length, const char *name)
{
    size_t chunk = length < SMALLEST_WINDOW ? SMALLEST_WINDOW : length;
    ser_input *input = create(name, chunk < SER_RAW_CHUNK ? chunk : SER_RAW_CHUNK);
    ser_raw_open_memory(&input->source.raw, bytes, length);
    return input;
}

static void close_codec(ser_input *input)
{
    if (input->codec)
        input->codec->close(input->codec_state);
    input->codec = NULL;
    input->codec_state = NULL;
}

void ser_input_close(ser_input *input)
{
    if (!input)
        return;
    close_codec(input);
    ser_raw_close(&input->source.raw);
    free(input->source.bytes);
    free(input->window);
    free(input->name);
    free(input);
}

static void open_codec(ser_input *input)
{
    ser_raw_buffer *source = &input->source;
    ser_raw_buffer_fill(source, MAGIC_BYTES);
    input->codec = ser_codec_for(source->bytes, source->end);
    input->codec_state = input->codec->open();
}

static void make_room(ser_input *input, size_t want)
{
    size_t have = input->end - input->at;
    if (input->at > 0)
        memmove(input->window, input->window + input->at, have);
    input->at = 0;
    input->end = have;
    if (want <= input->capacity)
        return;
    input->capacity = ser_grown_capacity(input->capacity, want);
    input->window = ser_resize(input->window, input->capacity + SER_INPUT_SLACK, 1);
}

static void fill(ser_input *input, size_t want)
{
    if (!input->codec)
        open_codec(input);
    make_room(input, want);
    while (input->end < want && !input->ended) {
        size_t count = input->codec->read(input->codec_state, &input->source,
                                          input->window + input->end, input->capacity - input->end);
        input->end += count;
        input->ended = count == 0;
    }
    memset(input->window + input->end, 0, SER_INPUT_SLACK);
}

const uint8_t *ser_input_peek(ser_input *input, size_t want, size_t *have)
{
    if (input->end - input->at < want && !input->ended)
        fill(input, want);
    *have = input->end - input->at;
    return input->window + input->at;
}

void ser_input_consume(ser_input *input, size_t count)
{
    ser_check(count <= input->end - input->at);
    input->at += count;
    input->consumed += count;
}

ser_status ser_input_status(const ser_input *input, ser_error *error)
{
    const ser_error *broken = &input->source.error;
    if (broken->status == SER_OK || !input->ended)
        return SER_OK;
    return ser_fail(error, broken->status, "%s", broken->text);
}

uint64_t ser_input_offset(const ser_input *input)
{
    return input->consumed;
}

bool ser_input_is_file(const ser_input *input)
{
    return input->source.raw.seekable;
}

bool ser_input_can_seek(const ser_input *input)
{
    bool is_at_hand = input->source.raw.seekable || input->source.raw.bytes;
    return is_at_hand && input->codec && ser_codec_is_plain(input->codec);
}

bool ser_input_read_at(const ser_input *input, uint64_t offset, void *bytes, size_t count)
{
    return ser_input_can_seek(input) && ser_raw_read_at(&input->source.raw, offset, bytes, count);
}

static void forget_bytes(ser_input *input)
{
    input->source.at = input->source.end = 0;
    input->source.ended = input->ended = false;
    input->source.error.status = SER_OK;
    input->at = input->end = 0;
}

ser_status ser_input_seek(ser_input *input, uint64_t offset, ser_error *error)
{
    ser_check(ser_input_can_seek(input));
    ser_status status = ser_raw_seek(&input->source.raw, offset, input->name, error);
    if (status != SER_OK)
        return status;
    forget_bytes(input);
    input->consumed = offset;
    return SER_OK;
}

void ser_input_progress(const ser_input *input, uint64_t *done, uint64_t *total)
{
    *done = input->source.raw.done;
    *total = input->source.raw.total;
}

ser_status ser_input_rewind(ser_input *input, ser_error *error)
{
    if (input->consumed == 0)
        return SER_OK; /* the window still starts with the first byte */
    ser_status status = ser_raw_rewind(&input->source.raw, input->name, error);
    if (status != SER_OK)
        return status;
    close_codec(input);
    forget_bytes(input);
    input->consumed = 0;
    return SER_OK;
}

const char *ser_input_name(const ser_input *input)
{
    return input->name;
}
