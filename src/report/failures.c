/* SPDX-License-Identifier: MIT */
/*
 * Failures of whole runs, each kept once. Two deadlocks are the same if the same places wait for
 * the same objects, whichever threads they are. Line numbers are not part of the id, so that it
 * survives unrelated changes of the code.
 */
#include <ctype.h>
#include <string.h>

#include "report/run_report.h"

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
    ser_bug_id(failure.key, failure.id);
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
