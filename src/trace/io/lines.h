/* SPDX-License-Identifier: MIT */
/*
 * lines.h - the lines of an input, one after the other, without copies.
 *
 * For readers of text formats. A line ends with LF or CRLF, the last one also
 * with the data. Lines beyond SER_LINE_LIMIT are an error, so that binary data
 * without line ends does not fill the memory.
 */
#ifndef SER_TRACE_IO_LINES_H
#define SER_TRACE_IO_LINES_H

#include <string.h>

#include "trace/io/input.h"
#include "trace/span.h"

enum { SER_LINE_LIMIT = 1 << 20 };

/* The lines own the input's window: no other code may peek or consume meanwhile. */
typedef struct ser_lines {
    ser_input *input;
    const char *start, *at, *end; /* the window; what lies before `at` is used up */
    uint64_t number;              /* of the last line, from 1 */
} ser_lines;

void ser_lines_init(ser_lines *lines, ser_input *input);

static inline ser_span ser_line_without_return(const char *text, size_t length)
{
    if (length > 0 && text[length - 1] == '\r')
        length--;
    return (ser_span){text, length};
}

/* The next line without its end, if all of it is in the window: earlier lines
 * stay valid then. */
static inline bool ser_lines_take(ser_lines *lines, ser_span *line)
{
    const char *stop = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    if (!stop)
        return false;
    *line = ser_line_without_return(lines->at, (size_t)(stop - lines->at));
    lines->at = stop + 1;
    lines->number++;
    return true;
}

/* The next line when ser_lines_take has none. At the end of the data
 * line->text is NULL. Earlier lines are no longer valid. */
ser_status ser_lines_refill(ser_lines *lines, ser_span *line, ser_error *error);

/* "NAME:LINE: event N: what in "line"", with the line shortened and what cannot
 * be printed escaped. */
ser_status ser_lines_fail(const ser_lines *lines, ser_span line, uint64_t event, const char *what,
                          ser_error *error);

/* Writes the text for a message into a buffer of size bytes: shortened to fit,
 * unprintable bytes as \xNN. */
void ser_span_quote(ser_span span, char *buffer, size_t size);

#endif
