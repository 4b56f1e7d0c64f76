/* SPDX-License-Identifier: MIT */
/*
 * A stack of open objects and arrays says what may come next; start_value puts
 * the comma and the line break before every value, and checks.
 */
#include "base/output/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/output/show.h"
#include "base/status.h"

enum { LEVELS_IN_LINES = 2, INDENT = 2 };

static void put(ser_json *json, const char *text)
{
    json->write(json->context, text, strlen(text));
}

void ser_json_init(ser_json *json, void (*write)(void *context, const void *bytes, size_t count),
                   void *context)
{
    *json = (ser_json){.write = write, .context = context};
}

static void break_line(ser_json *json, unsigned depth)
{
    put(json, "\n");
    for (unsigned i = 0; i < depth * INDENT; i++)
        put(json, " ");
}

/* Before an item of the innermost object or array. */
static void separate(ser_json *json)
{
    bool filled = json->level[json->depth - 1].filled;
    json->level[json->depth - 1].filled = true;
    if (json->depth > LEVELS_IN_LINES) {
        put(json, filled ? ", " : "");
    } else {
        put(json, filled ? "," : "");
        break_line(json, json->depth);
    }
}

static void start_value(ser_json *json)
{
    bool in_object = json->depth > 0 && json->level[json->depth - 1].kind == '{';
    ser_check(in_object == json->after_key);
    if (json->depth > 0 && !in_object)
        separate(json);
    json->after_key = false;
}

static void open_level(ser_json *json, char kind)
{
    start_value(json);
    ser_check(json->depth < SER_JSON_DEEPEST);
    json->write(json->context, &kind, 1);
    json->level[json->depth].kind = kind;
    json->level[json->depth].filled = false;
    json->depth++;
}

static void close_level(ser_json *json, char kind, const char *closer)
{
    ser_check(json->depth > 0 && json->level[json->depth - 1].kind == kind && !json->after_key);
    json->depth--;
    if (json->level[json->depth].filled && json->depth < LEVELS_IN_LINES)
        break_line(json, json->depth);
    put(json, closer);
}

void ser_json_open_object(ser_json *json)
{
    open_level(json, '{');
}

void ser_json_close_object(ser_json *json)
{
    close_level(json, '{', "}");
}

void ser_json_open_array(ser_json *json)
{
    open_level(json, '[');
}

void ser_json_close_array(ser_json *json)
{
    close_level(json, '[', "]");
}

void ser_json_end(ser_json *json)
{
    ser_check(json->depth == 0);
    put(json, "\n");
}

/* JSON may be shown on a terminal as well: characters that are harmful there are written as their
 * numbers. */
static bool needs_escape(uint32_t point)
{
    return point == '"' || point == '\\' || !ser_is_harmless(point);
}

static void put_escaped(ser_json *json, uint32_t point)
{
    char text[16];
    switch (point) {
    case '"':
        put(json, "\\\"");
        break;
    case '\\':
        put(json, "\\\\");
        break;
    case '\n':
        put(json, "\\n");
        break;
    case '\t':
        put(json, "\\t");
        break;
    default:
        if (point < 0x10000)
            snprintf(text, sizeof text, "\\u%04x", point);
        else
            snprintf(text, sizeof text, "\\u%04x\\u%04x", 0xd800 + ((point - 0x10000) >> 10),
                     0xdc00 + (point & 0x3ff));
        put(json, text);
    }
}

static void put_string(ser_json *json, const char *text, size_t length)
{
    put(json, "\"");
    while (length > 0) {
        size_t run = 0, step = 0; /* run: bytes that can stand as they are */
        uint32_t point = 0;
        for (; run < length; run += step) {
            step = ser_utf8_read(text + run, length - run, &point);
            if (step == 0 || needs_escape(point))
                break;
        }
        json->write(json->context, text, run);
        text += run;
        length -= run;
        if (length == 0)
            break;
        put_escaped(json, step ? point : 0xfffd);
        text += step ? step : 1;
        length -= step ? step : 1;
    }
    put(json, "\"");
}

void ser_json_key(ser_json *json, const char *key)
{
    ser_check(json->depth > 0 && json->level[json->depth - 1].kind == '{' && !json->after_key);
    separate(json);
    put_string(json, key, strlen(key));
    put(json, ": ");
    json->after_key = true;
}

void ser_json_bytes(ser_json *json, const char *text, size_t length)
{
    start_value(json);
    put_string(json, text, length);
}

void ser_json_text(ser_json *json, const char *text)
{
    ser_json_bytes(json, text, strlen(text));
}

void ser_json_number(ser_json *json, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    start_value(json);
    put(json, text);
}

void ser_json_number_as(ser_json *json, const char *text)
{
    start_value(json);
    put(json, text);
}

void ser_json_real(ser_json *json, double number)
{
    char text[400]; /* the largest double has 309 digits */
    ser_check(isfinite(number));
    snprintf(text, sizeof text, "%.6f", number);
    start_value(json);
    put(json, text);
}

void ser_json_bool(ser_json *json, bool value)
{
    start_value(json);
    put(json, value ? "true" : "false");
}

void ser_json_null(ser_json *json)
{
    start_value(json);
    put(json, "null");
}

void ser_json_text_at(ser_json *json, const char *key, const char *text)
{
    ser_json_key(json, key);
    ser_json_text(json, text);
}

void ser_json_text_or_null_at(ser_json *json, const char *key, const char *text)
{
    ser_json_key(json, key);
    if (text)
        ser_json_text(json, text);
    else
        ser_json_null(json);
}

void ser_json_number_at(ser_json *json, const char *key, uint64_t number)
{
    ser_json_key(json, key);
    ser_json_number(json, number);
}

void ser_json_real_at(ser_json *json, const char *key, double number)
{
    ser_json_key(json, key);
    ser_json_real(json, number);
}

void ser_json_bool_at(ser_json *json, const char *key, bool value)
{
    ser_json_key(json, key);
    ser_json_bool(json, value);
}
