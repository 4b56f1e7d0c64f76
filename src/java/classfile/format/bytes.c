/* SPDX-License-Identifier: MIT */
#include "java/classfile/format/bytes.h"

#include <stdlib.h>
#include <string.h>

ser_view ser_view_part(ser_view *view, size_t size)
{
    if (view->bad || ser_view_left(view) < size) {
        view->bad = true;
        return (ser_view){view->end, view->end, true};
    }
    ser_view part = {view->at, view->at + size, false};
    view->at += size;
    return part;
}

void ser_view_skip(ser_view *view, size_t size)
{
    ser_view_part(view, size);
}

uint32_t ser_view_1(ser_view *view)
{
    ser_view part = ser_view_part(view, 1);
    return part.bad ? 0 : part.at[0];
}

uint32_t ser_view_2(ser_view *view)
{
    ser_view part = ser_view_part(view, 2);
    return part.bad ? 0 : ser_peek_2(part.at);
}

uint32_t ser_view_4(ser_view *view)
{
    ser_view part = ser_view_part(view, 4);
    return part.bad ? 0 : ser_peek_4(part.at);
}

static bool make_room(ser_bytes *bytes, size_t size)
{
    if (bytes->failed)
        return false;
    if (bytes->room - bytes->count >= size)
        return true;
    size_t room = (bytes->count + size) * 2 + 64;
    uint8_t *larger = realloc(bytes->items, room);
    if (!larger) {
        bytes->failed = true;
        return false;
    }
    bytes->items = larger;
    bytes->room = room;
    return true;
}

void ser_bytes_put(ser_bytes *bytes, const void *from, size_t size)
{
    if (size == 0 || !make_room(bytes, size))
        return;
    memcpy(bytes->items + bytes->count, from, size);
    bytes->count += size;
}

void ser_bytes_1(ser_bytes *bytes, uint32_t value)
{
    uint8_t byte = (uint8_t)value;
    ser_bytes_put(bytes, &byte, 1);
}

void ser_bytes_2(ser_bytes *bytes, uint32_t value)
{
    const uint8_t two[] = {(uint8_t)(value >> 8), (uint8_t)value};
    ser_bytes_put(bytes, two, sizeof two);
}

void ser_bytes_4(ser_bytes *bytes, uint32_t value)
{
    ser_bytes_2(bytes, value >> 16);
    ser_bytes_2(bytes, value);
}

void ser_bytes_patch_2(ser_bytes *bytes, size_t at, uint32_t value)
{
    if (bytes->failed)
        return;
    bytes->items[at] = (uint8_t)(value >> 8);
    bytes->items[at + 1] = (uint8_t)value;
}

void ser_bytes_patch_4(ser_bytes *bytes, size_t at, uint32_t value)
{
    ser_bytes_patch_2(bytes, at, value >> 16);
    ser_bytes_patch_2(bytes, at + 2, value);
}

void ser_bytes_free(ser_bytes *bytes)
{
    free(bytes->items);
    *bytes = (ser_bytes){0};
}

bool ser_class_text_is(ser_class_text text, const char *other)
{
    return strlen(other) == text.length && memcmp(text.bytes, other, text.length) == 0;
}

bool ser_class_text_same(ser_class_text one, ser_class_text other)
{
    return one.length == other.length && memcmp(one.bytes, other.bytes, one.length) == 0;
}

bool ser_class_text_starts(ser_class_text text, const char *start)
{
    size_t length = strlen(start);
    return length <= text.length && memcmp(text.bytes, start, length) == 0;
}
