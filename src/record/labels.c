/* SPDX-License-Identifier: MIT */
/*
 * A name is made once for each thing, when it is first met; everything that is
 * asked for with each event (sites, threads) is looked up in arrays.
 */
#include "record/labels.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/names.h"
#include "record/elf_symbols.h"
#include "record/places.h"

enum { NAME_LIMIT = 2048 };

struct ser_labels {
    const ser_definitions *definitions;
    const ser_fields *fields;
    ser_symbols *symbols;
    ser_places places;
    ser_elf_symbols elf;
    ser_names *makers;     /* what makes objects, as text: "bank.c:12", "x of worker()" */
    ser_pairmap instances; /* (kind and thread, maker) to how many objects it has made */
    SER_VECTOR(uint32_t) maker_of[2]; /* by site: its maker plus one; heap and the like, locals */
    SER_VECTOR(uint32_t) sites;       /* by site: its number in symbols plus one */
    SER_VECTOR(uint32_t) functions;
    SER_VECTOR(uint32_t) blocks; /* by text */
    SER_VECTOR(uint32_t) threads;
    uint32_t described; /* id plus one of the object that `description` is about */
    char description[NAME_LIMIT / 2];
};

static void read_modules(ser_labels *labels)
{
    const ser_definitions *definitions = labels->definitions;
    for (size_t i = 0; i < definitions->modules.count; i++) {
        const ser_module *module = &definitions->modules.items[i];
        const char *path = ser_definitions_text(definitions, module->path);
        if (path)
            ser_elf_symbols_add(&labels->elf, path, module->base);
    }
    ser_elf_symbols_ready(&labels->elf);
}

ser_labels *ser_labels_create(const ser_definitions *definitions, const ser_fields *fields,
                              ser_symbols *symbols)
{
    ser_labels *labels = ser_alloc(1, sizeof *labels);
    labels->definitions = definitions;
    labels->fields = fields;
    labels->symbols = symbols;
    labels->makers = ser_names_create();
    ser_places_init(&labels->places, definitions);
    read_modules(labels);
    return labels;
}

void ser_labels_destroy(ser_labels *labels)
{
    if (!labels)
        return;
    ser_places_fini(&labels->places);
    ser_elf_symbols_fini(&labels->elf);
    ser_names_destroy(labels->makers);
    ser_pairmap_fini(&labels->instances);
    ser_vector_free(&labels->maker_of[0]);
    ser_vector_free(&labels->maker_of[1]);
    ser_vector_free(&labels->sites);
    ser_vector_free(&labels->functions);
    ser_vector_free(&labels->blocks);
    ser_vector_free(&labels->threads);
    free(labels);
}

static const char *text_or(const char *text, const char *otherwise)
{
    return text && *text ? text : otherwise;
}

/* --- objects -------------------------------------------------------------- */

static uint32_t name_maker(ser_labels *labels, uint32_t site, bool local)
{
    ser_place place = ser_places_at(&labels->places, site);
    char text[NAME_LIMIT];
    int length;
    if (local) {
        uint32_t name = ser_definitions_site(labels->definitions, site).name;
        length =
            snprintf(text, sizeof text, "%s of %s()",
                     text_or(ser_definitions_text(labels->definitions, name), "a local variable"),
                     text_or(place.function, "a function"));
    } else {
        length = snprintf(text, sizeof text, "%s", text_or(place.location, "an unknown place"));
    }
    if (length >= NAME_LIMIT)
        length = NAME_LIMIT - 1;
    return ser_names_add(labels->makers, text, (size_t)length);
}

static uint32_t maker_of(ser_labels *labels, const ser_object *object)
{
    static const uint32_t most_sites = 1 << 28;
    bool local = object->kind == SER_OBJECT_LOCAL;
    uint32_t site = object->site < most_sites ? object->site : 0;
    uint32_t *maker = ser_vector_slot(&labels->maker_of[local], site);
    if (*maker == 0)
        *maker = name_maker(labels, site, local) + 1;
    return *maker - 1;
}

