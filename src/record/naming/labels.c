/* SPDX-License-Identifier: MIT */
/*
 * A name is made once for each thing, when it is first met; everything that is
 * asked for with each event (sites, threads) is looked up in arrays.
 */
#include "record/naming/labels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cxx_names.h"
#include "base/names.h"
#include "contract/managed.h"
#include "record/naming/debug/debug_info.h"
#include "record/naming/debug/globals.h"
#include "record/naming/debug/shape_reader.h"
#include "record/naming/heap_types.h"
#include "record/naming/label_text.h"
#include "record/naming/makers.h"
#include "record/naming/managed.h"
#include "record/naming/places.h"
#include "record/naming/unique.h"

struct ser_labels {
    const ser_definitions *definitions;
    const ser_fields *fields;
    ser_symbols *symbols;
    ser_places places;
    ser_globals globals;
    ser_shape_reader *shapes;
    ser_heap_types heap_types;
    ser_makers makers;
    ser_labels_known known;
    SER_VECTOR(uint32_t) blocks; /* by text */
    ser_unique memory;           /* names of memory */
    ser_label_text name;
};

static void read_modules(ser_labels *labels)
{
    const ser_definitions *definitions = labels->definitions;
    for (size_t i = 0; i < definitions->modules.count; i++) {
        const ser_module *module = &definitions->modules.items[i];
        const char *path = ser_definitions_text(definitions, module->path);
        if (path && ser_globals_add(&labels->globals, path, module->base))
            ser_shape_reader_add(labels->shapes, path, module->base);
    }
    ser_globals_ready(&labels->globals);
}

ser_labels *ser_labels_create(const ser_definitions *definitions, const ser_fields *fields,
                              ser_symbols *symbols)
{
    ser_labels *labels = ser_alloc(1, sizeof *labels);
    labels->definitions = definitions;
    labels->fields = fields;
    labels->symbols = symbols;
    ser_unique_init(&labels->memory, symbols);
    ser_places_init(&labels->places, definitions);
    ser_makers_init(&labels->makers, definitions, &labels->places);
    labels->shapes = ser_shape_reader_create();
    labels->heap_types =
        (ser_heap_types){.definitions = definitions, .fields = fields, .shapes = labels->shapes};
    read_modules(labels);
    return labels;
}

/* The first module is the program itself. */
char *ser_labels_build(const ser_labels *labels)
{
    const ser_definitions *definitions = labels->definitions;
    const char *path = definitions->modules.count
                           ? ser_definitions_text(definitions, definitions->modules.items[0].path)
                           : NULL;
    char build[SER_BUILD_SIZE] = "";
    if (path)
        ser_debug_info_build(path, build);
    return ser_copy_text(build, strlen(build));
}

void ser_labels_destroy(ser_labels *labels)
{
    if (!labels)
        return;
    ser_places_fini(&labels->places);
    ser_globals_fini(&labels->globals);
    ser_shape_reader_destroy(labels->shapes);
    ser_heap_types_fini(&labels->heap_types);
    ser_makers_fini(&labels->makers);
    ser_unique_fini(&labels->memory);
    ser_vector_free(&labels->known.sites);
    ser_vector_free(&labels->known.functions);
    ser_vector_free(&labels->blocks);
    ser_vector_free(&labels->known.threads);
    free(labels);
}

void ser_labels_begin(ser_labels *labels, ser_memory_object *object)
{
    if (object->kind != SER_OBJECT_STACK)
        object->instance = ser_makers_count(&labels->makers, object);
}

/* --- cells ---------------------------------------------------------------- */

/* What is at the offset, by the sites that named it; NULL: none did. */
static const char *field_name(const ser_labels *labels, const ser_memory_object *object,
                              uint64_t offset, uint32_t site, uint32_t *number)
{
    *number = ser_fields_name(labels->fields, object, offset);
    if (*number == 0)
        *number = ser_definitions_site_name(labels->definitions, site);
    const char *name = ser_definitions_text(labels->definitions, *number);
    return name && *name ? name : NULL;
}

/* "counter", "accounts[2].balance", "0x7f0012". An access that has the name of the variable itself
 * is one of all its members. */
