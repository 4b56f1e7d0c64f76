/* SPDX-License-Identifier: MIT */
/*
 * A table of names for each space, and one more for sites. A site without a
 * function, by far the most in text traces, is keyed by its location; one with a
 * function, or with a NUL in its location, by its location, a NUL and the
 * function's number.
 */
#include "trace/symbols.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/names.h"
#include "base/output/show.h"
#include "base/vector.h"

typedef struct site_entry {
    uint32_t location_length;
    uint32_t function;
} site_entry;

struct ser_symbols {
    ser_names *spaces[SER_SPACE_COUNT];
    ser_names *sites, *notes, *guards;
    ser_names *shown; /* escaped forms of the names that need escaping */
    SER_VECTOR(site_entry) site_entries;
    SER_VECTOR(char) key;
};

ser_symbols *ser_symbols_create(void)
{
    ser_symbols *symbols = ser_alloc(1, sizeof *symbols);
    for (int space = 0; space < SER_SPACE_COUNT; space++)
        symbols->spaces[space] = ser_names_create();
    symbols->sites = ser_names_create();
    symbols->notes = ser_names_create();
    symbols->guards = ser_names_create();
    symbols->shown = ser_names_create();
    return symbols;
}

void ser_symbols_destroy(ser_symbols *symbols)
{
    if (!symbols)
        return;
    for (int space = 0; space < SER_SPACE_COUNT; space++)
        ser_names_destroy(symbols->spaces[space]);
    ser_names_destroy(symbols->sites);
    ser_names_destroy(symbols->notes);
    ser_names_destroy(symbols->guards);
    ser_names_destroy(symbols->shown);
    ser_vector_free(&symbols->site_entries);
    ser_vector_free(&symbols->key);
    free(symbols);
}

uint32_t ser_symbols_add(ser_symbols *symbols, ser_space space, const char *text, size_t length)
{
    return ser_names_add(symbols->spaces[space], text, length);
}

uint32_t ser_symbols_append(ser_symbols *symbols, ser_space space, const char *text, size_t length)
{
    return ser_names_append(symbols->spaces[space], text, length);
}

void ser_symbols_rename(ser_symbols *symbols, ser_space space, uint32_t number, const char *text,
                        size_t length)
{
    ser_names_rename(symbols->spaces[space], number, text, length);
}

void ser_symbols_forget(ser_symbols *symbols, ser_space space, uint32_t end)
{
    ser_names_forget(symbols->spaces[space], end);
}

void ser_symbols_prefetch(const ser_symbols *symbols, ser_space space, const char *text,
                          size_t length, int step)
{
    ser_names_prefetch(symbols->spaces[space], text, length, step);
}

const char *ser_symbols_name(const ser_symbols *symbols, ser_space space, uint32_t number)
{
    return number == SER_NO_OBJECT ? "" : ser_names_brief(symbols->spaces[space], number);
}

size_t ser_symbols_name_length(const ser_symbols *symbols, ser_space space, uint32_t number)
{
    return number == SER_NO_OBJECT ? 0 : ser_names_brief_length(symbols->spaces[space], number);
}

static ser_span whole(const ser_names *names, uint32_t number)
{
    return (ser_span){ser_names_text(names, number), ser_names_length(names, number)};
}

ser_span ser_symbols_whole_name(const ser_symbols *symbols, ser_space space, uint32_t number)
{
    return number == SER_NO_OBJECT ? (ser_span){"", 0} : whole(symbols->spaces[space], number);
}

uint32_t ser_symbols_count(const ser_symbols *symbols, ser_space space)
{
    return ser_names_count(symbols->spaces[space]);
}

/* The key of a site with a function, which no other site has. */
static size_t build_site_key(ser_symbols *symbols, const char *location, size_t length,
                             uint32_t function)
{
    size_t size = length + 1 + sizeof function;
    symbols->key.count = 0;
    ser_vector_reserve(&symbols->key, size);
    memcpy(symbols->key.items, location, length);
    symbols->key.items[length] = '\0';
    memcpy(symbols->key.items + length + 1, &function, sizeof function);
    return size;
}

uint32_t ser_symbols_add_site(ser_symbols *symbols, const char *location, size_t length,
                              uint32_t function)
{
    uint32_t site;
    if (function == SER_NO_OBJECT && !memchr(location, '\0', length)) {
        site = ser_names_add(symbols->sites, location, length);
    } else {
        size_t size = build_site_key(symbols, location, length, function);
        site = ser_names_add(symbols->sites, symbols->key.items, size);
    }
    if (site == symbols->site_entries.count) {
        site_entry added = {(uint32_t)length, function};
        ser_vector_push(&symbols->site_entries, added);
    }
    return site;
}

