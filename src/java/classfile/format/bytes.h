/* SPDX-License-Identifier: MIT */
/*
 * bytes.h - bytes in the order of class files, most significant first: read with bounds, and
 * written.
 *
 * A view that is read beyond its end gives zeros and is bad from then on; a buffer without memory
 * has failed from then on. So callers look once, at the end. This lives inside a user's program:
 * it never aborts.
 */
#ifndef SER_JAVA_CLASSFILE_FORMAT_BYTES_H
#define SER_JAVA_CLASSFILE_FORMAT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ser_view {
    const uint8_t *at, *end;
    bool bad;
} ser_view;

/* A text of a class file: not terminated. */
typedef struct ser_class_text {
    const char *bytes;
    uint32_t length;
} ser_class_text;

typedef struct ser_bytes {
    uint8_t *items; /* of malloc */
    size_t count, room;
    bool failed;
} ser_bytes;

uint32_t ser_view_1(ser_view *view);
uint32_t ser_view_2(ser_view *view);
uint32_t ser_view_4(ser_view *view);
/* The next `size` bytes, as a view of their own; empty and bad if they are not there. */
ser_view ser_view_part(ser_view *view, size_t size);
void ser_view_skip(ser_view *view, size_t size);

static inline size_t ser_view_left(const ser_view *view)
{
    return (size_t)(view->end - view->at);
}

/* Where bounds are known. */
static inline uint32_t ser_peek_2(const uint8_t *at)
{
    return (uint32_t)at[0] << 8 | at[1];
}

static inline uint32_t ser_peek_4(const uint8_t *at)
{
    return ser_peek_2(at) << 16 | ser_peek_2(at + 2);
}

void ser_bytes_1(ser_bytes *bytes, uint32_t value);
void ser_bytes_2(ser_bytes *bytes, uint32_t value);
void ser_bytes_4(ser_bytes *bytes, uint32_t value);
void ser_bytes_put(ser_bytes *bytes, const void *from, size_t size);
/* Over what is there already. */
void ser_bytes_patch_2(ser_bytes *bytes, size_t at, uint32_t value);
void ser_bytes_patch_4(ser_bytes *bytes, size_t at, uint32_t value);
void ser_bytes_free(ser_bytes *bytes);

bool ser_class_text_is(ser_class_text text, const char *other);
bool ser_class_text_same(ser_class_text one, ser_class_text other);
bool ser_class_text_starts(ser_class_text text, const char *start);

#endif
