/* SPDX-License-Identifier: MIT */
#include "report/dossier/pointers.h"

#include <ctype.h>
#include <string.h>

static bool looks_like_pointer(uint64_t value)
{
    static const uint64_t least = 1 << 16, most = (uint64_t)1 << 48;
    return value >= least && value < most && value % 8 == 0;
}

static bool is_identifier(const char *name)
{
    return (isalpha((unsigned char)*name) || *name == '_') && !strpbrk(name, " +*([{<");
}

/* By variable: how often it is written, at most 2. */
static uint8_t *count_writes(const ser_run *run)
{
    uint8_t *counts =
        ser_alloc(ser_symbols_count(run->symbols, SER_SPACE_VARIABLE) + 1, sizeof *counts);
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (ser_op_writes((ser_op)event->op) && counts[event->object] < 2)
            counts[event->object]++;
    }
    return counts;
}

/* A second variable of the same line makes both useless. */
static void add(ser_pointers *pointers, const char *location, uint32_t variable)
{
    for (size_t i = 0; i < pointers->count; i++)
        if (strcmp(pointers->items[i].location, location) == 0) {
            pointers->items[i].variable = SER_NO_OBJECT;
            return;
        }
    ser_vector_push(pointers, ((ser_pointer){location, variable}));
}

void ser_pointers_find(ser_pointers *pointers, const ser_run *run)
{
    enum { MOST = 256 }; /* a longer name helps no reader */
    uint8_t *writes = count_writes(run);
    for (uint32_t i = 1; i <= run->count && pointers->count < MOST; i++) {
        const ser_event *event = &run->events[i];
        if (!ser_op_only_writes((ser_op)event->op) || !(event->flags & SER_EVENT_HAS_VALUE) ||
            writes[event->object] != 1 || !looks_like_pointer(event->value))
            continue;
        const char *name = ser_symbols_name(run->symbols, SER_SPACE_VARIABLE, event->object);
        const char *location = ser_symbols_location(run->symbols, event->site);
        if (is_identifier(name) && *location)
            add(pointers, location, event->object);
    }
    free(writes);
}

/* Did the line allocate another object? */
static bool is_only_one(const ser_symbols *symbols, const char *location)
{
    static const char second[] = " (2nd)";
    size_t length = strlen(location);
    uint32_t count = ser_symbols_count(symbols, SER_SPACE_VARIABLE);
    for (uint32_t i = 0; i < count; i++) {
        const char *found = strstr(ser_symbols_name(symbols, SER_SPACE_VARIABLE, i), location);
        if (found && strncmp(found + length, second, sizeof second - 1) == 0)
            return false;
    }
    return true;
}

const char *ser_pointers_name(const ser_pointers *pointers, const ser_symbols *symbols,
                              const char *place, size_t length)
{
    static const char first[] = " (1st)";
    for (size_t i = 0; i < pointers->count; i++) {
        const ser_pointer *pointer = &pointers->items[i];
        size_t own = strlen(pointer->location);
        if (pointer->variable != SER_NO_OBJECT && length == own + sizeof first - 1 &&
            strncmp(place, pointer->location, own) == 0 &&
            strncmp(place + own, first, sizeof first - 1) == 0 &&
            is_only_one(symbols, pointer->location))
            return ser_symbols_name(symbols, SER_SPACE_VARIABLE, pointer->variable);
    }
    return NULL;
}
