/* SPDX-License-Identifier: MIT */
/*
 * Events as lines of text. Names are written verbatim where the reader can parse them. Others are
 * written twice: escaped in their place, so that people and other tools can read the line, and in a
 * field for our reader. Every trace reads back as the same events.
 */
#include <stdio.h>

#include "base/output/show.h"
#include "trace/text/text_syntax.h"
#include "trace/writer.h"

typedef struct text_writer {
    ser_output *output;
    const ser_symbols *symbols;
    ser_text_buffer lines; /* not yet given to the output */
    bool empty;            /* nothing was ever written */
} text_writer;

enum { LINES_LIMIT = 64 << 10 };

static void *open_writer(ser_output *output, const ser_symbols *symbols)
{
    text_writer *writer = ser_alloc(1, sizeof *writer);
    writer->output = output;
    writer->symbols = symbols;
    writer->empty = true;
    return writer;
}

static void append(ser_text_buffer *lines, const char *text, size_t length)
{
    ser_vector_reserve(lines, lines->count + length);
    memcpy(lines->items + lines->count, text, length);
    lines->count += length;
}

static void append_byte(ser_text_buffer *lines, char byte)
{
    ser_vector_push(lines, byte);
}

/* Traces are looked at on terminals, too. */
static bool is_harmless(ser_span text)
{
    return ser_harmless_length(text.text, text.length) == text.length;
}

/* The reader takes '#' for a comment and skips a byte order mark. */
static bool thread_is_plain(ser_span name)
{
    bool marked = name.length >= 3 && memcmp(name.text, "\xef\xbb\xbf", 3) == 0;
    return name.length > 0 && name.text[0] != '#' && !marked &&
           !memchr(name.text, '|', name.length) && is_harmless(name);
}

static bool operand_is_plain(ser_span name)
{
    return name.length > 0 && !memmem(name.text, name.length, ")|", 2) && is_harmless(name);
}

/* The end of a location must not look like a field. */
static bool location_is_plain(ser_span location)
{
    if (location.length == 0 || !is_harmless(location))
        return false;
    const char *bar = memrchr(location.text, '|', location.length);
    if (!bar)
        return true;
    size_t length = (size_t)(location.text + location.length - bar) - 1;
    return ser_text_key_length((ser_span){bar + 1, length}) == 0;
}

static void append_name(ser_text_buffer *lines, ser_span name, bool plain)
{
    if (plain)
        append(lines, name.text, name.length);
    else
        ser_text_escape(lines, name);
}

static void append_field(ser_text_buffer *lines, const char *key, ser_span text)
{
    append_byte(lines, '|');
    append(lines, key, strlen(key));
    append_byte(lines, '=');
    ser_text_escape(lines, text);
}

static void append_value(ser_text_buffer *lines, uint64_t value)
{
    char text[32];
    int length = snprintf(text, sizeof text, "|value=%llu", (unsigned long long)value);
    append(lines, text, (size_t)length);
}

static void append_flow(ser_text_buffer *lines, const ser_event *event)
{
    const char *before = "|flow=";
    uint16_t flow = event->flow & SER_FLOW_ALL;
    for (uint16_t bit = 1; bit <= flow; bit = (uint16_t)(bit << 1)) {
        const char *name = flow & bit ? ser_flow_name(bit, (ser_op)event->op) : "";
        if (*name == '\0')
            continue;
        append(lines, before, strlen(before));
        append(lines, name, strlen(name));
        before = ",";
    }
}

static ser_span guards_of(const text_writer *writer, uint32_t number)
{
    return (ser_span){ser_symbols_guards(writer->symbols, number),
                      ser_symbols_guards_length(writer->symbols, number)};
}

static void append_operation(ser_text_buffer *lines, const ser_event *event, ser_span operand,
                             bool plain)
{
    const char *name = ser_op_name(event->op);
    append(lines, name, strlen(name));
    if (event->object == SER_NO_OBJECT)
        return;
    append_byte(lines, '(');
    append_name(lines, operand, plain);
    append_byte(lines, ')');
}

static void append_event(text_writer *writer, const ser_event *event)
{
    ser_text_buffer *lines = &writer->lines;
    ser_span thread = ser_symbols_whole_name(writer->symbols, SER_SPACE_THREAD, event->thread);
    ser_span operand =
        ser_symbols_whole_name(writer->symbols, ser_op_space(event->op), event->object);
    ser_span location = ser_symbols_whole_location(writer->symbols, event->site);
    uint32_t function = ser_symbols_site_function(writer->symbols, event->site);
    bool plain_thread = thread_is_plain(thread);
    bool plain_operand = event->object == SER_NO_OBJECT || operand_is_plain(operand);
    bool plain_location = event->site == SER_NO_SITE || location_is_plain(location);

    append_name(lines, thread, plain_thread);
    append_byte(lines, '|');
    append_operation(lines, event, operand, plain_operand);
    append_byte(lines, '|');
    append_name(lines, location, plain_location);
    if (event->flags & SER_EVENT_HAS_VALUE)
        append_value(lines, event->value);
    if (event->flags & SER_EVENT_JOINED)
        append(lines, "|joined=1", sizeof "|joined=1" - 1);
    if (event->flags & SER_EVENT_CONTINUES)
        append(lines, "|continues=1", sizeof "|continues=1" - 1);
    if (event->flags & SER_EVENT_LATE)
        append(lines, "|late=1", sizeof "|late=1" - 1);
    if (event->flow & SER_FLOW_ALL)
        append_flow(lines, event);
    if (ser_event_guards(event))
        append_field(lines, "guards", guards_of(writer, ser_event_guards(event)));
    if (function != SER_NO_OBJECT)
        append_field(lines, "function",
                     ser_symbols_whole_name(writer->symbols, SER_SPACE_FUNCTION, function));
    if (!plain_thread)
        append_field(lines, "thread", thread);
    if (!plain_operand)
        append_field(lines, "operand", operand);
    if (!plain_location)
        append_field(lines, "location", location);
    append_byte(lines, '\n');
}

static void flush_lines(text_writer *writer)
{
    ser_output_write(writer->output, writer->lines.items, writer->lines.count);
    writer->lines.count = 0;
}

static void put_events(void *state, const ser_event *events, size_t count)
{
    text_writer *writer = state;
    for (size_t i = 0; i < count; i++) {
        append_event(writer, &events[i]);
        if (writer->lines.count > LINES_LIMIT)
            flush_lines(writer);
    }
    flush_lines(writer);
    writer->empty &= count == 0;
}

static void append_notes(text_writer *writer)
{
    ser_text_buffer *lines = &writer->lines;
    for (uint32_t i = 0; i < ser_symbols_note_count(writer->symbols); i++) {
        append(lines, SER_TEXT_NOTE, sizeof SER_TEXT_NOTE - 1);
        ser_span note = ser_symbols_whole_note(writer->symbols, i);
        append_name(lines, note, is_harmless(note) && !memchr(note.text, '%', note.length));
        append_byte(lines, '\n');
    }
    flush_lines(writer);
}

/* A trace without events must not be an empty file, which no reader accepts. */
static void finish_writer(void *state)
{
    static const char nothing[] = "# a trace without events\n";
    text_writer *writer = state;
    append_notes(writer);
    if (writer->empty)
        ser_output_write(writer->output, nothing, sizeof nothing - 1);
}

static void close_writer(void *state)
{
    text_writer *writer = state;
    ser_vector_free(&writer->lines);
    free(writer);
}

const ser_encoder ser_encoder_text = {
    .open = open_writer,
    .put = put_events,
    .finish = finish_writer,
    .close = close_writer,
};
