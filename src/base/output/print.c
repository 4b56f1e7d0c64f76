/* SPDX-License-Identifier: MIT */
/*
 * Walks over the format. Numbers are left to snprintf, one conversion at a time; texts are shown
 * and padded here. Padding counts bytes, as printf does.
 */
#include "base/output/print.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/output/show.h"
#include "base/status.h"

/* A va_list that can be handed on by address. */
typedef struct values {
    va_list list;
} values;

typedef struct conversion {
    char flags[8];
    int width, precision; /* precision: -1 where there is none */
    char length;          /* 'L' for ll; 0 for int */
    char kind;
} conversion;

static int read_number(const char **format, values *from)
{
    int number = 0;
    if (**format == '*') {
        ++*format;
        return va_arg(from->list, int);
    }
    for (; isdigit((unsigned char)**format); ++*format)
        number = 10 * number + (**format - '0');
    return number;
}

/* From behind the % to behind the letter of the conversion. */
static conversion read_conversion(const char **format, values *from)
{
    conversion wanted = {.precision = -1};
    for (size_t i = 0; **format && strchr("-+ #0", **format); ++*format)
        if (i + 1 < sizeof wanted.flags)
            wanted.flags[i++] = **format;
    wanted.width = read_number(format, from);
    if (**format == '.') {
        ++*format;
        wanted.precision = read_number(format, from);
    }
    for (; **format && strchr("hlzjt", **format); ++*format)
        wanted.length = wanted.length == 'l' ? 'L' : **format;
    wanted.kind = *(*format)++;
    return wanted;
}

static uint64_t read_integer(const conversion *wanted, values *from)
{
    bool is_signed = wanted->kind == 'd' || wanted->kind == 'i';
    if (wanted->length == 0 || wanted->length == 'h')
        return is_signed ? (uint64_t)va_arg(from->list, int) : va_arg(from->list, unsigned);
    return va_arg(from->list, uint64_t); /* l, ll, z, j and t are as wide */
}

_Static_assert(sizeof(long) == sizeof(uint64_t) && sizeof(size_t) == sizeof(uint64_t),
               "read_integer takes them for one another");

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void append_integer(ser_shown *to, const conversion *wanted, uint64_t value)
{
    char spec[24], text[256];
    snprintf(spec, sizeof spec, "%%%s*.*j%c", wanted->flags, wanted->kind);
    int length = snprintf(text, sizeof text, spec, wanted->width, wanted->precision, value);
    ser_check(length >= 0 && (size_t)length < sizeof text);
    ser_shown_append(to, text, (size_t)length);
}

static void append_real(ser_shown *to, const conversion *wanted, double value)
{
    char spec[24], text[512]; /* the largest has 309 digits */
    snprintf(spec, sizeof spec, "%%%s*.*%c", wanted->flags, wanted->kind);
    int length = snprintf(text, sizeof text, spec, wanted->width, wanted->precision, value);
    ser_check(length >= 0 && (size_t)length < sizeof text);
    ser_shown_append(to, text, (size_t)length);
}

#pragma GCC diagnostic pop

/* The length without a UTF-8 character that is cut at the end. */
static size_t without_cut(const char *text, size_t length)
{
    enum { LONGEST = 4 };
    for (size_t back = 1; back < LONGEST && back <= length; back++) {
        uint8_t byte = (uint8_t)text[length - back];
        if (byte >= 0xc0)
            return back < (byte >= 0xf0 ? 4u : byte >= 0xe0 ? 3u : 2u) ? length - back : length;
        if (byte < 0x80)
            break;
    }
    return length;
}

static void append_text(ser_shown *to, const conversion *wanted, const char *text)
{
    bool cut = wanted->precision >= 0;
    size_t length = cut ? strnlen(text, (size_t)wanted->precision) : strlen(text);
    if (cut && length == (size_t)wanted->precision)
        length = without_cut(text, length);
    bool left = wanted->width < 0 || strchr(wanted->flags, '-');
    size_t width = (size_t)(wanted->width < 0 ? -wanted->width : wanted->width);
    size_t start = to->count;
    ser_show(to, text, length);
    size_t shown = to->count - start;
    if (shown >= width)
        return;
    ser_vector_reserve(to, start + width);
    if (!left && shown)
        memmove(to->items + start + width - shown, to->items + start, shown);
    memset(to->items + start + (left ? shown : 0), ' ', width - shown);
    to->count = start + width;
}

static void append_conversion(ser_shown *to, const conversion *wanted, values *from)
{
    char letter[2] = "";
    switch (wanted->kind) {
    case '%':
        ser_shown_append(to, "%", 1);
        break;
    case 's':
        append_text(to, wanted, va_arg(from->list, const char *));
        break;
    case 'c':
        *letter = (char)va_arg(from->list, int);
        append_text(to, wanted, letter);
        break;
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        append_integer(to, wanted, read_integer(wanted, from));
        break;
    default:
        ser_check(wanted->kind && strchr("fFgGeE", wanted->kind));
        append_real(to, wanted, va_arg(from->list, double));
    }
}

static void compose(ser_shown *text, const char *format, va_list arguments)
{
    values from;
    va_copy(from.list, arguments);
    while (*format) {
        size_t plain = strcspn(format, "%");
        ser_shown_append(text, format, plain);
        format += plain;
        if (!*format++)
            break;
        conversion wanted = read_conversion(&format, &from);
        append_conversion(text, &wanted, &from);
    }
    va_end(from.list);
}

static void write_out(FILE *file, ser_shown *text)
{
    if (text->count)
        fwrite(text->items, 1, text->count, file);
    ser_vector_free(text);
}

void ser_vprint(FILE *file, const char *format, va_list arguments)
{
    ser_shown text = {0};
    compose(&text, format, arguments);
    write_out(file, &text);
}

void ser_vprint_message(FILE *file, const char *label, const char *format, va_list arguments)
{
    static const char name[] = "seriatim: ";
    ser_shown text = {0};
    ser_shown_append(&text, name, sizeof name - 1);
    ser_shown_append(&text, label, strlen(label));
    compose(&text, format, arguments);
    ser_shown_append(&text, "\n", 1);
    write_out(file, &text);
}

void ser_print(FILE *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ser_vprint(file, format, arguments);
    va_end(arguments);
}

void ser_print_made(FILE *file, const char *text)
{
    fwrite(text, 1, strlen(text), file);
}

static bool is_plain_word(const char *word)
{
    const char *end = word;
    while (isalnum((unsigned char)*end) || (*end && strchr("_@%+=:,./-", *end)))
        end++;
    return *word && !*end;
}

/* $'...' names every byte that a terminal should not see. */
void ser_print_word(FILE *file, const char *word)
{
    size_t length = strlen(word);
    bool harmless = ser_harmless_length(word, length) == length;
    if (is_plain_word(word)) {
        ser_print(file, "%s", word);
        return;
    }
    fputs(harmless ? "'" : "$'", file);
    for (; *word; word++) {
        size_t part = strcspn(word, harmless ? "'" : "'\\");
        ser_print(file, "%.*s", (int)part, word);
        word += part;
        if (!*word)
            break;
        ser_print(file, harmless ? "'\\%c'" : "\\%c", *word);
    }
    fputs("'", file);
}

const char *ser_ordinal_ending(uint32_t number)
{
    static const char *const endings[] = {"th", "st", "nd", "rd"};
    uint32_t last = number % 10;
    return last > 3 || number / 10 % 10 == 1 ? endings[0] : endings[last];
}
