/* SPDX-License-Identifier: MIT */
#include "bugs/failures.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "bugs/naming.h"

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

void ser_failure_fini(ser_failure *failure)
{
    free(failure->key);
    free(failure->waits);
    free(failure->thread);
    free(failure->function);
    free(failure->location);
    free(failure->schedule);
    ser_difference_fini(&failure->difference);
}

void ser_failures_add(ser_failures *failures, ser_failure *failure)
{
    for (size_t i = 0; i < failures->count; i++) {
        if (strcmp(failures->items[i].key, failure->key) != 0)
            continue;
        failures->items[i].runs++;
        ser_failure_fini(failure);
        return;
    }
    ser_bug_make_id(failure->id, failure->key, 1);
    ser_vector_push(failures, *failure);
}

static char *copy(const char *text)
{
    return ser_copy_text(text, strlen(text));
}

void ser_failures_add_deadlock(ser_failures *failures, size_t trace, const char *schedule,
                               const char *messages, size_t size)
{
    char *waits = keep_waits(messages, size);
    ser_failure failure = {.kind = SER_FAILURE_DEADLOCK,
                           .key = make_key(waits),
                           .waits = waits,
                           .thread = copy(""),
                           .function = copy(""),
                           .location = first_location(waits),
                           .schedule = schedule ? copy(schedule) : NULL,
                           .trace = trace,
                           .seen = trace,
                           .runs = 1};
    ser_failures_add(failures, &failure);
}

/* The last event before the end. What the first thread did last is mostly to wait for the others:
 * one of these is more likely to have failed, if it has not returned. */
static const ser_event *find_last(const ser_run *run)
{
    for (uint32_t i = run->count; i > 0; i--) {
        const ser_event *event = &run->events[i];
        bool is_last = run->eid[i] == run->threads.items[event->thread].events.count;
        if (run->threads.items[event->thread].number != 0 && is_last &&
            !ser_op_returns((ser_op)event->op))
            return event;
    }
    return run->count ? &run->events[run->count] : NULL;
}

void ser_failures_add_ending(ser_failures *failures, ser_failure_kind kind, int code, size_t trace,
                             const ser_run *run)
{
    const ser_event *last = run ? find_last(run) : NULL;
    const char *function = "", *thread = "", *location = "";
    char key[64];
    if (last) {
        function = ser_bug_function(run->symbols, last);
        thread = ser_symbols_shown_name(run->symbols, SER_SPACE_THREAD, last->thread);
        location = ser_symbols_shown_location(run->symbols, last->site);
    }
    snprintf(key, sizeof key, "%s %d", kind == SER_FAILURE_SIGNAL ? "signal" : "exit", code);
    ser_failure failure = {.kind = kind,
                           .code = code,
                           .key = copy(key),
                           .waits = copy(""),
                           .thread = copy(thread),
                           .function = copy(function),
                           .location = copy(location),
                           .trace = trace,
                           .seen = trace,
                           .runs = 1};
    ser_failures_add(failures, &failure);
}

void ser_failures_fini(ser_failures *failures)
{
    for (size_t i = 0; i < failures->count; i++)
        ser_failure_fini(&failures->items[i]);
    ser_vector_free(failures);
}
