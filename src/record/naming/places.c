/* SPDX-License-Identifier: MIT */
#include "record/naming/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "record/naming/debug/debug_info.h"
#include "record/naming/debug/demangle.h"

static char *copy(const char *text)
{
    return text && *text ? ser_copy_text(text, strlen(text)) : NULL;
}

/* What `format` makes, however long. */
static char *print(const char *head, const char *separator, uint64_t number, bool hexadecimal)
{
    size_t room = strlen(head) + strlen(separator) + 24;
    char *text = ser_alloc(room, 1);
    if (hexadecimal)
        snprintf(text, room, "%s%s0x%" PRIx64, head, separator, number);
    else
        snprintf(text, room, "%s%s%" PRIu64, head, separator, number);
    return text;
}

/* "/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/map", as compilers name headers of
 * the system, without the detours. Elsewhere a folder may be a link, of which ".." is not where the
 * name says. */
static void shorten_system_path(char *path)
{
    static const char of_system[] = "/usr/", up[] = "/../";
    char *detour;
    if (strncmp(path, of_system, sizeof of_system - 1) != 0)
        return;
    while ((detour = strstr(path + 1, up))) {
        char *folder = memrchr(path, '/', (size_t)(detour - path));
        const char *rest = detour + sizeof up - 2;
        memmove(folder, rest, strlen(rest) + 1);
    }
}

static void place_in_source(ser_record_place *place, const ser_definitions *definitions,
                            const ser_defined_site *site)
{
    const char *file = ser_definitions_text(definitions, site->file);
    place->function = copy(ser_definitions_text(definitions, site->function));
    if (file && *file)
        place->location = site->line ? print(file, ":", site->line, false) : copy(file);
    if (place->location && site->line && site->column) {
        char *line = place->location;
        place->location = print(line, ":", site->column, false);
        free(line);
    }
    if (place->location)
        shorten_system_path(place->location);
}

/* --- places in code ------------------------------------------------------- */

/* The module that an address lies in: the one that starts closest below it. */
static const ser_module *module_of(const ser_definitions *definitions, uint64_t address)
{
    const ser_module *best = NULL;
    for (size_t i = 0; i < definitions->modules.count; i++) {
        const ser_module *module = &definitions->modules.items[i];
        if (module->base <= address && (!best || module->base >= best->base))
            best = module;
    }
    return best;
}

static void place_in_module(ser_record_place *place, const char *path, uint64_t offset)
{
    const char *slash = strrchr(path, '/');
    if (!place->location)
        place->location = print(slash ? slash + 1 : path, "+", offset, true);
}

static void take_answer(ser_record_place *place, const ser_debug_place *found)
{
    if (found->function) {
        free(place->function);
        place->function = ser_demangle(found->function);
    }
    if (!found->file)
        return;
    free(place->location);
    place->location = print(found->file, ":", found->line, false);
    shorten_system_path(place->location);
}

/* All sites in one module, which is read if there is one. A code address is where a call
 * returns to: the call is one byte before, at least. */
static void look_up(ser_places *places, const ser_definitions *definitions,
                    const ser_module *module)
{
    const char *path = ser_definitions_text(definitions, module->path);
    ser_debug_info *info = NULL;
    bool is_open = false;
    for (size_t i = 0; path && i < definitions->sites.count; i++) {
        uint64_t code = definitions->sites.items[i].code;
        if (code == 0 || module_of(definitions, code) != module)
            continue;
        if (!is_open)
            info = ser_debug_info_open(path, module->base);
        is_open = true;
        if (info) {
            ser_debug_place found = ser_debug_info_place(info, code - 1);
            take_answer(&places->list.items[i], &found);
        }
        place_in_module(&places->list.items[i], path, code - module->base);
    }
    ser_debug_info_close(info);
}

void ser_places_init(ser_places *places, const ser_definitions *definitions)
{
    *places = (ser_places){0};
    ser_vector_extend(&places->list, definitions->sites.count);
    for (size_t i = 0; i < definitions->sites.count; i++)
        place_in_source(&places->list.items[i], definitions, &definitions->sites.items[i]);
    for (size_t i = 0; i < definitions->modules.count; i++)
        look_up(places, definitions, &definitions->modules.items[i]);
}

void ser_places_fini(ser_places *places)
{
    for (size_t i = 0; i < places->list.count; i++) {
        free(places->list.items[i].location);
        free(places->list.items[i].function);
    }
    ser_vector_free(&places->list);
}

ser_record_place ser_places_at(const ser_places *places, uint64_t site)
{
    return site < places->list.count ? places->list.items[site] : (ser_record_place){NULL, NULL};
}