void ser_labels_begin(ser_labels *labels, ser_object *object)
{
    uint64_t kind = (uint64_t)object->kind << 32 | object->thread;
    if (object->kind != SER_OBJECT_STACK)
        object->instance =
            ++*ser_pairmap_add(&labels->instances, kind, maker_of(labels, object), 0);
}

static const char *ordinal(uint32_t number)
{
    static const char *const endings[] = {"th", "st", "nd", "rd"};
    uint32_t last = number % 10;
    return last > 3 || number / 10 % 10 == 1 ? endings[0] : endings[last];
}

/* "allocated at bank.c:12 (3rd)", "x of worker() in T2", "stack of T2". Each thread counts
 * for itself, so that the numbers do not depend on the schedule. */
static void describe(ser_labels *labels, const ser_object *object, char *text, size_t room)
{
    const char *maker = "";
    char of_thread[24] = "";
    if (object->thread != 0)
        snprintf(of_thread, sizeof of_thread, " of T%u", object->thread);
    if (object->kind != SER_OBJECT_STACK)
        maker = ser_names_text(labels->makers, maker_of(labels, object));
    if (object->kind == SER_OBJECT_STACK)
        snprintf(text, room, "stack of T%u", object->thread);
    else if (object->kind == SER_OBJECT_LOCAL && object->instance == 1)
        snprintf(text, room, "%s in T%u", maker, object->thread);
    else if (object->kind == SER_OBJECT_LOCAL)
        snprintf(text, room, "%s in T%u (%u%s)", maker, object->thread, object->instance,
                 ordinal(object->instance));
    else
        snprintf(text, room, "%s at %s (%u%s%s)",
                 object->kind == SER_OBJECT_HEAP ? "allocated" : "mapped", maker, object->instance,
                 ordinal(object->instance), of_thread);
}

/* Cells of one object are often named one after another. */
static const char *description_of(ser_labels *labels, const ser_object *object)
{
    if (labels->described != object->id + 1)
        describe(labels, object, labels->description, sizeof labels->description);
    labels->described = object->id + 1;
    return labels->description;
}

/* --- cells ---------------------------------------------------------------- */

/* What is at the offset, by those who said it; NULL: nobody did. */
static const char *field_name(const ser_labels *labels, const ser_object *object, uint64_t offset,
                              uint32_t site, uint32_t *number)
{
    *number = ser_fields_name(labels->fields, object, offset);
    if (*number == 0)
        *number = ser_definitions_site(labels->definitions, site).name;
    const char *name = ser_definitions_text(labels->definitions, *number);
    return name && *name ? name : NULL;
}

static void name_rest(const ser_labels *labels, uint64_t address, const char *name, char *text)
{
    const ser_elf_symbol *symbol = ser_elf_symbols_find(&labels->elf, address);
    char place[NAME_LIMIT / 2];
    if (!symbol)
        snprintf(place, sizeof place, "0x%" PRIx64, address);
    else if (symbol->start == address)
        snprintf(place, sizeof place, "%s", symbol->name);
    else
        snprintf(place, sizeof place, "%s+%" PRIu64, symbol->name, address - symbol->start);
    if (name && strcmp(name, place) != 0)
        snprintf(text, NAME_LIMIT, "%s (%s)", name, place);
    else
        snprintf(text, NAME_LIMIT, "%s", place);
}

