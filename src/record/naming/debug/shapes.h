/* SPDX-License-Identifier: MIT */
/*
 * shapes.h - where the members and elements of a type are, so that what lies at an offset of a
 * variable can be written as C does: slots[3].count.
 *
 * A shape is an array, a structure, or something that is not looked into: numbers, pointers,
 * unions (which member is meant is unknown), bit fields, what the standard library hides.
 * Saying a path is O(depth * members); it asks no debug information. Not thread-safe.
 */
#ifndef SER_RECORD_NAMING_DEBUG_SHAPES_H
#define SER_RECORD_NAMING_DEBUG_SHAPES_H

#include <stdbool.h>

#include "base/vector.h"
#include "record/naming/label_text.h"

#define SER_NO_SHAPE UINT32_MAX

typedef struct ser_shape_member {
    uint64_t offset, size;
    char *name; /* owned; NULL: a base class, or a structure without a name */
    uint32_t shape;
} ser_shape_member;

typedef struct ser_shape {
    uint64_t element_size;                /* of an array; 0: it is none */
    uint32_t element;                     /* its elements' shape */
    SER_VECTOR(uint64_t) counts;          /* of an array: of each dimension; 0: not known */
    SER_VECTOR(ser_shape_member) members; /* of a structure */
} ser_shape;

typedef struct ser_shapes {
    SER_VECTOR(ser_shape) list;
} ser_shapes;

void ser_shapes_fini(ser_shapes *shapes);

/* Appends the path to the offset: "[3].count", ".lock", "+2" where it ends inside of something;
 * nothing for the start of what is not looked into. Not `into_members`: only indices, for an access
 * that is known to be one of a whole element. */
void ser_shapes_say(const ser_shapes *shapes, uint32_t shape, uint64_t offset, bool into_members,
                    ser_label_text *text);

/* Where a structure, or one that it is derived from, has a member of that name; false: nowhere. */
bool ser_shapes_find_member(const ser_shapes *shapes, uint32_t shape, const char *name,
                            size_t length, uint64_t *offset);

#endif
