/* SPDX-License-Identifier: MIT */
#include "record/events/code_facts.h"

#include <inttypes.h>
#include <stdio.h>

/* Which of the recorded operands a letter of a text stands for (contract/guards.def); -1: none. */
static int operand_number(char letter)
{
    return letter == 'p' ? 0 : letter == 'P' ? 1 : letter == 'Q' ? 2 : -1;
}

/* How many are recorded before each access with this text: up to the last that it names. */
static unsigned operands_of(const char *text)
{
    int most = -1;
    for (; *text; text++)
        most = operand_number(*text) > most ? operand_number(*text) : most;
    return (unsigned)(most + 1);
}

/* Puts the operands that the thread has recorded in the place of p, P and Q. Programs may compare
 * with many operands, so some numbers are reserved for guards without one. */
static uint16_t add_guards_with_operand(ser_event_maker *maker, const ser_record *record,
                                        const char *text)
{
    enum { MOST = SER_GUARDS_MOST / 4 * 3, SIZE = 2048, DIGITS = 20 };
    char filled[SIZE];
    size_t length = 0;
    unsigned needed = operands_of(text);
    const ser_recorded_operands *operands =
        record->thread < maker->operands.count ? &maker->operands.items[record->thread] : NULL;
    if (!operands || operands->count < needed || operands->site == 0 ||
        operands->site != record->site || ser_symbols_guards_count(maker->symbols) >= MOST)
        return 0;
    const uint64_t *values = operands->values + operands->count - needed;
    for (; *text && length + DIGITS < SIZE; text++) {
        int number = operand_number(*text);
        if (number >= 0)
            length += (size_t)snprintf(filled + length, SIZE - length, "%" PRIu64, values[number]);
        else
            filled[length++] = *text;
    }
    return *text ? 0 : (uint16_t)ser_symbols_add_guards(maker->symbols, filled, length);
}

/* Does the text take part in what other texts say? Then it must not be missing without a sign. */
static bool is_named(const char *text)
{
    return strpbrk(text, "@$") != NULL;
}

/* 1 + the number of a site's guards; SER_GUARDS_MOST + 2 if they need an operand. The sign for a
 * missing text comes before the first that needs it. */
static uint16_t look_up_guards(ser_event_maker *maker, const char *text)
{
    if (is_named(text) && !maker->missing_guards)
        maker->missing_guards = (uint16_t)ser_symbols_add_guards(maker->symbols, "?", 1);
    if (strpbrk(text, "pPQ"))
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

/* Not if elided accesses came before: the value may be one of theirs. */
static bool is_held_known(const ser_event_maker *maker, const ser_record *record,
                          const ser_event *event)
{
    const ser_held_value *held = &maker->held;
    uint32_t text = ser_event_guards(event);
    return !maker->redact && held->address == record->object && held->thread == record->thread &&
           ser_op_writes((ser_op)event->op) && !(event->flags & SER_EVENT_LATE) &&
           (!text || text != maker->missing_guards);
}

void ser_code_facts_add_held(ser_event_maker *maker, const ser_record *record, ser_event *event)
{
    enum { MOST = SER_GUARDS_MOST / 2, SIZE = 2048 };
    char text[SIZE];
    uint32_t number = ser_event_guards(event);
    if (!is_held_known(maker, record, event) || ser_symbols_guards_count(maker->symbols) >= MOST)
        return;
    size_t length =
        (size_t)snprintf(text, SIZE, "<%" PRIu64 "%s%s", maker->held.value, number ? ";" : "",
                         number ? ser_symbols_guards(maker->symbols, number) : "");
    uint32_t added = length < SIZE ? ser_symbols_add_guards(maker->symbols, text, length) : 0;
    if (added)
        event->flow = ser_flow_with_guards(event->flow, added);
}
