/* SPDX-License-Identifier: MIT */
#include "record/events/code_facts.h"

#include <inttypes.h>
#include <stdio.h>

/* Puts the operand that the thread has recorded in the place of p. Programs may compare with
 * many operands, so some numbers are reserved for guards without one. */
static uint16_t add_guards_with_operand(ser_event_maker *maker, const ser_record *record,
                                        const char *text)
{
    enum { MOST = SER_GUARDS_MOST / 4 * 3, SIZE = 1024, DIGITS = 20 };
    char filled[SIZE];
    size_t length = 0;
    const ser_record *operand =
        record->thread < maker->operands.count ? &maker->operands.items[record->thread] : NULL;
    if (!operand || operand->object == 0 || operand->object != record->site ||
        ser_symbols_guards_count(maker->symbols) >= MOST)
        return 0;
    for (; *text && length + DIGITS < SIZE; text++)
        if (*text == 'p')
            length += (size_t)snprintf(filled + length, SIZE - length, "%" PRIu64, operand->value);
        else
            filled[length++] = *text;
    return *text ? 0 : (uint16_t)ser_symbols_add_guards(maker->symbols, filled, length);
}

/* Does the text take part in what other texts say? Then it must not be missing without a sign. */
static bool is_named(const char *text)
{
    return strchr(text, '@') != NULL;
}

/* 1 + the number of a site's guards; SER_GUARDS_MOST + 2 if they need an operand. The sign for a
 * missing text comes before the first that needs it. */
static uint16_t look_up_guards(ser_event_maker *maker, const char *text)
{
    if (is_named(text) && !maker->missing_guards)
        maker->missing_guards = (uint16_t)ser_symbols_add_guards(maker->symbols, "?", 1);
    if (strchr(text, 'p'))
        return SER_GUARDS_MOST + 2;
    return (uint16_t)(1 + ser_symbols_add_guards(maker->symbols, text, strlen(text)));
}

static uint16_t find_guards(ser_event_maker *maker, const ser_record *record, const char *text)
{
    uint16_t *known = ser_vector_slot(&maker->guards, record->site);
    if (*known == 0)
        *known = look_up_guards(maker, text);
    return *known > SER_GUARDS_MOST + 1 ? add_guards_with_operand(maker, record, text)
                                        : (uint16_t)(*known - 1);
}

uint16_t ser_code_facts_guards(ser_event_maker *maker, const ser_record *record, bool is_whole)
{
    const char *text = ser_definitions_site_guards(&maker->survey->definitions, record->site);
    if (!text || (!is_whole && !is_named(text)))
        return 0;
    uint16_t number = find_guards(maker, record, text);
    if (is_whole && (number || !is_named(text)))
        return number;
    return maker->missing_guards;
}
