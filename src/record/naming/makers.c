/* SPDX-License-Identifier: MIT */
#include "record/naming/makers.h"

#include <string.h>

#include "base/output/print.h"

void ser_makers_init(ser_makers *makers, const ser_definitions *definitions, ser_places *places)
{
    *makers = (ser_makers){.definitions = definitions, .places = places};
    makers->names = ser_names_create();
    makers->locations = ser_names_create();
}

void ser_makers_fini(ser_makers *makers)
{
    ser_names_destroy(makers->names);
    ser_names_destroy(makers->locations);
    ser_vector_free(&makers->location_of);
    ser_pairmap_fini(&makers->instances);
    ser_vector_free(&makers->by_site[0]);
    ser_vector_free(&makers->by_site[1]);
}

/* "bank.c:12": without its folders, unless that is a line of another file, too. */
static uint32_t name_location(ser_makers *makers, const char *location)
{
    const char *slash = strrchr(location, '/'), *name = slash ? slash + 1 : location;
    uint32_t whole = ser_names_add(makers->locations, location, strlen(location));
    uint32_t maker = ser_names_add(makers->names, name, strlen(name));
    uint32_t *first = ser_vector_slot(&makers->location_of, maker);
    if (*first == 0)
        *first = whole + 1;
    return *first == whole + 1 ? maker : ser_names_add(makers->names, location, strlen(location));
}

static uint32_t name_maker(ser_makers *makers, uint32_t site, bool local)
{
    ser_record_place place = ser_places_at(makers->places, site);
    if (!local)
        return name_location(makers, ser_label_or(place.location, "an unknown place"));
    ser_label_text text = {0};
    uint32_t name = ser_definitions_site_name(makers->definitions, site);
    ser_label_say(
        &text, ser_label_or(ser_definitions_text(makers->definitions, name), "a local variable"));
    ser_label_say(&text, " of ");
    ser_label_say(&text, ser_label_or(place.function, "a function"));
    ser_label_say(&text, "()");
    return ser_names_add(makers->names, text.bytes, text.length);
}

uint32_t ser_makers_of(ser_makers *makers, const ser_memory_object *object)
{
    static const uint32_t most_sites = 1 << 28;
    bool local = object->kind == SER_OBJECT_LOCAL;
    uint32_t site = object->site < most_sites ? object->site : 0;
    uint32_t *maker = ser_vector_slot(&makers->by_site[local], site);
    if (*maker == 0)
        *maker = name_maker(makers, site, local) + 1;
    return *maker - 1;
}

uint32_t ser_makers_count(ser_makers *makers, const ser_memory_object *object)
{
    uint64_t kind = (uint64_t)object->kind << 32 | object->thread;
    return ++*ser_pairmap_add(&makers->instances, kind, ser_makers_of(makers, object), 0);
}

static void say_thread(ser_label_text *text, const char *before, uint32_t thread)
{
    ser_label_say(text, before);
    ser_label_number(text, thread);
}

static void describe(ser_makers *makers, const ser_memory_object *object, ser_label_text *text)
{
    text->length = 0;
    if (object->kind == SER_OBJECT_STACK) {
        say_thread(text, "stack of T", object->thread);
        return;
    }
    uint32_t maker = ser_makers_of(makers, object);
    bool local = object->kind == SER_OBJECT_LOCAL;
    if (!local)
        ser_label_say(text, object->kind == SER_OBJECT_HEAP ? "allocated at " : "mapped at ");
    ser_label_put(text, ser_names_text(makers->names, maker),
                  ser_names_length(makers->names, maker));
    if (local)
        say_thread(text, " in T", object->thread);
    if (local && object->instance == 1)
        return;
    ser_label_say(text, " (");
    ser_label_number(text, object->instance);
    ser_label_say(text, ser_ordinal_ending(object->instance));
    if (!local && object->thread != 0)
        say_thread(text, " of T", object->thread);
    ser_label_say(text, ")");
}

/* Cells of one object are often named one after another. */
const ser_label_text *ser_makers_describe(ser_makers *makers, const ser_memory_object *object)
{
    if (makers->described != object->id + 1)
        describe(makers, object, &makers->description);
    makers->described = object->id + 1;
    return &makers->description;
}
