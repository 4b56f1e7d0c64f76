/* SPDX-License-Identifier: MIT */
/* What is found, as the page's script reads it (model.js). */
#include "report/html/html.h"

static void write_value(ser_json *json, bool is_known, uint64_t value)
{
    if (!is_known) {
        ser_json_null(json);
        return;
    }
    char *text = ser_describe_value(value);
    ser_json_text(json, text);
    free(text);
}

/* The steps that are not as in the recorded run: [position, value, old value, writer]. */
static void write_differences(ser_json *json, const ser_picture *picture, size_t first)
{
    ser_json_key(json, "differs");
    ser_json_open_array(json);
    for (size_t i = first; i < picture->steps.count; i++) {
        const ser_picture_step *step = &picture->steps.items[i];
        const ser_event *event = &picture->run->events[step->event];
        bool has = step->flags & SER_STEP_HAS_VALUE, had = event->flags & SER_EVENT_HAS_VALUE;
        bool same = has == had && (!has || step->value == event->value);
        if (!ser_op_is_access((ser_op)event->op) || (same && !(step->flags & SER_STEP_CHANGED)))
            continue;
        ser_json_open_array(json);
        ser_json_number(json, i - first);
        write_value(json, has, step->value);
        write_value(json, step->flags & SER_STEP_HAD_VALUE, step->was);
        ser_json_number(json, step->writer);
        ser_json_bool(json, step->flags & SER_STEP_CHANGED);
        ser_json_close_array(json);
    }
    ser_json_close_array(json);
}

static void write_picture(const ser_dossier *dossier, ser_json *json, const ser_picture *picture,
                          ser_page_order *cache)
{
    uint32_t from, to;
    ser_page_window(dossier, picture->run, &from, &to);
    size_t first = 0;
    while (first < picture->steps.count && picture->steps.items[first].event < from)
        first++;
    ser_json_key(json, "picture");
    ser_json_open_object(json);
    ser_json_number_at(json, "trace", ser_page_trace_of(dossier, picture->run));
    ser_json_number_at(json, "block", (uint32_t)(picture->block + 1)); /* 0: none */
    ser_json_number_at(json, "skipped", first);
    ser_json_key(json, "steps");
    ser_json_open_array(json);
    for (size_t i = first; i < picture->steps.count; i++)
        ser_json_number(json, picture->steps.items[i].event);
    ser_json_close_array(json);
    ser_json_key(json, "path");
    ser_json_open_array(json);
    for (size_t i = first; i < picture->steps.count; i++)
        if (picture->steps.items[i].flags & SER_STEP_ON_PATH)
            ser_json_number(json, picture->steps.items[i].event);
    ser_json_close_array(json);
    write_differences(json, picture, first);
    ser_page_write_frontiers(picture, cache, json);
    ser_json_close_object(json);
}

static void write_entry(const ser_dossier *dossier, ser_json *json, const ser_entry *entry,
                        ser_page_order *cache)
{
    ser_json_open_object(json);
    ser_json_text_at(json, "id", entry->id);
    ser_json_text_at(json, "kind", entry->kind);
    ser_json_text_at(json, "status", entry->status);
    ser_json_text_at(json, "title", entry->title);
    ser_json_number_at(json, "blocks", entry->blocks);
    ser_json_text_or_null_at(json, "replay", entry->replay);
    if (entry->picture.run)
        write_picture(dossier, json, &entry->picture, cache);
    ser_json_close_object(json);
}

/* Numbers of a result, as they stand there. */
static void write_counts(ser_json *json, const char *key, const ser_json_node *counts)
{
    bool named = counts && counts->kind == SER_JSON_OBJECT;
    ser_json_key(json, key);
    named ? ser_json_open_object(json) : ser_json_open_array(json);
    for (const ser_json_node *item = ser_json_first(counts); item; item = item->next) {
        if (named)
            ser_json_key(json, item->key);
        ser_json_number(json, item->number > 0 ? (uint64_t)item->number : 0);
    }
    named ? ser_json_close_object(json) : ser_json_close_array(json);
}

static void write_run(ser_json *json, const ser_dossier_run *run)
{
    ser_json_open_object(json);
    ser_json_number_at(json, "events", run->events);
    ser_json_number_at(json, "threads", run->threads);
    ser_json_number_at(json, "blocks", run->blocks);
    ser_json_number_at(json, "undecided", run->undecided);
    ser_json_number_at(json, "skipped", run->skipped);
    ser_json_number_at(json, "proven", run->proven);
    ser_json_number_at(json, "searched", run->searched);
    ser_json_number_at(json, "violated", run->violated);
    ser_json_number_at(json, "orders", run->orders);
    write_counts(json, "settled", run->settled);
    write_counts(json, "segments", run->segments);
    ser_json_close_object(json);
}

void ser_page_write_data(const ser_dossier *dossier, ser_json *json)
{
    ser_page_order cache = {0};
    ser_json_open_object(json);
    ser_json_number_at(json, "suppressed", dossier->suppressed);
    ser_json_key(json, "runs");
    ser_json_open_array(json);
    for (size_t i = 0; i < dossier->runs.count; i++)
        write_run(json, &dossier->runs.items[i]);
    ser_json_close_array(json);
    ser_json_key(json, "entries");
    ser_json_open_array(json);
    for (size_t i = 0; ser_dossier_may_write(dossier, i); i++)
        write_entry(dossier, json, &dossier->entries.items[i], &cache);
    ser_order_destroy(cache.order);
    ser_json_close_array(json);
    ser_page_write_traces(dossier, json);
    ser_page_write_sources(dossier, json);
    ser_json_close_object(json);
}
