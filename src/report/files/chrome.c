/* SPDX-License-Identifier: MIT */
/*
 * Chrome's trace format, which Perfetto and chrome://tracing draw: for each entry the recorded run
 * and the violating one, as processes whose threads are the program's. There are no times: a step
 * takes a microsecond. The conflict path is a flow, drawn as arrows.
 */
#include "base/interrupt.h"
#include "report/dossier_formats.h"
#include "report/json_file.h"
#include "report/source_line.h"

enum {
    MOST_EVENTS = 400000, /* of all processes together: viewers cannot show more either */
    LEAST_EVENTS = 50,    /* that a process may always have */
};

typedef struct process {
    ser_json *json;
    const ser_picture *picture;
    uint64_t number;
    size_t most; /* events that are written */
    bool *named; /* by thread */
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

static void name_thread(const process *of, uint32_t thread)
{
    if (!of->named[thread])
        write_name(of, "thread_name", thread,
                   ser_symbols_name(of->picture->run->symbols, SER_SPACE_THREAD, thread));
    of->named[thread] = true;
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
    name_thread(of, event->thread);
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

/* As many events as may be written, the last of them soon after the conflict. */
static void write_observed(const process *of)
{
    const ser_run *run = of->picture->run;
    uint64_t end = 0, most = of->most;
    for (size_t i = 0; i < of->picture->path.count; i++)
        if (of->picture->path.items[i] > end)
            end = of->picture->path.items[i];
    end += most / 4;
    if (end > run->count || run->count <= most || of->picture->path.count == 0)
        end = run->count;
    for (uint32_t i = end > most ? (uint32_t)(end - most + 1) : 1;
         i <= end && !ser_should_stop_writing(); i++)
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
    for (size_t i = count > of->most ? count - of->most : 0;
         i < count && !ser_should_stop_writing(); i++)
        write_step(of, of->picture->steps.items[i].event, i + 1, &of->picture->steps.items[i]);
    write_flow(of, entry);
}

static void write_process(process *of, const char *title, const char *which, size_t entry)
{
    char name[512];
    snprintf(name, sizeof name, "%zu. %s: %s run", entry, title, which);
    of->named = ser_alloc(of->picture->run->threads.count + 1, sizeof(bool));
    write_name(of, "process_name", 0, name);
    if (of->number % 2)
        write_observed(of);
    else
        write_violating(of, entry);
    free(of->named);
}

void ser_dossier_write_chrome(const ser_dossier *dossier, const ser_dossier_style *style,
                              FILE *file)
{
    ser_json json = ser_json_to_file(file);
    size_t drawn = 0;
    (void)style;
    for (size_t i = 0; i < dossier->entries.count; i++)
        drawn += dossier->entries.items[i].picture.run != NULL;
    ser_json_open_object(&json);
    ser_json_text_at(&json, "displayTimeUnit", "ms");
    ser_json_key(&json, "traceEvents");
    ser_json_open_array(&json);
    for (size_t i = 0; ser_dossier_may_write(dossier, i); i++) {
        const ser_entry *entry = &dossier->entries.items[i];
        process of = {.json = &json, .picture = &entry->picture, .number = 2 * i + 1};
        if (!entry->picture.run)
            continue;
        of.most = MOST_EVENTS / (2 * drawn) + LEAST_EVENTS;
        write_process(&of, entry->title, "recorded", i + 1);
        of.number++;
        write_process(&of, entry->title, "violating", i + 1);
    }
    ser_json_close_array(&json);
    ser_json_close_object(&json);
    ser_json_end(&json);
}