static void name_in_object(ser_labels *labels, const ser_object *object, uint64_t offset,
                           uint32_t site, char *text)
{
    const char *whole = description_of(labels, object);
    char place[32] = "";
    uint32_t number;
    const char *name = field_name(labels, object, offset, site, &number);
    bool local = object->kind == SER_OBJECT_LOCAL;
    if (name && !ser_fields_is_single(labels->fields, object, number))
        snprintf(place, sizeof place, " (+%" PRIu64 ")", offset);
    if (object->kind == SER_OBJECT_STACK)
        snprintf(text, NAME_LIMIT, "%s%s%s, %" PRIu64 " below its top", name ? name : "",
                 name ? " on the " : "", whole, object->size - offset);
    else if (local && offset == 0)
        snprintf(text, NAME_LIMIT, "%s", whole);
    else if (name)
        snprintf(text, NAME_LIMIT, "%s%s%s%s", name, place, local ? " in " : ", ", whole);
    else
        snprintf(text, NAME_LIMIT, "+%" PRIu64 " of %s%s", offset, local ? "" : "block ", whole);
}

/* A name that is taken already gets a number: two things must not become one. */
static uint32_t add_unique(ser_labels *labels, ser_space space, const char *text)
{
    char numbered[NAME_LIMIT + 16];
    uint32_t fresh = ser_symbols_count(labels->symbols, space);
    uint32_t number = ser_symbols_add(labels->symbols, space, text, strlen(text));
    for (unsigned i = 2; number != fresh; i++) {
        int length = snprintf(numbered, sizeof numbered, "%s #%u", text, i);
        number = ser_symbols_add(labels->symbols, space, numbered, (size_t)length);
    }
    return number;
}

uint32_t ser_labels_memory(ser_labels *labels, ser_space space, const ser_object *object,
                           uint64_t offset, uint32_t site)
{
    char text[NAME_LIMIT];
    uint32_t number;
    if (object->kind == SER_OBJECT_REST)
        name_rest(labels, offset, field_name(labels, object, offset, site, &number), text);
    else
        name_in_object(labels, object, offset, site, text);
    return add_unique(labels, space, text);
}

/* --- what has a number of its own ----------------------------------------- */

uint32_t ser_labels_thread(ser_labels *labels, uint32_t thread)
{
    uint32_t *known = ser_vector_slot(&labels->threads, thread);
    if (*known == 0) {
        char text[16];
        int length = snprintf(text, sizeof text, "T%u", thread);
        *known = ser_symbols_add(labels->symbols, SER_SPACE_THREAD, text, (size_t)length) + 1;
    }
    return *known - 1;
}

uint32_t ser_labels_function(ser_labels *labels, uint64_t site)
{
    if (site >= labels->places.list.count)
        site = 0;
    uint32_t *known = ser_vector_slot(&labels->functions, site);
    if (*known == 0) {
        const char *name = text_or(ser_places_at(&labels->places, site).function, "?");
        *known = ser_symbols_add(labels->symbols, SER_SPACE_FUNCTION, name, strlen(name)) + 1;
    }
    return *known - 1;
}

static uint32_t add_site(ser_labels *labels, uint32_t site)
{
    ser_place place = ser_places_at(&labels->places, site);
    if (!place.location && !place.function)
        return SER_NO_SITE;
    uint32_t function = place.function ? ser_labels_function(labels, site) : SER_NO_OBJECT;
    const char *location = place.location ? place.location : "";
    return ser_symbols_add_site(labels->symbols, location, strlen(location), function);
}

/* SER_NO_SITE plus one is 0, and is simply asked for again. */
uint32_t ser_labels_site(ser_labels *labels, uint32_t site)
{
    if (site >= labels->places.list.count)
        return SER_NO_SITE;
    uint32_t *known = ser_vector_slot(&labels->sites, site);
    if (*known == 0)
        *known = add_site(labels, site) + 1;
    return *known - 1;
}

uint32_t ser_labels_block(ser_labels *labels, uint64_t text)
{
    const char *label = ser_definitions_text(labels->definitions, text);
    if (!label)
        return SER_NO_OBJECT;
    uint32_t *known = ser_vector_slot(&labels->blocks, text);
    if (*known == 0)
        *known = ser_symbols_add(labels->symbols, SER_SPACE_LABEL, label, strlen(label)) + 1;
    return *known - 1;
}
