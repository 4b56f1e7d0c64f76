/* SPDX-License-Identifier: MIT */
#include "record/events/trouble.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static void add_line(ser_finish_result *result, const char *line)
{
    size_t length = strlen(line);
    ser_vector_reserve(&result->messages, result->messages.count + length + 1);
    memcpy(result->messages.items + result->messages.count, line, length);
    result->messages.items[result->messages.count + length] = '\n';
    result->messages.count += length + 1;
}

static void note(ser_event_maker *maker, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void note(ser_event_maker *maker, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t used = (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    ser_symbols_add_note(maker->symbols, text, used);
}

/* What is at an address that a thread waits for, if it was used as something of the kind
 * before. Otherwise NULL: the thread waits for another to end, for example. */
static const char *name_of(ser_event_maker *maker, const ser_record *record, const char **noun)
{
    uint64_t address = record->object;
    /* A monitor of Java is both: what it waits for, nobody holds if it is a notification. */
    static const ser_space spaces[] = {SER_SPACE_LOCK, SER_SPACE_CONDITION, SER_SPACE_BARRIER,
                                       SER_SPACE_SEMAPHORE, SER_SPACE_LOCK};
    int first = record->value == UINT64_MAX;
    ser_stretch part = ser_objects_find(&maker->objects, address, 1);
    const ser_memory_object *object = ser_objects_at(&maker->objects, part.slot);
    for (int i = first; i < first + 4; i++) {
        uint32_t number = ser_pairmap_get(&maker->sync, (uint64_t)spaces[i] << 32 | object->id,
                                          address - object->base, 0);
        *noun = ser_space_noun(spaces[i]);
        if (number > 0)
            return ser_symbols_name(maker->symbols, spaces[i], number - 1);
    }
    *noun = record->size == SER_BLOCKED_IN_KERNEL ? "a futex" : "something";
    return NULL;
}

static void note_blocked(ser_event_maker *maker, const ser_record *record)
{
    const char *noun, *name = name_of(maker, record, &noun);
    bool held = record->value != UINT64_MAX;
    uint32_t site = ser_labels_site(maker->labels, record->site);
    const char *location = ser_symbols_location(maker->symbols, site);
    char line[4096], holder[48] = "";
    if (held)
        snprintf(holder, sizeof holder, name ? ", which T%" PRIu64 " holds" : "T%" PRIu64,
                 record->value);
    snprintf(line, sizeof line, "deadlock: T%u waits%s%s for %s%s%s%s", record->thread,
             *location ? " at " : "", location, name || !held ? noun : "", name ? " " : "",
             name ? name : "", holder);
    add_line(maker->result, line);
    note(maker, "%s", line);
}

static void note_uncaught(ser_event_maker *maker, const ser_record *record)
{
    const char *what = ser_definitions_text(&maker->survey->definitions, record->object);
    char line[4096];
    snprintf(line, sizeof line, "exception: T%u ends with %s", record->thread,
             what ? what : "an unknown one");
    add_line(maker->result, line);
    note(maker, "%s", line);
}

void ser_trouble_add(ser_event_maker *maker, const ser_record *record)
{
    switch (record->op) {
    case SER_RAW_LOST:
        maker->result->lost += (uint32_t)record->value;
        *ser_pairmap_add(&maker->lost, 0, record->object, 0) += (uint32_t)record->value;
        break;
    case SER_RAW_STOLEN:
        maker->result->stolen++;
        break;
    case SER_RAW_TURNS:
        maker->result->turns = record->value;
        break;
    case SER_RAW_BLOCKED:
        note_blocked(maker, record);
        break;
    case SER_RAW_UNCAUGHT:
        note_uncaught(maker, record);
        break;
    default: /* END, and what later versions may have */
        break;
    }
}

static void note_lost(ser_event_maker *maker)
{
    for (size_t i = 0; i < maker->lost.capacity; i++) {
        const ser_pairmap_entry *entry = &maker->lost.entries[i];
        if (entry->value == UINT32_MAX)
            continue;
        const char *why = ser_definitions_text(&maker->survey->definitions, entry->second);
        note(maker, "%" PRIu32 " events could not be recorded%s%s", entry->value, why ? ": " : "",
             why ? why : "");
    }
}

static void note_mismatches(ser_event_maker *maker)
{
    const ser_verifier *verifier = maker->verifier;
    char line[4096];
    if (!verifier)
        return;
    maker->result->mismatches = verifier->mismatches;
    if (verifier->mismatches == 0)
        return;
    const ser_event *first = &verifier->first;
    snprintf(line, sizeof line,
             "%" PRIu64 " reads saw a value that nobody is recorded to have written; the first: "
             "%s read %" PRIu64 " from %s at %s, where %" PRIu64 " was expected",
             verifier->mismatches,
             ser_symbols_name(maker->symbols, SER_SPACE_THREAD, first->thread), first->value,
             ser_symbols_name(maker->symbols, SER_SPACE_VARIABLE, first->object),
             ser_symbols_location(maker->symbols, first->site), verifier->expected);
    add_line(maker->result, line);
    note(maker, "%s", line);
}

/* Not every lost event could be recorded as lost. */
static void note_more_lost(ser_event_maker *maker)
{
    ser_finish_result *result = maker->result;
    if (maker->lost_in_all <= result->lost)
        return;
    note(maker, "%" PRIu64 "%s events could not be recorded", maker->lost_in_all - result->lost,
         result->lost > 0 ? " more" : "");
    result->lost = maker->lost_in_all;
}

void ser_trouble_note(ser_event_maker *maker)
{
    note_lost(maker);
    note_more_lost(maker);
    if (maker->result->stolen > 0)
        note(maker,
             "a thread lost its turn %" PRIu64 " time%s, since it was busy or blocked in code that "
             "is not instrumented",
             maker->result->stolen, maker->result->stolen == 1 ? "" : "s");
    if (maker->result->turns > 0)
        note(maker, "%" PRIu64 " turns", maker->result->turns);
    note_mismatches(maker);
}