static void say_place(const ser_labels *labels, uint64_t address, const char *name,
                      ser_label_text *text)
{
    const ser_global *global = ser_globals_find(&labels->globals, address);
    char number[24];
    if (!global) {
        snprintf(number, sizeof number, "0x%" PRIx64, address);
        ser_label_say(text, number);
        return;
    }
    ser_label_say(text, global->name);
    ser_shapes_say(ser_shape_reader_shapes(labels->shapes),
                   ser_shape_of_global(labels->shapes, global->start), address - global->start,
                   !name || strcmp(name, global->name) != 0, text);
}

static void name_rest(const ser_labels *labels, uint64_t address, const char *name,
                      ser_label_text *text)
{
    say_place(labels, address, name, text);
    if (!name || (strlen(name) == text->length && memcmp(name, text->bytes, text->length) == 0))
        return;
    text->length = 0;
    ser_label_say(text, name);
    ser_label_say(text, " (");
    say_place(labels, address, name, text);
    ser_label_say(text, ")");
}

static void name_in_stack(const ser_memory_object *object, uint64_t offset, const char *name,
                          const ser_label_text *whole, ser_label_text *text)
{
    if (name) {
        ser_label_say(text, name);
        ser_label_say(text, " on the ");
    }
    ser_label_join(text, whole);
    ser_label_say(text, ", ");
    ser_label_number(text, object->size - offset);
    ser_label_say(text, " below its top");
}

/* "amount of struct teller (tellers[1].amount) in ". False, and nothing, if it is not known what is
 * where in the variable. */
static bool say_local_field(ser_labels *labels, const ser_memory_object *object, const char *name,
                            uint64_t offset, ser_label_text *text)
{
    uint32_t maker = ser_makers_of(&labels->makers, object);
    const char *whole = ser_names_text(labels->makers.names, maker), *of = strstr(whole, " of ");
    uint32_t shape =
        ser_shape_of_local(labels->shapes, whole, ser_names_length(labels->makers.names, maker));
    ser_label_text path = {0};
    if (!of || shape == SER_NO_SHAPE)
        return false;
    ser_label_put(&path, whole, (size_t)(of - whole));
    ser_shapes_say(ser_shape_reader_shapes(labels->shapes), shape, offset,
                   !name || strstr(name, " of "), &path);
    const char *dot = memrchr(path.bytes, '.', path.length);
    if (offset == 0 && path.length == (size_t)(of - whole))
        return false; /* it has no members */
    if (name)
        ser_label_say(text, name);
    else if (dot) /* a lock: it has the name of its member */
        ser_label_put(text, dot + 1, (size_t)(path.bytes + path.length - dot - 1));
    else
        return false;
    ser_label_say(text, " (");
    ser_label_join(text, &path);
    ser_label_say(text, ") in ");
    return true;
}

/* "balance of struct account (+24), ", "+8 of block ", "+4 of " */
static void say_field(ser_label_text *text, const char *name, bool single, uint64_t offset,
                      bool local)
{
    if (name)
        ser_label_say(text, name);
    if (!single) {
        ser_label_say(text, name ? " (+" : "+");
        ser_label_number(text, offset);
        ser_label_say(text, name ? ")" : "");
    }
    if (name)
        ser_label_say(text, local ? " in " : ", ");
    else
        ser_label_say(text, local ? " of " : " of block ");
}

static void name_in_object(ser_labels *labels, const ser_memory_object *object, uint64_t offset,
                           uint32_t site, ser_label_text *text)
{
    const ser_label_text *whole = ser_makers_describe(&labels->makers, object);
    uint32_t number;
    const char *name = field_name(labels, object, offset, site, &number);
    bool local = object->kind == SER_OBJECT_LOCAL;
    if (object->kind == SER_OBJECT_STACK) {
        name_in_stack(object, offset, name, whole, text);
        return;
    }
    bool single = name && ser_fields_is_single(labels->fields, object, number);
    /* a reserved name does not say which of the program's containers it is of */
    bool says_little = !name || ser_is_reserved_name(name);
    bool wants_path = says_little || (offset && !single);
    bool is_whole = offset == 0 && (says_little || !strstr(name, " of "));
    bool is_said =
        local && ((wants_path && say_local_field(labels, object, name, offset, text)) || is_whole);
    if (!name && object->kind == SER_OBJECT_HEAP)
        is_said = ser_heap_types_say(&labels->heap_types, object,
                                     ser_makers_of(&labels->makers, object), offset, text);
    if (!is_said)
        say_field(text, name, single, offset, local);
    ser_label_join(text, whole);
}

