/* SPDX-License-Identifier: MIT */
#include "record/naming/heap_types.h"

#include "base/cxx_names.h"

void ser_heap_types_fini(ser_heap_types *types)
{
    ser_vector_free(&types->list);
}

static void say_path(const ser_heap_types *types, uint32_t shape, uint64_t offset,
                     ser_label_text *path)
{
    path->length = 0;
    ser_shapes_say(ser_shape_reader_shapes(types->shapes), shape, offset, true, path);
}

/* Is the structure of a field's name, "head of struct queue", known, and does it have that? Then it
 * starts so far in front of the field. */
static bool is_field_of(ser_heap_types *types, const char *name, uint64_t offset,
                        ser_heap_type *type)
{
    const char *of = strstr(name, " of struct "), *scope;
    of = of ? of : strstr(name, " of class ");
    if (!of)
        return false;
    type->name = of + strlen(" of ");
    const char *bare = strchr(type->name, ' ') + 1;
    while ((scope = strstr(bare, "::")))
        bare = scope + 2;
    type->shape = ser_shape_of_type(types->shapes, bare, strlen(bare));
    uint64_t within;
    if (!ser_shapes_find_member(ser_shape_reader_shapes(types->shapes), type->shape, name,
                                (size_t)(of - name), &within) ||
        within > offset)
        return false;
    type->start = offset - within;
    return true;
}

/* Of the program's structures, if it is one of these; else of the library's. */
static ser_heap_type find_type(ser_heap_types *types, const ser_memory_object *object)
{
    ser_heap_type found = {.is_known = true, .shape = SER_NO_SHAPE}, tried = found;
    for (uint64_t at = 0; at < SER_FIELDS_LIMIT && at < object->size; at++) {
        uint32_t number = ser_fields_name(types->fields, object, at);
        const char *name = number ? ser_definitions_text(types->definitions, number) : NULL;
        if (!name || !is_field_of(types, name, at, &tried))
            continue;
        if (!ser_is_reserved_name(name))
            return tried;
        if (found.shape == SER_NO_SHAPE)
            found = tried;
    }
    return found;
}

bool ser_heap_types_say(ser_heap_types *types, const ser_memory_object *object, uint32_t maker,
                        uint64_t offset, ser_label_text *text)
{
    ser_heap_type *type = ser_vector_slot(&types->list, maker);
    ser_label_text path;
    if (!type->is_known)
        *type = find_type(types, object);
    if (type->shape == SER_NO_SHAPE || offset < type->start)
        return false;
    say_path(types, type->shape, offset - type->start, &path);
    if (!path.length || path.bytes[0] != '.' || memchr(path.bytes, '+', path.length) ||
        memchr(path.bytes, '[', path.length))
        return false;
    ser_label_put(text, path.bytes + 1, path.length - 1);
    ser_label_say(text, " of ");
    ser_label_say(text, type->name);
    ser_label_say(text, ", ");
    return true;
}
