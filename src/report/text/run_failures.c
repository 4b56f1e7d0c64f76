/* SPDX-License-Identifier: MIT */
/*
 * Failures of whole runs: for each, once, who waits where for what, in which runs, and how to see
 * it again. Deadlocks are the same if the same places wait for the same things, whichever
 * threads they are; numbers of lines are no part of the id, so that it lasts.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/output/print.h"
#include "report/run_report.h"
#include "report/source_line.h"

static const char prefix[] = "deadlock: ";

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Without the numbers of threads and lines. */
static void strip_numbers(char *line)
{
    char before = ' ';
    char *to = line;
    for (const char *from = line; *from; from++) {
        if (isdigit((unsigned char)*from) && (before == 'T' || before == ':'))
            continue;
        before = *to++ = *from;
    }
    *to = '\0';
}

/* The lines that begin with the prefix, without it. */
static char *keep_waits(const char *messages, size_t size)
{
    SER_VECTOR(char) kept = {0};
    for (const char *line = messages, *end = messages + size; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((stop ? stop : end) - line);
        if (length > sizeof prefix - 1 && strncmp(line, prefix, sizeof prefix - 1) == 0) {
            for (size_t i = sizeof prefix - 1; i < length; i++)
                ser_vector_push(&kept, line[i]);
            ser_vector_push(&kept, '\n');
        }
        line += length + 1;
    }
    ser_vector_push(&kept, '\0');
    return kept.items;
}

static char *make_key(const char *waits)
{
    SER_VECTOR(char *) lines = {0};
    char *copy = ser_copy_text(waits, strlen(waits)), *rest = NULL;
    char *key = ser_alloc(strlen(waits) + 1, 1), *end = key;
    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        strip_numbers(line);
        ser_vector_push(&lines, line);
    }
    if (lines.count)
        qsort(lines.items, lines.count, sizeof *lines.items, by_text);
    *end = '\0';
    for (size_t i = 0; i < lines.count; i++)
        end += sprintf(end, "%s\n", lines.items[i]);
    ser_vector_free(&lines);
    free(copy);
    return key;
}

/* "T1 waits at bank.c:42 for ...": the place of the first line that has one. */
static char *first_location(const char *waits)
{
    static const char word[] = " waits at ";
    const char *found = strstr(waits, word), *end = NULL;
    if (found) {
        found += sizeof word - 1;
        end = strstr(found, " for ");
    }
    return end ? ser_copy_text(found, (size_t)(end - found)) : ser_copy_text("", 0);
}

/* FNV-1a, as for bugs. */
static void name_failure(ser_failure *failure)
{
    enum { ID_BITS = 40 };
    uint64_t value = UINT64_C(14695981039346656037);
    for (const char *at = failure->key; *at; at++)
        value = (value ^ (unsigned char)*at) * UINT64_C(1099511628211);
    snprintf(failure->id, sizeof failure->id, "%010" PRIx64, value >> (64 - ID_BITS));
}

void ser_run_add_deadlock(ser_run_report *report, size_t trace, const char *schedule,
                          const char *messages, size_t size)
{
    char *waits = keep_waits(messages, size), *key = make_key(waits);
    for (size_t i = 0; i < report->failures.count; i++) {
        if (strcmp(report->failures.items[i].key, key) != 0)
            continue;
        report->failures.items[i].runs++;
        free(waits);
        free(key);
        return;
    }
    ser_failure failure = {.key = key,
                           .waits = waits,
                           .location = first_location(waits),
                           .schedule = schedule ? ser_copy_text(schedule, strlen(schedule)) : NULL,
                           .trace = trace,
                           .runs = 1};
    name_failure(&failure);
    ser_vector_push(&report->failures, failure);
}

void ser_run_failures_fini(ser_run_report *report)
{
    for (size_t i = 0; i < report->failures.count; i++) {
        free(report->failures.items[i].key);
        free(report->failures.items[i].waits);
        free(report->failures.items[i].location);
        free(report->failures.items[i].schedule);
    }
    ser_vector_free(&report->failures);
}

/* --- for people ------------------------------------------------------------- */

