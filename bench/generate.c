/* SPDX-License-Identifier: MIT */
/*
 * generate - writes the trace of a made-up program (workload.h) to a file.
 *
 *     generate --threads T --variables V --locks L --events N --seed S
 *              [--locations K] [--burst B] [--shape NAME] [--planted P]
 *              [--format native|text] -o FILE
 *
 * The trace is streamed: memory does not grow with the number of events.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/reader.h"
#include "trace/symbols.h"
#include "trace/writer.h"
#include "workload.h"

/* Numbers of the workload to numbers of the trace, which count from 0 in order
 * of first appearance. */
typedef struct numbering {
    uint32_t *numbers; /* SER_NO_OBJECT: has not appeared */
    const char *format;
} numbering;

typedef struct output {
    ser_symbols *symbols;
    ser_writer *writer;
    numbering threads, variables, locks, sites;
    ser_event batch[SER_BATCH];
    size_t count;
    ser_status status;
    ser_error error;
} output;

static void numbering_init(numbering *n, size_t count, const char *format)
{
    n->format = format;
    n->numbers = ser_alloc(count, sizeof *n->numbers);
    memset(n->numbers, 0xff, count * sizeof *n->numbers);
}

static uint32_t translate(output *out, numbering *n, ser_space space, uint32_t number)
{
    if (n->numbers[number] == SER_NO_OBJECT) {
        char name[32];
        int length = snprintf(name, sizeof name, n->format, number);
        n->numbers[number] = ser_symbols_add(out->symbols, space, name, (size_t)length);
    }
    return n->numbers[number];
}

/* Locations look like those of a program with files of a hundred lines. */
static uint32_t translate_site(output *out, uint32_t site)
{
    uint32_t *known = &out->sites.numbers[site];
    if (*known == SER_NO_SITE) {
        char name[32];
        int length =
            snprintf(name, sizeof name, out->sites.format, site / 100, 10 * (site % 100) + 7);
        *known = ser_symbols_add_site(out->symbols, name, (size_t)length, SER_NO_OBJECT);
    }
    return *known;
}

static void flush(output *out)
{
    if (out->status == SER_OK)
        out->status = ser_writer_put(out->writer, out->batch, out->count, &out->error);
    out->count = 0;
}

static void take_event(void *context, const ser_event *event)
{
    output *out = context;
    ser_event translated = *event;
    translated.thread = translate(out, &out->threads, SER_SPACE_THREAD, event->thread);
    translated.site = translate_site(out, event->site);
    ser_space space = ser_op_space((ser_op)event->op);
    if (space == SER_SPACE_THREAD)
        translated.object = translate(out, &out->threads, space, event->object);
    else if (space == SER_SPACE_VARIABLE)
        translated.object = translate(out, &out->variables, space, event->object);
    else if (space == SER_SPACE_LOCK)
        translated.object = translate(out, &out->locks, space, event->object);
    out->batch[out->count++] = translated;
    if (out->count == SER_BATCH)
        flush(out);
}

static ser_status generate(const workload_options *options, ser_writer_format format,
                           const char *path)
{
    output *out = ser_alloc(1, sizeof *out);
    out->symbols = ser_symbols_create();
    numbering_init(&out->threads, options->threads, "T%u");
    numbering_init(&out->variables, (size_t)options->variables + options->planted, "x%u");
    numbering_init(&out->locks, options->locks, "L%u");
    numbering_init(&out->sites, options->locations, "file%u.c:%u");

    out->status = ser_writer_open(&out->writer, path, format, out->symbols, &out->error);
    if (out->status == SER_OK) {
        workload_run(options, take_event, out);
        flush(out);
    }
    if (out->status == SER_OK)
        out->status = ser_writer_finish(out->writer, &out->error);
    if (out->status != SER_OK)
        fprintf(stderr, "generate: %s\n", out->error.text);

    ser_status status = out->status;
    ser_writer_close(out->writer);
    ser_symbols_destroy(out->symbols);
    free(out->threads.numbers);
    free(out->variables.numbers);
    free(out->locks.numbers);
    free(out->sites.numbers);
    free(out);
    return status;
}

static bool parse_number(const char *text, uint32_t *number)
{
    return sscanf(text, "%" SCNu32, number) == 1 && *number > 0;
}

static bool parse_shape(const char *text, workload_shape *shape)
{
    for (int i = 0; i < SHAPE_COUNT; i++) {
        if (strcmp(text, workload_shape_names[i]) == 0) {
            *shape = (workload_shape)i;
            return true;
        }
    }
    return false;
}

static bool parse_option(workload_options *o, const char *name, const char *value)
{
    if (strcmp(name, "--threads") == 0)
        return parse_number(value, &o->threads);
    if (strcmp(name, "--variables") == 0)
        return parse_number(value, &o->variables);
    if (strcmp(name, "--locks") == 0)
        return parse_number(value, &o->locks);
    if (strcmp(name, "--locations") == 0)
        return parse_number(value, &o->locations);
    if (strcmp(name, "--burst") == 0)
        return parse_number(value, &o->burst);
    if (strcmp(name, "--events") == 0)
        return sscanf(value, "%" SCNu64, &o->events) == 1;
    if (strcmp(name, "--seed") == 0)
        return sscanf(value, "%" SCNu64, &o->seed) == 1;
    if (strcmp(name, "--planted") == 0)
        return parse_number(value, &o->planted);
    if (strcmp(name, "--shape") == 0)
        return parse_shape(value, &o->shape);
    return false;
}

int main(int argc, char **argv)
{
    workload_options options = {.threads = 8,
                                .variables = 1000,
                                .locks = 16,
                                .events = 1000000,
                                .seed = 1,
                                .locations = 400,
                                .burst = 8};
    const char *path = NULL;
    ser_writer_format format = SER_WRITE_NATIVE;
    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i], *value = argv[i + 1];
        bool good = value;
        if (good && strcmp(name, "-o") == 0)
            path = value;
        else if (good && strcmp(name, "--format") == 0)
            format = strcmp(value, "text") == 0 ? SER_WRITE_TEXT : SER_WRITE_NATIVE;
        else
            good = good && parse_option(&options, name, value);
        if (!good) {
            fprintf(stderr, "generate: wrong or incomplete option %s\n", name);
            return SER_USAGE;
        }
    }
    if (!path || options.variables < options.locks ||
        (options.shape != SHAPE_TWO_PHASE && options.threads < 2)) {
        fprintf(stderr, "generate: needs -o FILE, a variable for each lock, and two threads\n");
        return SER_USAGE;
    }
    return generate(&options, format, path);
}
