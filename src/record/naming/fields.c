/* SPDX-License-Identifier: MIT */
#include "record/naming/fields.h"

void ser_fields_fini(ser_fields *fields)
{
    ser_pairmap_fini(&fields->names);
    ser_pairmap_fini(&fields->offsets);
}

/* Most accesses repeat what the same site did before. */
static bool was_seen(const ser_field_seen *seen, uint32_t maker, uint64_t offset, uint32_t site)
{
    return seen->site == site && seen->maker == maker && (seen->many || seen->offset == offset);
}

static bool is_whole(const ser_definitions *definitions, uint32_t name)
{
    const char *text = ser_definitions_text(definitions, name);
    return text && *text == '*';
}

static void add_name(ser_fields *fields, uint32_t maker, uint64_t offset, uint32_t name,
                     const ser_definitions *definitions)
{
    uint32_t *known = ser_pairmap_add(&fields->names, maker, offset, name);
    if (*known != name && is_whole(definitions, *known) && !is_whole(definitions, name))
        *known = name;
}

void ser_fields_add(ser_fields *fields, const ser_memory_object *object, uint64_t offset,
                    uint32_t site, uint32_t name, const ser_definitions *definitions)
{
    uint32_t maker = object->site;
    ser_field_seen *seen = &fields->seen[site % SER_FIELDS_CACHE];
    if (object->kind == SER_OBJECT_REST || was_seen(seen, maker, offset, site))
        return;
    uint32_t fresh = offset < SER_FIELDS_LIMIT ? (uint32_t)offset : SER_FIELDS_LIMIT;
    uint32_t *known = ser_pairmap_add(&fields->offsets, maker, name, fresh);
    if (*known != fresh)
        *known = SER_FIELDS_LIMIT;
    bool many = *known == SER_FIELDS_LIMIT;
    if (fresh < SER_FIELDS_LIMIT)
        add_name(fields, maker, offset, name, definitions);
    *seen = (ser_field_seen){site, maker, fresh, many};
}

uint32_t ser_fields_name(const ser_fields *fields, const ser_memory_object *object, uint64_t offset)
{
    return object->kind == SER_OBJECT_REST || offset >= SER_FIELDS_LIMIT
               ? 0
               : ser_pairmap_get(&fields->names, object->site, offset, 0);
}

bool ser_fields_is_single(const ser_fields *fields, const ser_memory_object *object, uint32_t name)
{
    return ser_pairmap_get(&fields->offsets, object->site, name, SER_FIELDS_LIMIT) <
           SER_FIELDS_LIMIT;
}
