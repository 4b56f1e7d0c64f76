/* SPDX-License-Identifier: MIT */
/*
 * Lines are handed out straight from the window of the input. Only a line that
 * crosses the end of the window makes it move: the input keeps the partial
 * line, puts it to the front, and reads behind it.
 */
#include "trace/io/lines.h"

#include <stdio.h>

void ser_lines_init(ser_lines *lines, ser_input *input)
{
    static const char nothing[1];
    *lines = (ser_lines){.input = input, .start = nothing, .at = nothing, .end = nothing};
}

/* Asks for at least one byte more than there is; false at the end of the data. */
static bool grow_window(ser_lines *lines)
{
    size_t have, partial = (size_t)(lines->end - lines->at);
    ser_input_consume(lines->input, (size_t)(lines->at - lines->start));
    const char *window = (const char *)ser_input_peek(lines->input, partial + 1, &have);
    lines->start = lines->at = window;
    lines->end = window + have;
    return have > partial;
}

static ser_status last_line(ser_lines *lines, ser_span *line, ser_error *error)
{
    ser_status status = ser_input_status(lines->input, error);
    *line = (ser_span){NULL, 0};
    if (status != SER_OK || lines->at == lines->end)
        return status;
    *line = ser_line_without_return(lines->at, (size_t)(lines->end - lines->at));
    lines->at = lines->end;
    lines->number++;
    return SER_OK;
}

static ser_status fail_too_long(const ser_lines *lines, uint64_t number, ser_error *error)
{
    return ser_fail(error, SER_INPUT, "%s:%llu: the line is longer than %d bytes",
                    ser_input_name(lines->input), (unsigned long long)number, SER_LINE_LIMIT);
}

/* Brings a whole line into the window, or all that is left. */
static ser_status fetch_line(ser_lines *lines, ser_span *line, ser_error *error)
{
    size_t searched;
    do {
        searched = (size_t)(lines->end - lines->at);
        if (searched > SER_LINE_LIMIT + 1) /* + 1 for a CR */
            return fail_too_long(lines, lines->number + 1, error);
        if (!grow_window(lines))
            return last_line(lines, line, error);
    } while (!memchr(lines->at + searched, '\n', (size_t)(lines->end - lines->at) - searched));
    ser_lines_take(lines, line);
    return SER_OK;
}

/* Only a line that the window grew for can be too long. */
ser_status ser_lines_refill(ser_lines *lines, ser_span *line, ser_error *error)
{
    ser_status status = fetch_line(lines, line, error);
    if (status == SER_OK && line->length > SER_LINE_LIMIT)
        return fail_too_long(lines, lines->number, error);
    return status;
}

void ser_span_quote(ser_span span, char *buffer, size_t size)
{
    static const char dots[] = "...";
    enum { LONGEST_ESCAPE = 4 };
    size_t used = 0;
    for (size_t i = 0; i < span.length; i++) {
        unsigned char byte = (unsigned char)span.text[i];
        if (used + LONGEST_ESCAPE + sizeof dots > size) {
            memcpy(buffer + used, dots, sizeof dots);
            return;
        }
        if (byte == '"' || byte == '\\')
            buffer[used++] = '\\';
        if (byte < 0x20 || byte > 0x7e)
            used += (size_t)snprintf(buffer + used, size - used, "\\x%02x", byte);
        else
            buffer[used++] = (char)byte;
    }
    buffer[used] = '\0';
}

ser_status ser_lines_fail(const ser_lines *lines, ser_span line, uint64_t event, const char *what,
                          ser_error *error)
{
    char quoted[100];
    ser_span_quote(line, quoted, sizeof quoted);
    return ser_fail(error, SER_INPUT, "%s:%llu: event %llu: %s in \"%s\"",
                    ser_input_name(lines->input), (unsigned long long)lines->number,
                    (unsigned long long)event, what, quoted);
}
