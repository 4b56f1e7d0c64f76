/* SPDX-License-Identifier: MIT */
/*
 * heap_types.h - of which type are the objects that a place of the program allocates? If it
 * accesses something in one as "head of struct queue", there is such a structure around it: from
 * the start of the object, or behind what a library puts in front of it (std::make_shared, the
 * nodes of containers). Then what the source does not name, such as a lock, has one as well. One
 * search per place; O(depth) per name. Not thread-safe.
 */
#ifndef SER_RECORD_NAMING_HEAP_TYPES_H
#define SER_RECORD_NAMING_HEAP_TYPES_H

#include "record/capture/definitions.h"
#include "record/naming/debug/shape_reader.h"
#include "record/naming/fields.h"

typedef struct ser_heap_type {
    bool is_known; /* it was looked for */
    uint32_t shape;
    uint64_t start;   /* in the object */
    const char *name; /* "struct queue" */
} ser_heap_type;

typedef struct ser_heap_types {
    const ser_definitions *definitions;
    const ser_fields *fields;
    ser_shape_reader *shapes;
    SER_VECTOR(ser_heap_type) list; /* by maker */
} ser_heap_types;

void ser_heap_types_fini(ser_heap_types *types);

/* Appends "lock of struct queue, " for what is at the offset of an object that the maker has
 * allocated. False, and nothing, if it is not known, or not a member. */
bool ser_heap_types_say(ser_heap_types *types, const ser_memory_object *object, uint32_t maker,
                        uint64_t offset, ser_label_text *text);

#endif
