/* SPDX-License-Identifier: MIT */
/*
 * Trailing fields |key=value and the escapes in them. They are rare: values
 * that a recorder saw, functions, and names that cannot stand verbatim.
 */
#include "trace/text/text_syntax.h"

#include <stdio.h>

#include "base/output/show.h"

void ser_text_scratch_fini(ser_text_scratch *scratch)
{
    ser_vector_free(&scratch->thread);
    ser_vector_free(&scratch->operand);
    ser_vector_free(&scratch->location);
    ser_vector_free(&scratch->function);
    ser_vector_free(&scratch->guards);
    ser_vector_free(&scratch->note);
}

bool ser_text_complain(ser_text_scratch *scratch, const char *what)
{
    snprintf(scratch->complaint, sizeof scratch->complaint, "%s", what);
    return false;
}

bool ser_text_complain_of(ser_text_scratch *scratch, const char *what, ser_span about)
{
    char quoted[48];
    ser_span_quote(about, quoted, sizeof quoted);
    snprintf(scratch->complaint, sizeof scratch->complaint, "%s '%s'", what, quoted);
    return false;
}

static int digit_value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    int letter = digit | 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : 16;
}

static bool parse_digits(ser_span text, int base, uint64_t *value)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < text.length; i++) {
        int digit = digit_value(text.text[i]);
        if (digit >= base || __builtin_mul_overflow(sum, (uint64_t)base, &sum) ||
            __builtin_add_overflow(sum, (uint64_t)digit, &sum))
            return false;
    }
    *value = sum;
    return text.length > 0;
}

static ser_span without_first(ser_span text, size_t count)
{
    return (ser_span){text.text + count, text.length - count};
}

/* Unsigned decimal or 0x hexadecimal; negative decimal as two's complement. */
static bool parse_value(ser_span text, uint64_t *value)
{
    if (text.length > 2 && text.text[0] == '0' && (text.text[1] | 0x20) == 'x')
        return parse_digits(without_first(text, 2), 16, value);
    if (text.length == 0 || text.text[0] != '-')
        return parse_digits(text, 10, value);
    if (!parse_digits(without_first(text, 1), 10, value) || *value > (uint64_t)INT64_MIN)
        return false;
    *value = 0 - *value;
    return true;
}

/* The byte of the escape at the start of text, or -1. */
static int escaped_byte(ser_span text)
{
    if (text.length < 3)
        return -1;
    int high = digit_value(text.text[1]), low = digit_value(text.text[2]);
    return high < 16 && low < 16 ? high << 4 | low : -1;
}

bool ser_text_unescape(ser_text_buffer *to, ser_span text)
{
    to->count = 0;
    ser_vector_reserve(to, text.length + 1); /* + 1: an empty text is not NULL */
    for (ser_span rest = text; rest.length > 0;) {
        bool escape = rest.text[0] == '%';
        int byte = escape ? escaped_byte(rest) : rest.text[0];
        if (escape && byte < 0)
            return false;
        to->items[to->count++] = (char)byte;
        rest = without_first(rest, escape ? 3 : 1);
    }
    return true;
}

static bool unescape(ser_text_scratch *scratch, ser_text_line *line, ser_text_buffer *to,
                     ser_span text, ser_span *result)
{
    line->escaped = true;
    if (!ser_text_unescape(to, text))
        return ser_text_complain_of(scratch, "malformed escape", text);
    *result = (ser_span){to->items, to->count};
    return true;
}

static bool key_is(ser_span key, const char *name)
{
    return strlen(name) == key.length && memcmp(name, key.text, key.length) == 0;
}

static bool take_mark(ser_text_scratch *scratch, const char *rule, ser_span text, bool *mark)
{
    *mark = text.length == 1 && *text.text == '1';
    return *mark || ser_text_complain_of(scratch, rule, text);
}

/* Words with commas between them. */
static bool take_flow(ser_text_scratch *scratch, ser_span text, uint16_t *flow)
{
    for (ser_span rest = text;;) {
        const char *comma = memchr(rest.text, ',', rest.length);
        size_t length = comma ? (size_t)(comma - rest.text) : rest.length;
        uint16_t bit = ser_flow_by_name(rest.text, length);
        if (bit == 0)
            return ser_text_complain_of(scratch, "unknown flow", text);
        *flow |= bit;
        if (!comma)
            return true;
        rest = without_first(rest, length + 1);
    }
}

static bool take_field(ser_text_scratch *scratch, ser_text_line *line, ser_span key, ser_span text)
{
    if (key_is(key, "value")) {
        line->has_value = true;
        return parse_value(text, &line->value) ||
               ser_text_complain_of(scratch, "malformed value", text);
    }
    if (key_is(key, "joined"))
        return take_mark(scratch, "joined must be 1 if it is given, not", text, &line->joined);
    if (key_is(key, "continues"))
        return take_mark(scratch, "continues must be 1 if it is given, not", text,
                         &line->continues);
    if (key_is(key, "late"))
        return take_mark(scratch, "late must be 1 if it is given, not", text, &line->late);
    if (key_is(key, "flow"))
        return take_flow(scratch, text, &line->flow);
    if (key_is(key, "guards"))
        return unescape(scratch, line, &scratch->guards, text, &line->guards);
    if (key_is(key, "function"))
        return unescape(scratch, line, &scratch->function, text, &line->function);
    if (key_is(key, "location"))
        return unescape(scratch, line, &scratch->location, text, &line->location);
    if (key_is(key, "operand"))
        return unescape(scratch, line, &scratch->operand, text, &line->operand);
    if (key_is(key, "thread"))
        return unescape(scratch, line, &scratch->thread, text, &line->thread);
    return true; /* of a later version, or of another tool */
}

bool ser_text_take_fields(ser_text_scratch *scratch, ser_text_line *line)
{
    ser_span rest = line->location;
    const char *bar;
    line->location = (ser_span){NULL, 0};
    while ((bar = memrchr(rest.text, '|', rest.length)) != NULL) {
        size_t before = (size_t)(bar - rest.text);
        ser_span field = without_first(rest, before + 1);
        size_t key_length = ser_text_key_length(field);
        if (key_length == 0)
            break;
        if (!take_field(scratch, line, (ser_span){field.text, key_length},
                        without_first(field, key_length + 1)))
            return false;
        rest.length = before;
    }
    if (!line->location.text && rest.length > 0)
        line->location = rest;
    return true;
}

size_t ser_text_key_length(ser_span span)
{
    size_t i = 0;
    while (i < span.length && ((span.text[i] >= 'a' && span.text[i] <= 'z') || span.text[i] == '_'))
        i++;
    return i < span.length && span.text[i] == '=' ? i : 0;
}

/* How many bytes at the start of the text can stand as they are. */
static size_t plain_length(ser_span text)
{
    size_t harmless = ser_harmless_length(text.text, text.length), plain = 0;
    while (plain < harmless && !strchr("%|()#=", text.text[plain]))
        plain++;
    return plain;
}

void ser_text_escape(ser_text_buffer *to, ser_span text)
{
    static const char digits[] = "0123456789ABCDEF";
    ser_vector_reserve(to, to->count + 3 * text.length);
    for (size_t i = 0; i < text.length;) {
        size_t plain = plain_length(without_first(text, i));
        memcpy(to->items + to->count, text.text + i, plain);
        to->count += plain;
        i += plain;
        if (i == text.length)
            break;
        uint8_t byte = (uint8_t)text.text[i++];
        to->items[to->count++] = '%';
        to->items[to->count++] = digits[byte >> 4];
        to->items[to->count++] = digits[byte & 15];
    }
}