static void print_command(const ser_run_report *report, FILE *file)
{
    ser_print(file, " --");
    for (char *const *word = report->command; *word; word++)
        ser_print(file, " %s", *word);
    fputc('\n', file);
}

static void print_again(const ser_run_report *report, const ser_failure *failure, FILE *file)
{
    const ser_run_trace *trace = &report->traces.items[failure->trace];
    if (failure->schedule) {
        ser_print(file, "   To see it again: seriatim replay %s%s%s --schedule %s", trace->path,
                  report->atomic ? " --atomic " : "", report->atomic ? report->atomic : "",
                  failure->schedule);
    } else if (!trace->settings) {
        ser_print(file, "   The seed alone does not bring it back: try more runs.\n");
        return;
    } else {
        ser_print(file, "   To see it again: seriatim record --seed %" PRIu64, trace->seed);
        if (trace->scheduler)
            ser_print(file, " --scheduler %s", trace->scheduler);
        if (trace->quantum)
            ser_print(file, " --quantum %" PRIu64, trace->quantum);
        if (trace->depth)
            ser_print(file, " --depth %" PRIu64, trace->depth);
    }
    print_command(report, file);
}

static void print_failure(const ser_run_report *report, size_t number, FILE *file)
{
    const ser_failure *failure = &report->failures.items[number];
    const ser_run_trace *trace = &report->traces.items[failure->trace];
    ser_print(file, "\n%zu. The program deadlocks: all its threads wait for ever.  [%s]\n\n",
              report->bugs.list.count + number + 1, failure->id);
    for (const char *line = failure->waits; *line;) {
        int length = (int)strcspn(line, "\n");
        ser_print(file, "     %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
    ser_print(file, "\n   Seen in %s%s (%s)", failure->schedule ? "a replay of " : "", trace->path,
              trace->schedule);
    if (failure->runs > 1)
        ser_print(file, " and %" PRIu64 " more run%s", failure->runs - 1,
                  failure->runs == 2 ? "" : "s");
    ser_print(file, ".\n");
    print_again(report, failure, file);
}

void ser_run_failures_text(const ser_run_report *report, FILE *file)
{
    for (size_t i = 0; i < report->failures.count; i++)
        print_failure(report, i, file);
}

/* --- for programs ------------------------------------------------------------ */

static void write_waits(const ser_failure *failure, ser_json *json)
{
    ser_json_key(json, "waits");
    ser_json_open_array(json);
    for (const char *line = failure->waits; *line;) {
        size_t length = strcspn(line, "\n");
        ser_json_bytes(json, line, length);
        line += length + (line[length] == '\n');
    }
    ser_json_close_array(json);
}

static void write_failure(const ser_run_report *report, const ser_failure *failure, ser_json *json)
{
    const ser_run_trace *trace = &report->traces.items[failure->trace];
    uint32_t line = 0;
    int length = ser_split_location(failure->location, &line);
    ser_json_open_object(json);
    ser_json_text_at(json, "id", failure->id);
    ser_json_text_at(json, "kind", "deadlock");
    ser_json_text_at(json, "status", failure->schedule ? "confirmed" : "observed");
    ser_json_key(json, "file");
    if (length)
        ser_json_bytes(json, failure->location, (size_t)length);
    else
        ser_json_null(json);
    ser_json_key(json, "line");
    if (length)
        ser_json_number(json, line);
    else
        ser_json_null(json);
    ser_json_key(json, "schedule");
    if (failure->schedule)
        ser_json_text(json, failure->schedule);
    else
        ser_json_null(json);
    ser_json_number_at(json, "seed", trace->seed);
    ser_json_key(json, "scheduler");
    if (trace->scheduler)
        ser_json_text(json, trace->scheduler);
    else
        ser_json_null(json);
    ser_json_text_at(json, "trace", trace->path);
    ser_json_number_at(json, "runs", failure->runs);
    write_waits(failure, json);
    ser_json_close_object(json);
}

void ser_run_failures_json(const ser_run_report *report, ser_json *json)
{
    ser_json_key(json, "failures");
    ser_json_open_array(json);
    for (size_t i = 0; i < report->failures.count; i++)
        write_failure(report, &report->failures.items[i], json);
    ser_json_close_array(json);
}