uint32_t ser_labels_memory(ser_labels *labels, ser_space space, const ser_memory_object *object,
                           uint64_t offset, uint32_t site)
{
    ser_label_text *text = &labels->name;
    uint32_t number;
    text->length = 0;
    if (ser_managed_is(offset))
        ser_managed_say(labels->definitions, offset,
                        field_name(labels, object, offset, site, &number), text);
    else if (object->kind == SER_OBJECT_REST)
        name_rest(labels, offset, field_name(labels, object, offset, site, &number), text);
    else
        name_in_object(labels, object, offset, site, text);
    return ser_unique_add(&labels->memory, space, text->bytes, text->length);
}

void ser_labels_settle(ser_labels *labels)
{
    ser_unique_settle(&labels->memory);
}

/* --- what has a number of its own ----------------------------------------- */

const ser_labels_known *ser_labels_all_known(const ser_labels *labels)
{
    return &labels->known;
}

uint32_t ser_labels_thread(ser_labels *labels, uint32_t thread)
{
    uint32_t *known = ser_vector_slot(&labels->known.threads, thread);
    if (*known == 0)
        *known = ser_symbols_add_thread(labels->symbols, thread) + 1;
    return *known - 1;
}

uint32_t ser_labels_anchor(ser_labels *labels, uint32_t thread)
{
    char text[64];
    int length = snprintf(text, sizeof text, "what T%u did and was not recorded", thread);
    return ser_unique_add(&labels->memory, SER_SPACE_VARIABLE, text, (size_t)length);
}

/* Two of a kind get numbers behind their names. */
uint32_t ser_labels_stream(ser_labels *labels, uint64_t identity, int part)
{
    static const char *const kinds[] = {[SER_STREAM_PIPE] = "pipe",
                                        [SER_STREAM_SOCKET] = "socket",
                                        [SER_STREAM_COUNTER] = "eventfd",
                                        [SER_STREAM_LISTENER] = "connections",
                                        [SER_STREAM_SIGNALS] = "signals",
                                        [SER_STREAM_LOCK] = "lock of a file",
                                        [SER_STREAM_OUTSIDE] = "other processes",
                                        [SER_STREAM_TEAM] = "team of threads",
                                        [SER_STREAM_QUEUE] = "queue",
                                        [SER_STREAM_SEMAPHORE] = "semaphore of the system",
                                        [SER_STREAM_MAILBOX] = "message queue"};
    static const char *const parts[] = {"", ", senders", ", receivers"};
    char text[64];
    uint64_t kind = identity >> 56;
    bool known = kind < sizeof kinds / sizeof *kinds && kinds[kind];
    int length = snprintf(text, sizeof text, "%s%s", known ? kinds[kind] : "stream", parts[part]);
    return ser_unique_add(&labels->memory, SER_SPACE_SEMAPHORE, text, (size_t)length);
}

uint32_t ser_labels_function(ser_labels *labels, uint64_t site)
{
    if (site >= labels->places.list.count)
        site = 0;
    uint32_t *known = ser_vector_slot(&labels->known.functions, site);
    if (*known == 0) {
        const char *name = ser_label_or(ser_places_at(&labels->places, site).function, "?");
        *known = ser_symbols_add(labels->symbols, SER_SPACE_FUNCTION, name, strlen(name)) + 1;
    }
    return *known - 1;
}

static uint32_t add_site(ser_labels *labels, uint32_t site)
{
    ser_record_place place = ser_places_at(&labels->places, site);
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
    uint32_t *known = ser_vector_slot(&labels->known.sites, site);
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
