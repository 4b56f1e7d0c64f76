/* SPDX-License-Identifier: MIT */
/*
 * fields.h - which member is at which offset of the blocks that a site allocates.
 *
 * Sites often say what they access ("balance of struct account"), but not all do
 * (memset), and a block may hold a name at several offsets (an array of structs). So
 * the first pass collects, for each place that makes objects, the name of each offset,
 * and whether a name has only one. A member's name says more than one of the whole ("*queue"). Not
 * thread-safe.
 */
#ifndef SER_RECORD_NAMING_FIELDS_H
#define SER_RECORD_NAMING_FIELDS_H

#include <stdbool.h>

#include "base/pairmap.h"
#include "record/capture/definitions.h"
#include "record/memory/memory.h"

enum { SER_FIELDS_CACHE = 4096, SER_FIELDS_LIMIT = 4096 };

typedef struct ser_field_seen {
    uint32_t site, maker, offset;
    bool many;
} ser_field_seen;

typedef struct ser_fields {
    ser_pairmap names; /* (maker, offset) to the text of the name; offsets below SER_FIELDS_LIMIT */
    ser_pairmap offsets; /* (maker, text) to the offset, or to SER_FIELDS_LIMIT: several */
    ser_field_seen seen[SER_FIELDS_CACHE]; /* by site: what was added last */
} ser_fields;

void ser_fields_fini(ser_fields *fields);

/* An access at a site that calls what is at the offset of the object by a text's number (not 0).
 * The rest (objects.h) has symbols instead, and is ignored. */
void ser_fields_add(ser_fields *fields, const ser_memory_object *object, uint64_t offset,
                    uint32_t site, uint32_t name, const ser_definitions *definitions);

/* The text of what is at an offset of an object; 0 if no site named it. */
uint32_t ser_fields_name(const ser_fields *fields, const ser_memory_object *object,
                         uint64_t offset);

/* Has the name one offset only, in objects that the same site makes? */
bool ser_fields_is_single(const ser_fields *fields, const ser_memory_object *object, uint32_t name);

#endif
