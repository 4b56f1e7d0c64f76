/* SPDX-License-Identifier: MIT */
/*
 * label_text.h - a name, put together piece by piece.
 *
 * Names are made by the million, which is too many for printf. What does not fit is cut off.
 */
#ifndef SER_RECORD_NAMING_LABEL_TEXT_H
#define SER_RECORD_NAMING_LABEL_TEXT_H

#include <stdint.h>
#include <string.h>

enum { SER_LABEL_LIMIT = 2048 };

typedef struct ser_label_text {
    size_t length;
    char bytes[SER_LABEL_LIMIT]; /* not terminated */
} ser_label_text;

/* The text, or if there is none what stands for it. */
static inline const char *ser_label_or(const char *text, const char *otherwise)
{
    return text && *text ? text : otherwise;
}

static inline void ser_label_put(ser_label_text *text, const char *bytes, size_t length)
{
    size_t room = sizeof text->bytes - text->length;
    length = length < room ? length : room;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

static inline void ser_label_say(ser_label_text *text, const char *words)
{
    ser_label_put(text, words, strlen(words));
}

static inline void ser_label_join(ser_label_text *text, const ser_label_text *other)
{
    ser_label_put(text, other->bytes, other->length);
}

static inline void ser_label_number(ser_label_text *text, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    ser_label_put(text, digits + at, sizeof digits - at);
}

#endif
