/* SPDX-License-Identifier: MIT */
#include "record/survey.h"

#include "trace/event.h"

ser_survey *ser_survey_create(void)
{
    ser_survey *survey = ser_alloc(1, sizeof *survey);
    ser_objects_init(&survey->objects);
    ser_cuts_init(&survey->cuts);
    return survey;
}

void ser_survey_destroy(ser_survey *survey)
{
    if (!survey)
        return;
    ser_definitions_fini(&survey->definitions);
    ser_objects_fini(&survey->objects);
    ser_cuts_fini(&survey->cuts);
    ser_fields_fini(&survey->fields);
    free(survey);
}

/* Mostly one object has all of it. The object of the first byte. */
static const ser_object *cut(ser_survey *survey, uint64_t address, uint64_t size, uint32_t site)
{
    uint64_t at = address, end = size > UINT64_MAX - address ? UINT64_MAX : address + size;
    uint32_t first = 0;
    while (at < end) {
        ser_stretch part = ser_objects_find(&survey->objects, at, end - at, site);
        const ser_object *object = ser_objects_at(&survey->objects, part.slot);
        ser_cuts_add(&survey->cuts, object, part.start - object->base, part.end - object->base);
        first = at == address ? part.slot : first;
        at = part.end;
    }
    return ser_objects_at(&survey->objects, first);
}

static void add_access(ser_survey *survey, const ser_record *record)
{
    uint32_t site = record->site;
    uint32_t name = ser_definitions_site(&survey->definitions, site).name;
    const ser_object *object = cut(survey, record->object, record->size, site);
    if (name != 0)
        ser_fields_add(&survey->fields, object, record->object - object->base, site, name);
}

static void add_record(ser_survey *survey, const ser_record *record)
{
    switch (record->op) {
    case SER_OP_READ:
    case SER_OP_WRITE:
    case SER_OP_RMW:
        add_access(survey, record);
        survey->events++;
        return;
    case SER_RAW_RANGE_READ:
    case SER_RAW_RANGE_WRITE:
        cut(survey, record->object, record->value, record->site);
        survey->events++;
        return;
    case SER_RAW_DEADLOCK:
        survey->deadlock = true;
        return;
    default:
        survey->events += record->op < SER_OP_COUNT;
        ser_objects_apply(&survey->objects, record);
    }
}

void ser_survey_add(ser_survey *survey, const ser_record *records, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!ser_definitions_take(&survey->definitions, &records[i]))
            add_record(survey, &records[i]);
}
