/* SPDX-License-Identifier: MIT */
/*
 * Traces as columns of numbers, one a property of events, with tables for names, places and
 * values: half the size of an object an event, and read in no time.
 */
#include <inttypes.h>

#include "base/names.h"
#include "report/dossier/details.h"
#include "report/html/html.h"
#include "report/source_line.h"

typedef struct columns {
    ser_json *json;
    const ser_run *run;
    const ser_plain_names *plain;
    uint32_t first, last;
    ser_names *names, *values;
    ser_details details;
} columns;

/* Is this the first entry with a picture of the run? */
static bool is_first(const ser_dossier *dossier, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (dossier->entries.items[i].picture.run == dossier->entries.items[index].picture.run)
            return false;
    return dossier->entries.items[index].picture.run != NULL;
}

size_t ser_page_trace_of(const ser_dossier *dossier, const ser_run *run)
{
    size_t number = 0;
    for (size_t i = 0; dossier->entries.items[i].picture.run != run; i++)
        number += is_first(dossier, i);
    return number;
}

/* Where all pictures of the run have their paths; the end of it, if that is too much. */
void ser_page_window(const ser_dossier *dossier, const ser_run *run, uint32_t *first,
                     uint32_t *last)
{
    uint32_t highest = 1;
    *first = 1;
    *last = run->count;
    if (run->count <= SER_PAGE_MOST_EVENTS)
        return;
    for (size_t i = 0; i < dossier->entries.count; i++) {
        const ser_picture *picture = &dossier->entries.items[i].picture;
        for (size_t k = 0; picture->run == run && k < picture->path.count; k++)
            if (picture->path.items[k] > highest)
                highest = picture->path.items[k];
    }
    uint32_t after = SER_PAGE_MOST_EVENTS / 10;
    *last = run->count - highest > after ? highest + after : run->count;
    *first = *last > SER_PAGE_MOST_EVENTS ? *last - SER_PAGE_MOST_EVENTS + 1 : 1;
}

static uint32_t name_of(columns *of, const ser_event *event)
{
    if (event->object == SER_NO_OBJECT)
        return 0;
    const char *name = ser_plain_name(of->plain, ser_op_space((ser_op)event->op), event->object);
    return ser_names_add(of->names, name, strlen(name));
}

static uint32_t value_of(columns *of, const ser_event *event)
{
    bool is_access = ser_op_is_access((ser_op)event->op);
    if (!is_access || !(event->flags & SER_EVENT_HAS_VALUE))
        return 0;
    char *text = ser_describe_value(event->value);
    uint32_t number = ser_names_add(of->values, text, strlen(text));
    free(text);
    return number;
}

static uint32_t thread_of(columns *of, uint32_t event)
{
    return of->run->events[event].thread;
}

static uint32_t operation_of(columns *of, uint32_t event)
{
    return of->run->events[event].op;
}

static uint32_t named(columns *of, uint32_t event)
{
    return name_of(of, &of->run->events[event]);
}

static uint32_t site_of(columns *of, uint32_t event)
{
    uint32_t site = of->run->events[event].site;
    return site == SER_NO_SITE ? 0 : site + 1;
}

static uint32_t valued(columns *of, uint32_t event)
{
    return value_of(of, &of->run->events[event]);
}

static uint32_t writer_of(columns *of, uint32_t event)
{
    return ser_op_reads((ser_op)of->run->events[event].op) ? of->run->couple[event] : 0;
}

static uint32_t block_of(columns *of, uint32_t event)
{
    return of->run->block_of[event];
}

static uint32_t is_detail(columns *of, uint32_t event)
{
    return ser_is_detail(&of->details, &of->run->events[event]);
}

static void write_column(columns *of, const char *key, uint32_t (*get)(columns *of, uint32_t event))
{
    ser_json_key(of->json, key);
    ser_json_open_array(of->json);
    for (uint32_t i = of->first; i <= of->last; i++)
        ser_json_number(of->json, get(of, i));
    ser_json_close_array(of->json);
}

static void write_table(ser_json *json, const char *key, const ser_names *table)
{
    ser_json_key(json, key);
    ser_json_open_array(json);
    for (uint32_t i = 0; i < ser_names_count(table); i++)
        ser_json_bytes(json, ser_names_text(table, i), ser_names_length(table, i));
    ser_json_close_array(json);
}

static void write_operations(ser_json *json)
{
    ser_json_key(json, "operations");
    ser_json_open_array(json);
    for (int i = 0; i < SER_OP_COUNT; i++) {
        ser_json_open_array(json);
        ser_json_text(json, ser_op_name((ser_op)i));
        ser_json_text(json, ser_op_verb((ser_op)i));
        ser_json_text(json, ser_space_noun(ser_op_space((ser_op)i)));
        ser_json_close_array(json);
    }
    ser_json_close_array(json);
}

static void write_sites(ser_json *json, const ser_symbols *symbols)
{
    ser_json_key(json, "sites");
    ser_json_open_array(json);
    for (uint32_t i = 0; i < ser_symbols_site_count(symbols); i++) {
        uint32_t function = ser_symbols_site_function(symbols, i);
        ser_json_open_array(json);
        ser_json_text(json, ser_short_location(ser_symbols_location(symbols, i)));
        ser_json_text(json, ser_symbols_name(symbols, SER_SPACE_FUNCTION, function));
        ser_json_close_array(json);
    }
    ser_json_close_array(json);
}

static void write_threads(ser_json *json, const ser_run *run)
{
    ser_json_key(json, "threads");
    ser_json_open_array(json);
    for (uint32_t i = 0; i < run->threads.count; i++)
        ser_json_text(json, ser_symbols_name(run->symbols, SER_SPACE_THREAD, i));
    ser_json_close_array(json);
}

static void write_trace(const ser_dossier *dossier, ser_json *json, const ser_picture *picture)
{
    columns of = {.json = json,
                  .run = picture->run,
                  .plain = picture->names,
                  .names = ser_names_create(),
                  .values = ser_names_create()};
    ser_names_add(of.names, "", 0); /* 0: none */
    ser_names_add(of.values, "", 0);
    ser_details_find(&of.details, of.run, of.plain);
    ser_page_window(dossier, of.run, &of.first, &of.last);
    ser_json_open_object(json);
    ser_json_number_at(json, "first", of.first);
    ser_json_number_at(json, "total", of.run->count);
    write_operations(json);
    write_threads(json, of.run);
    write_sites(json, of.run->symbols);
    write_column(&of, "thread", thread_of);
    write_column(&of, "operation", operation_of);
    write_column(&of, "name", named);
    write_column(&of, "site", site_of);
    write_column(&of, "value", valued);
    write_column(&of, "writer", writer_of);
    write_column(&of, "block", block_of);
    write_column(&of, "detail", is_detail);
    write_table(json, "names", of.names);
    write_table(json, "values", of.values);
    ser_json_close_object(json);
    ser_details_fini(&of.details);
    ser_names_destroy(of.names);
    ser_names_destroy(of.values);
}

void ser_page_write_traces(const ser_dossier *dossier, ser_json *json)
{
    ser_json_key(json, "traces");
    ser_json_open_array(json);
    for (size_t i = 0; i < dossier->entries.count; i++)
        if (is_first(dossier, i))
            write_trace(dossier, json, &dossier->entries.items[i].picture);
    ser_json_close_array(json);
}