ser_span ser_symbols_whole_location(const ser_symbols *symbols, uint32_t site)
{
    if (site == SER_NO_SITE)
        return (ser_span){"", 0};
    return (ser_span){ser_names_text(symbols->sites, site),
                      symbols->site_entries.items[site].location_length};
}

/* A long location, and what follows it in its key, is shortened with the key. */
static bool is_long(const ser_symbols *symbols, uint32_t site)
{
    return site != SER_NO_SITE &&
           symbols->site_entries.items[site].location_length > SER_NAMES_BRIEF;
}

const char *ser_symbols_location(const ser_symbols *symbols, uint32_t site)
{
    return is_long(symbols, site) ? ser_names_brief(symbols->sites, site)
                                  : ser_symbols_whole_location(symbols, site).text;
}

size_t ser_symbols_location_length(const ser_symbols *symbols, uint32_t site)
{
    ser_span location = ser_symbols_whole_location(symbols, site);
    if (!is_long(symbols, site))
        return location.length;
    size_t rest = ser_names_length(symbols->sites, site) - location.length;
    return ser_names_brief_length(symbols->sites, site) - rest;
}

static const char *show(const ser_symbols *symbols, const char *text, size_t length)
{
    if (ser_harmless_length(text, length) == length)
        return text;
    ser_shown shown = {0};
    ser_show(&shown, text, length);
    uint32_t number = ser_names_add(symbols->shown, shown.items, shown.count);
    ser_vector_free(&shown);
    return ser_names_text(symbols->shown, number);
}

const char *ser_symbols_shown_name(const ser_symbols *symbols, ser_space space, uint32_t number)
{
    return show(symbols, ser_symbols_name(symbols, space, number),
                ser_symbols_name_length(symbols, space, number));
}

const char *ser_symbols_shown_location(const ser_symbols *symbols, uint32_t site)
{
    return show(symbols, ser_symbols_location(symbols, site),
                ser_symbols_location_length(symbols, site));
}

uint32_t ser_symbols_site_function(const ser_symbols *symbols, uint32_t site)
{
    return site == SER_NO_SITE ? SER_NO_OBJECT : symbols->site_entries.items[site].function;
}

uint32_t ser_symbols_site_count(const ser_symbols *symbols)
{
    return (uint32_t)symbols->site_entries.count;
}

uint32_t ser_symbols_add_guards(ser_symbols *symbols, const char *text, size_t length)
{
    bool is_full = ser_names_count(symbols->guards) == SER_GUARDS_MOST;
    uint32_t number = is_full ? ser_names_find(symbols->guards, text, length)
                              : ser_names_add(symbols->guards, text, length);
    return number == SER_NO_NAME ? 0 : number + 1;
}

const char *ser_symbols_guards(const ser_symbols *symbols, uint32_t number)
{
    return ser_names_text(symbols->guards, number - 1);
}

size_t ser_symbols_guards_length(const ser_symbols *symbols, uint32_t number)
{
    return ser_names_length(symbols->guards, number - 1);
}

uint32_t ser_symbols_guards_count(const ser_symbols *symbols)
{
    return ser_names_count(symbols->guards);
}

void ser_symbols_add_note(ser_symbols *symbols, const char *text, size_t length)
{
    ser_names_add(symbols->notes, text, length);
}

const char *ser_symbols_note(const ser_symbols *symbols, uint32_t number)
{
    return ser_names_brief(symbols->notes, number);
}

size_t ser_symbols_note_length(const ser_symbols *symbols, uint32_t number)
{
    return ser_names_brief_length(symbols->notes, number);
}

ser_span ser_symbols_whole_note(const ser_symbols *symbols, uint32_t number)
{
    return whole(symbols->notes, number);
}

uint32_t ser_symbols_note_count(const ser_symbols *symbols)
{
    return ser_names_count(symbols->notes);
}

uint32_t ser_symbols_add_thread(ser_symbols *symbols, uint32_t number)
{
    char name[16];
    int length = snprintf(name, sizeof name, "T%u", number);
    return ser_symbols_add(symbols, SER_SPACE_THREAD, name, (size_t)length);
}

uint32_t ser_symbols_thread_number(const ser_symbols *symbols, uint32_t thread)
{
    const char *name = ser_symbols_name(symbols, SER_SPACE_THREAD, thread);
    char *end;
    if (name[0] != 'T' || name[1] < '0' || name[1] > '9')
        return SER_NO_OBJECT;
    unsigned long number = strtoul(name + 1, &end, 10);
    return *end == '\0' && number <= UINT16_MAX ? (uint32_t)number : SER_NO_OBJECT;
}
