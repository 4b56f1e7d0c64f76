/* SPDX-License-Identifier: MIT */
#include "record/naming/debug/shapes.h"

#include <string.h>

#include "base/cxx_names.h"

enum { DEEPEST = 32 };

void ser_shapes_fini(ser_shapes *shapes)
{
    for (size_t i = 0; i < shapes->list.count; i++) {
        ser_shape *shape = &shapes->list.items[i];
        for (size_t k = 0; k < shape->members.count; k++)
            free(shape->members.items[k].name);
        ser_vector_free(&shape->members);
        ser_vector_free(&shape->counts);
    }
    ser_vector_free(&shapes->list);
}

static void say_index(ser_label_text *text, uint64_t index)
{
    ser_label_say(text, "[");
    ser_label_number(text, index);
    ser_label_say(text, "]");
}

/* "[1][3]". False, and nothing, if a dimension that is needed is not known. */
static bool say_indices(const ser_shape *shape, uint64_t index, ser_label_text *text)
{
    uint64_t below = 1;
    for (size_t i = 1; i < shape->counts.count; i++)
        if (!shape->counts.items[i] ||
            __builtin_mul_overflow(below, shape->counts.items[i], &below))
            return false;
    say_index(text, index / below);
    for (size_t i = 1; i < shape->counts.count; i++) {
        index %= below;
        below /= shape->counts.items[i];
        say_index(text, index / below);
    }
    return true;
}

/* The only member at the offset; NULL if there is none, or none that is to be named. */
static const ser_shape_member *find_member(const ser_shape *shape, uint64_t offset)
{
    const ser_shape_member *found = NULL;
    for (size_t i = 0; i < shape->members.count; i++) {
        const ser_shape_member *member = &shape->members.items[i];
        if (offset < member->offset || offset - member->offset >= member->size)
            continue;
        if (found || (member->name && ser_is_reserved_name(member->name)))
            return NULL;
        found = member;
    }
    return found;
}

void ser_shapes_say(const ser_shapes *shapes, uint32_t number, uint64_t offset, bool into_members,
                    ser_label_text *text)
{
    for (int depth = 0; depth < DEEPEST && number < shapes->list.count; depth++) {
        const ser_shape *shape = &shapes->list.items[number];
        if (shape->element_size) {
            if (!say_indices(shape, offset / shape->element_size, text))
                break;
            offset %= shape->element_size;
            number = shape->element;
            continue;
        }
        const ser_shape_member *member = into_members ? find_member(shape, offset) : NULL;
        if (!member)
            break;
        if (member->name) {
            ser_label_say(text, ".");
            ser_label_say(text, member->name);
        }
        offset -= member->offset;
        number = member->shape;
    }
    if (offset) {
        ser_label_say(text, "+");
        ser_label_number(text, offset);
    }
}

bool ser_shapes_find_member(const ser_shapes *shapes, uint32_t number, const char *name,
                            size_t length, uint64_t *offset)
{
    if (number == SER_NO_SHAPE)
        return false;
    const ser_shape *shape = &shapes->list.items[number];
    for (size_t i = 0; i < shape->members.count; i++) {
        const ser_shape_member *member = &shape->members.items[i];
        uint64_t inner = 0;
        bool is_it = member->name
                         ? strlen(member->name) == length && memcmp(member->name, name, length) == 0
                         : ser_shapes_find_member(shapes, member->shape, name, length, &inner);
        if (is_it) {
            *offset = member->offset + inner;
            return true;
        }
    }
    return false;
}
