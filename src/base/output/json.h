/* SPDX-License-Identifier: MIT */
/*
 * json.h - writes a JSON document piece by piece.
 *
 *     ser_json_open_object(&json);
 *     ser_json_key(&json, "events");
 *     ser_json_number(&json, 12);
 *     ser_json_close_object(&json);
 *     ser_json_end(&json);
 *
 * The two outermost levels are broken into lines, deeper ones are not: easy to
 * read and to grep, and a line for each violation. Texts may hold any bytes:
 * invalid UTF-8 becomes U+FFFD, and characters that are unsafe on a terminal (show.h) are escaped.
 * Calls that would produce invalid JSON, such as a key in an array, are bugs and end the program.
 */
#ifndef SER_BASE_OUTPUT_JSON_H
#define SER_BASE_OUTPUT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SER_JSON_DEEPEST = 16 };

typedef struct ser_json {
    void (*write)(void *context, const void *bytes, size_t count);
    void *context;
    unsigned depth;
    bool after_key;
    struct {
        char kind; /* '{' or '[' */
        bool filled;
    } level[SER_JSON_DEEPEST];
} ser_json;

/* Bytes of the document go to write, in small pieces. */
void ser_json_init(ser_json *json, void (*write)(void *context, const void *bytes, size_t count),
                   void *context);

/* After the last value: ends the line. */
void ser_json_end(ser_json *json);

void ser_json_open_object(ser_json *json);
void ser_json_close_object(ser_json *json);
void ser_json_open_array(ser_json *json);
void ser_json_close_array(ser_json *json);

/* In an object, before each value. */
void ser_json_key(ser_json *json, const char *key);

void ser_json_text(ser_json *json, const char *text);
void ser_json_bytes(ser_json *json, const char *text, size_t length);
void ser_json_number(ser_json *json, uint64_t number);
/* A number of another document, as it is written there. */
void ser_json_number_as(ser_json *json, const char *text);
/* A finite number, to six decimals. */
void ser_json_real(ser_json *json, double number);
void ser_json_bool(ser_json *json, bool value);
void ser_json_null(ser_json *json);

/* A key and its value. */
void ser_json_text_at(ser_json *json, const char *key, const char *text);
void ser_json_text_or_null_at(ser_json *json, const char *key, const char *text);
void ser_json_number_at(ser_json *json, const char *key, uint64_t number);
void ser_json_real_at(ser_json *json, const char *key, double number);
void ser_json_bool_at(ser_json *json, const char *key, bool value);

#endif
