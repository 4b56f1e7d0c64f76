/* SPDX-License-Identifier: MIT */
#include "base/output/show.h"

#include <string.h>

typedef struct range {
    uint32_t first, last;
} range;

/* In order. */
static const range harmful[] = {
    {0x00, 0x1f},       /* control characters */
    {0x7f, 0x9f},       /* delete, and the control characters of Latin-1 */
    {0xad, 0xad},       /* soft hyphen: no width */
    {0x34f, 0x34f},     /* joins letters, no width */
    {0x61c, 0x61c},     /* Arabic letter mark: direction */
    {0x115f, 0x1160},   /* fillers, which look like nothing */
    {0x17b4, 0x17b5},   /* vowels without width */
    {0x180b, 0x180f},   /* Mongolian selectors and separator: no width */
    {0x200b, 0x200f},   /* no width; left-to-right and right-to-left marks */
    {0x2028, 0x202e},   /* separators of lines and paragraphs; embeddings and overrides */
    {0x2060, 0x206f},   /* no width; isolates; old format characters */
    {0x3164, 0x3164},   /* filler */
    {0xfeff, 0xfeff},   /* byte order mark: no width */
    {0xffa0, 0xffa0},   /* filler */
    {0xfff0, 0xfffb},   /* annotations */
    {0x1bca0, 0x1bca3}, /* shorthand format controls */
    {0x1d173, 0x1d17a}, /* musical format controls */
    {0xe0000, 0xe0fff}, /* tags and selectors: no width */
};

size_t ser_utf8_read(const char *text, size_t length, uint32_t *point)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const uint8_t *bytes = (const uint8_t *)text;
    uint8_t lead = bytes[0];
    *point = lead;
    if (lead < 0x80)
        return 1;
    size_t size = lead >= 0xf8 ? 0 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
    if (size == 0 || size > length)
        return 0;
    *point = lead & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
        *point = *point << 6 | (bytes[i] & 0x3f);
    }
    bool valid = *point >= smallest[size] && *point <= 0x10ffff && (*point & ~0x7ffu) != 0xd800;
    return valid ? size : 0;
}

bool ser_is_harmless(uint32_t point)
{
    if (point >= ' ' && point < 0x7f)
        return true;
    for (size_t i = 0; i < sizeof harmful / sizeof *harmful && point >= harmful[i].first; i++)
        if (point <= harmful[i].last)
            return false;
    return true;
}

size_t ser_harmless_length(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length) {
        uint32_t point;
        size_t size = ser_utf8_read(text + at, length - at, &point);
        if (size == 0 || !ser_is_harmless(point))
            break;
        at += size;
    }
    return at;
}

void ser_shown_append(ser_shown *to, const char *text, size_t length)
{
    if (length == 0)
        return;
    ser_vector_reserve(to, to->count + length);
    memcpy(to->items + to->count, text, length);
    to->count += length;
}

void ser_show(ser_shown *to, const char *text, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    while (length > 0) {
        size_t plain = ser_harmless_length(text, length);
        ser_shown_append(to, text, plain);
        text += plain;
        length -= plain;
        if (length == 0)
            return;
        uint32_t point;
        size_t size = ser_utf8_read(text, length, &point);
        for (size_t i = 0; i < (size ? size : 1); i++) {
            uint8_t byte = (uint8_t)text[i];
            const char escape[] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
            ser_shown_append(to, escape, sizeof escape);
        }
        text += size ? size : 1;
        length -= size ? size : 1;
    }
}
