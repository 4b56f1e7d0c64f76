/* SPDX-License-Identifier: MIT */
#include "record/capture/definitions.h"

#include "contract/abi.h"

/* Numbers are assigned consecutively; some definitions may still be in other rings. */
enum { MOST_AHEAD = 1 << 16, TEXT_LIMIT = 1 << 16 };

void ser_definitions_fini(ser_definitions *definitions)
{
    for (size_t i = 0; i < definitions->texts.count; i++)
        free(definitions->texts.items[i]);
    ser_vector_free(&definitions->texts);
    ser_vector_free(&definitions->sites);
    ser_vector_free(&definitions->site_flags);
    ser_vector_free(&definitions->site_guards);
    ser_vector_free(&definitions->modules);
    ser_pairmap_fini(&definitions->objects);
}

/* A second text for a number, or a number that is far too large, is ignored. */
static void open_text(ser_definitions *definitions, uint64_t number, uint64_t length)
{
    definitions->open_text = 0;
    if (number == 0 || number > definitions->texts.count + MOST_AHEAD || length > TEXT_LIMIT)
        return;
    char **text = ser_vector_slot(&definitions->texts, number);
    if (*text)
        return;
    *text = ser_alloc(length + 1, 1);
    definitions->open_text = (uint32_t)number;
    definitions->filled = 0;
}

static void fill_text(ser_definitions *definitions, const ser_record *record, uint64_t size)
{
    if (definitions->open_text == 0)
        return;
    char *text = definitions->texts.items[definitions->open_text];
    memcpy(text + definitions->filled, record, size);
    definitions->filled += size;
}

static uint64_t bytes_in(uint64_t left)
{
    return left < sizeof(ser_record) ? left : sizeof(ser_record);
}

static ser_defined_site *find_site(ser_definitions *definitions, uint32_t number)
{
    static ser_defined_site nowhere;
    if (number == 0 || number > definitions->sites.count + MOST_AHEAD)
        return &nowhere;
    return ser_vector_slot(&definitions->sites, number);
}

/* The program reports all modules again whenever one is added. */
static void add_module(ser_definitions *definitions, ser_module module)
{
    for (size_t i = 0; i < definitions->modules.count; i++)
        if (definitions->modules.items[i].base == module.base &&
            definitions->modules.items[i].path == module.path)
            return;
    ser_vector_push(&definitions->modules, module);
}

static void set_flags(ser_definitions *definitions, const ser_record *record)
{
    if (record->clock && record->site < definitions->sites.count)
        *ser_vector_slot(&definitions->site_flags, record->site) = (uint16_t)record->clock;
    if (record->value >> 32 && record->site < definitions->sites.count)
        *ser_vector_slot(&definitions->site_guards, record->site) = (uint32_t)(record->value >> 32);
}

static void define(ser_definitions *definitions, const ser_record *record)
{
    ser_defined_site *site = find_site(definitions, record->site);
    switch (record->op) {
    case SER_RAW_SITE:
        site->file = (uint32_t)record->object;
        site->function = (uint32_t)record->value;
        site->name = (uint32_t)record->clock;
        break;
    case SER_RAW_SITE_LINE:
        site->line = (uint32_t)record->object;
        site->column = record->clock & SER_ABI_SITE_CALL ? (uint32_t)record->value : 0;
        set_flags(definitions, record);
        break;
    case SER_RAW_SITE_CODE:
        site->code = record->object;
        break;
    case SER_RAW_OBJECT:
        *ser_pairmap_add(&definitions->objects, 0, record->object, 0) = (uint32_t)record->value;
        break;
    default:
        add_module(definitions, (ser_module){record->object, (uint32_t)record->value});
    }
}

static bool is_definition(uint8_t op)
{
    return op == SER_RAW_SITE || op == SER_RAW_SITE_LINE || op == SER_RAW_SITE_CODE ||
           op == SER_RAW_MODULE || op == SER_RAW_OBJECT;
}

bool ser_definitions_take_one(ser_definitions *definitions, const ser_record *record)
{
    if (definitions->bytes_left > 0) {
        uint64_t size = bytes_in(definitions->bytes_left);
        fill_text(definitions, record, size);
        definitions->bytes_left -= size;
        return true;
    }
    if (record->op == SER_RAW_TEXT) {
        open_text(definitions, record->object, record->value);
        definitions->bytes_left = record->value;
        return true;
    }
    if (!is_definition(record->op))
        return false;
    define(definitions, record);
    return true;
}

bool ser_definitions_pass_one(uint64_t *left, const ser_record *record)
{
    if (*left > 0) {
        *left -= bytes_in(*left);
        return true;
    }
    if (record->op == SER_RAW_TEXT)
        *left = record->value;
    return record->op == SER_RAW_TEXT || is_definition(record->op);
}

const char *ser_definitions_text(const ser_definitions *definitions, uint64_t number)
{
    return number < definitions->texts.count ? definitions->texts.items[number] : NULL;
}

ser_defined_site ser_definitions_site(const ser_definitions *definitions, uint64_t number)
{
    return number < definitions->sites.count ? definitions->sites.items[number]
                                             : (ser_defined_site){0};
}

const char *ser_definitions_class(const ser_definitions *definitions, uint32_t identity)
{
    return ser_definitions_text(definitions,
                                ser_pairmap_get(&definitions->objects, 0, identity, 0));
}
