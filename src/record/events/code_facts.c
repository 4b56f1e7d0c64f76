/* SPDX-License-Identifier: MIT */
#include "record/events/code_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

/* Does the text take part in what other texts say? Then it must not be missing without a sign. */
static bool is_named(const char *text)
{
    return strpbrk(text, "@$") != NULL;
}

/* The text with the values in the place of p, P and Q; 0: there is no room for it. Programs may
 * compare with many operands, so some numbers are reserved for guards without one. */
static uint16_t fill_in(ser_event_maker *maker, const char *text, const uint64_t *values)
{
    enum { MOST = SER_GUARDS_MOST / 4 * 3, SIZE = 2048, DIGITS = 20 };
    char filled[SIZE];
    size_t length = 0;
    if (ser_symbols_guards_count(maker->symbols) >= MOST)
        return 0;
    for (; *text && length + DIGITS < SIZE; text++) {
        int number = operand_number(*text);
        if (number >= 0)
            length += (size_t)snprintf(filled + length, SIZE - length, "%" PRIu64, values[number]);
        else
            filled[length++] = *text;
    }
    return *text ? 0 : (uint16_t)ser_symbols_add_guards(maker->symbols, filled, length);
}

/* With the operands that the thread has recorded before the access. Mostly the site has met the
 * same ones before, so that there is no text to be made. */
uint16_t ser_code_facts_find_filled(ser_event_maker *maker, const ser_record *record,
                                    ser_site_guards *guards)
{
    const ser_recorded_operands *operands =
        record->thread < maker->operands.count ? &maker->operands.items[record->thread] : NULL;
    if (!operands || operands->count < guards->needed || operands->site == 0 ||
        operands->site != record->site)
        return 0;
    const uint64_t *values = operands->values + operands->count - guards->needed;
    const size_t size = guards->needed * sizeof *values;
    for (unsigned i = 0; i < SER_FILLED_GUARDS; i++)
        if (guards->filled[i].number && memcmp(guards->filled[i].values, values, size) == 0)
            return guards->filled[i].number;
    const char *text = ser_definitions_site_guards(&maker->survey->definitions, record->site);
    uint16_t number = fill_in(maker, text, values);
    guards->filled[guards->oldest].number = number;
    memcpy(guards->filled[guards->oldest].values, values, size);
    guards->oldest = (uint8_t)((guards->oldest + 1) % SER_FILLED_GUARDS);
    return number;
}

/* The sign for a missing text comes before the first that needs it. */
ser_site_guards *ser_code_facts_look_up(ser_event_maker *maker, uint32_t site)
{
    ser_site_guards *guards = ser_vector_slot(&maker->guards, site);
    const char *text = ser_definitions_site_guards(&maker->survey->definitions, site);
    guards->is_known = true;
    if (!text)
        return guards;
    guards->needed = (uint8_t)operands_of(text);
    guards->is_named = is_named(text);
    if (guards->is_named && !maker->missing_guards)
        maker->missing_guards = (uint16_t)ser_symbols_add_guards(maker->symbols, "?", 1);
    if (guards->needed == 0)
        guards->number = (uint16_t)ser_symbols_add_guards(maker->symbols, text, strlen(text));
    return guards;
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
