/* SPDX-License-Identifier: MIT */
/*
 * Chrome's trace format, which Perfetto and chrome://tracing draw: for each entry the recorded run
 * and the violating one, as processes whose threads are the program's. There are no times: a step
 * takes a microsecond. The conflict path is a flow, drawn as arrows.
 */
#include "report/dossier_formats.h"
#include "report/json_file.h"
#include "report/source_line.h"

enum { MOST_EVENTS = 200000 }; /* of one process */

typedef struct process {
    ser_json *json;
    const ser_picture *picture;
    uint64_t number;
} process;

static void write_name(const process *of, const char *what, uint64_t thread, const char *name)
{
    ser_json_open_object(of->json);
    ser_json_text_at(of->json, "name", what);
    ser_json_text_at(of->json, "ph", "M");
    ser_json_number_at(of->json, "pid", of->number);
    ser_json_number_at(of->json, "tid", thread);
    ser_json_key(of->json, "args");
    ser_json_open_object(of->json);
    ser_json_text_at(of->json, "name", name);
    ser_json_close_object(of->json);
    ser_json_close_object(of->json);
}

static void write_place(const process *of, const char *phase, uint64_t time, uint32_t thread)
{
    ser_json_text_at(of->json, "ph", phase);
    ser_json_number_at(of->json, "ts", time);
    ser_json_number_at(of->json, "pid", of->number);
    ser_json_number_at(of->json, "tid", thread);
}

static void write_step(const process *of, uint32_t number, uint64_t time,
                       const ser_picture_step *step)
{
    const ser_run *run = of->picture->run;
    const ser_event *event = &run->events[number];
    ser_op op = (ser_op)event->op;
    const char *name = ser_plain_name(of->picture->names, ser_op_space(op), event->object);
    char text[512];
    snprintf(text, sizeof text, "%s%s%s", ser_op_verb(op), *name ? " " : "", name);
    ser_json_open_object(of->json);
    ser_json_text_at(of->json, "name", text);
    ser_json_text_at(of->json, "cat", ser_space_noun(ser_op_space(op)));
    write_place(of, "X", time, event->thread);
    ser_json_number_at(of->json, "dur", 1);
    ser_json_key(of->json, "args");
    ser_json_open_object(of->json);
    ser_json_number_at(of->json, "event", number);
    ser_json_text_at(of->json, "location",
                     ser_short_location(ser_symbols_location(run->symbols, event->site)));
    if (step ? step->flags & SER_STEP_HAS_VALUE : event->flags & SER_EVENT_HAS_VALUE) {
        char *value = ser_describe_value(step ? step->value : event->value);
        ser_json_text_at(of->json, "value", value);
        free(value);
    }
    ser_json_close_object(of->json);
    ser_json_close_object(of->json);
}

static void write_names(const process *of, const char *name)
{
    const ser_run *run = of->picture->run;
    write_name(of, "process_name", 0, name);
    for (uint32_t i = 0; i < run->threads.count; i++)
        write_name(of, "thread_name", i, ser_symbols_name(run->symbols, SER_SPACE_THREAD, i));
}

static void write_observed(const process *of)
{
    const ser_run *run = of->picture->run;
    for (uint32_t i = 1; i <= run->count && i <= MOST_EVENTS; i++)
        if (ser_op_takes_part((ser_op)run->events[i].op))
            write_step(of, i, i, NULL);
}

/* Arrows between the steps of the path, in their order. */
static void write_flow(const process *of, uint64_t entry)
{
    size_t seen = 0;
    for (size_t i = 0; i < of->picture->steps.count; i++) {
        const ser_picture_step *step = &of->picture->steps.items[i];
        if (!(step->flags & SER_STEP_ON_PATH))
            continue;
        seen++;
        ser_json_open_object(of->json);
        ser_json_text_at(of->json, "name", "conflicts");
        ser_json_text_at(of->json, "cat", "conflict");
        ser_json_number_at(of->json, "id", entry);
        write_place(of,
                    seen == 1                         ? "s"
                    : seen == of->picture->path.count ? "f"
                                                      : "t",
                    i + 1, of->picture->run->events[step->event].thread);
        ser_json_close_object(of->json);
    }
}

static void write_violating(const process *of, uint64_t entry)
{
    size_t count = of->picture->steps.count;
    for (size_t i = count > MOST_EVENTS ? count - MOST_EVENTS : 0; i < count; i++)
        write_step(of, of->picture->steps.items[i].event, i + 1, &of->picture->steps.items[i]);
    write_flow(of, entry);
}

void ser_dossier_write_chrome(const ser_dossier *dossier, const ser_dossier_style *style,
                              FILE *file)
{
    ser_json json = ser_json_to_file(file);
    char name[512];
    (void)style;
    ser_json_open_object(&json);
    ser_json_text_at(&json, "displayTimeUnit", "ms");
    ser_json_key(&json, "traceEvents");
    ser_json_open_array(&json);
    for (size_t i = 0; i < dossier->entries.count; i++) {
        const ser_entry *entry = &dossier->entries.items[i];
        process of = {&json, &entry->picture, 2 * i + 1};
        if (!entry->picture.run)
            continue;
        snprintf(name, sizeof name, "%zu. %s: recorded run", i + 1, entry->title);
        write_names(&of, name);
        write_observed(&of);
        of.number++;
        snprintf(name, sizeof name, "%zu. %s: violating run", i + 1, entry->title);
        write_names(&of, name);
        write_violating(&of, i + 1);
    }
    ser_json_close_array(&json);
    ser_json_close_object(&json);
    ser_json_end(&json);
}
