/* SPDX-License-Identifier: MIT */
#include "record/naming/places.h"

#include <inttypes.h>
#include <stdio.h>

#include "record/naming/tool.h"

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

static void place_in_source(ser_place *place, const ser_definitions *definitions,
                            const ser_defined_site *site)
{
    const char *file = ser_definitions_text(definitions, site->file);
    place->function = copy(ser_definitions_text(definitions, site->function));
    if (file && *file)
        place->location = site->line ? print(file, ":", site->line, false) : copy(file);
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

static void place_in_module(ser_place *place, const char *path, uint64_t offset)
{
    const char *slash = strrchr(path, '/');
    if (!place->location)
        place->location = print(slash ? slash + 1 : path, "+", offset, true);
}

/* addr2line says "??" for what it does not know, and may add "(discriminator 3)". */
static void take_answer(ser_place *place, ser_tool_lines *answer)
{
    const char *function = ser_tool_next(answer), *line = ser_tool_next(answer);
    if (function && strcmp(function, "??") != 0)
        place->function = copy(function);
    if (!line || line[0] == '?' || strstr(line, ":?") || strstr(line, ":0"))
        return;
    place->location = ser_copy_text(line, strcspn(line, " "));
}

/* All sites in one module. A code address is where a call returns to: the call is
 * one byte before, at least. */
static void look_up(ser_places *places, const ser_definitions *definitions,
                    const ser_module *module)
{
    const char *path = ser_definitions_text(definitions, module->path);
    ser_tool_lines ask = {0}, answer = {0};
    SER_VECTOR(uint32_t) asked = {0};
    if (!path)
        return;
    for (uint32_t i = 0; i < definitions->sites.count; i++) {
        uint64_t code = definitions->sites.items[i].code;
        if (code == 0 || module_of(definitions, code) != module)
            continue;
        char *number = print("", "", code - module->base - 1, true);
        ser_tool_add(&ask, number);
        ser_vector_push(&asked, i);
        free(number);
    }
    char *file = ser_copy_text(path, strlen(path));
    char *const command[] = {"addr2line", "-f", "-C", "-e", file, NULL};
    bool answered = asked.count > 0 && ser_tool_run(command, &ask, &answer);
    for (size_t i = 0; i < asked.count; i++) {
        ser_place *place = &places->list.items[asked.items[i]];
        if (answered)
            take_answer(place, &answer);
        place_in_module(place, path, definitions->sites.items[asked.items[i]].code - module->base);
    }
    ser_tool_lines_fini(&ask);
    ser_tool_lines_fini(&answer);
    ser_vector_free(&asked);
    free(file);
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

ser_place ser_places_at(const ser_places *places, uint64_t site)
{
    return site < places->list.count ? places->list.items[site] : (ser_place){NULL, NULL};
}
