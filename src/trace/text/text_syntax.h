/* SPDX-License-Identifier: MIT */
/*
 * text_syntax.h - what reader and writer of the text format must agree on: the
 * parts of a line, its trailing fields, and escapes. docs/text-format.md is the full description.
 */
#ifndef SER_TRACE_TEXT_TEXT_SYNTAX_H
#define SER_TRACE_TEXT_TEXT_SYNTAX_H

#include "base/vector.h"
#include "trace/event.h"
#include "trace/io/lines.h"

typedef SER_VECTOR(char) ser_text_buffer;

/* A comment that starts like this is a note of the trace (symbols.h), escaped like
 * the texts of fields. */
#define SER_TEXT_NOTE "# note: "

/* A line, taken apart. A part that is absent has a text of NULL; one that is
 * there and empty (only a field can say so) has not. */
typedef struct ser_text_line {
    ser_span thread, operand, location, function, guards;
    ser_op op;
    bool has_value, joined, continues, late;
    bool escaped;  /* some part lies in the scratch space: good until the next line */
    uint16_t flow; /* SER_FLOW_* */
    uint64_t value;
} ser_text_line;

/* State that is kept from line to line. */
typedef struct ser_text_scratch {
    ser_text_buffer thread, operand, location, function, guards, note; /* unescaped */
    char complaint[128]; /* what is wrong with the line */
} ser_text_scratch;

void ser_text_scratch_fini(ser_text_scratch *scratch);

/* Fills in the complaint and returns false. `about` is shown in quotes. */
bool ser_text_complain(ser_text_scratch *scratch, const char *what);
bool ser_text_complain_of(ser_text_scratch *scratch, const char *what, ser_span about);

/* Takes the fields off the end of line->location, which holds all the rest of
 * the line, and puts them where they belong. */
bool ser_text_take_fields(ser_text_scratch *scratch, ser_text_line *line);

/* If the span looks like key=value, with a key of lower-case letters and
 * underscores: the length of the key. Else 0. */
size_t ser_text_key_length(ser_span span);

/* Puts the text without its escapes into `to`; false if one is malformed. */
bool ser_text_unescape(ser_text_buffer *to, ser_span text);

/* Appends the text with %XX for every byte that is special in the format or not printable. */
void ser_text_escape(ser_text_buffer *to, ser_span text);

#endif
