/* SPDX-License-Identifier: MIT */
#include "bugs/failures.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "bugs/naming.h"
#include "bugs/waits.h"

static const char deadlock_prefix[] = "deadlock: ", exception_prefix[] = "exception: ";

const char *ser_failure_kind_name(ser_failure_kind kind)
{
    static const char *const names[] = {"deadlock", "signal",         "exception",
                                        "exit",     "use after free", "double free"};
    return names[kind];
}

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
static char *keep_lines(const char *messages, size_t size, const char *prefix)
{
    SER_VECTOR(char) kept = {0};
    size_t skipped = strlen(prefix);
    for (const char *line = messages, *end = messages + size; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((stop ? stop : end) - line);
        if (length > skipped && strncmp(line, prefix, skipped) == 0) {
            for (size_t i = skipped; i < length; i++)
                ser_vector_push(&kept, line[i]);
            ser_vector_push(&kept, '\n');
        }
        line += length + 1;
    }
    ser_vector_push(&kept, '\0');
    return kept.items;
}

/* How many threads fail in one and the same way is chance; how many wait for each other is not. */
static char *make_key(const char *waits, bool once)
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
        if (!once || i == 0 || strcmp(lines.items[i - 1], lines.items[i]) != 0)
            end += sprintf(end, "%s\n", lines.items[i]);
    ser_vector_free(&lines);
    free(copy);
    return key;
}

/* What stands between two words of the first line that has them: "T1 waits at bank.c:42 for ..." */
static char *find_between(const char *lines, const char *before, const char *after)
{
    const char *found = strstr(lines, before), *end = NULL;
    if (found) {
        found += strlen(before);
        end = strstr(found, after);
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
    free(failure->freed_at);
    free(failure->freed_by);
    free(failure->allocated_at);
    free(failure->last_step);
    free(failure->last_words);
    free(failure->schedule);
    free(failure->cause_key);
    ser_vector_free(&failure->traces);
    ser_vector_free(&failure->others);
    ser_difference_fini(&failure->difference);
}

bool ser_failure_is_in(const ser_failure *failure, size_t trace)
{
    for (size_t i = 0; i < failure->traces.count; i++)
        if (failure->traces.items[i] == trace)
            return true;
    return false;
}

/* One run can show it several times. */
static void count_run(ser_failure *known, const ser_failure *again)
{
    if (!again->schedule && ser_failure_is_in(known, again->seen))
        return;
    known->runs++;
    if (!again->schedule)
        ser_vector_push(&known->traces, again->seen);
}

static bool has_line(const char *key, const ser_wait_line *line)
{
    ser_wait_lines lines = ser_waits_parse(key);
    bool found = false;
    for (size_t i = 0; i < lines.count && !found; i++)
        found = lines.items[i].length == line->length &&
                strncmp(lines.items[i].text, line->text, (size_t)line->length) == 0;
    ser_vector_free(&lines);
    return found;
}

/* Threads that nobody wakes any more: of those that wait for the same condition it is chance which
 * ones have still come so far. */
static bool have_common_wait(const ser_failure *failure, const ser_failure *other)
{
    if (failure->kind != SER_FAILURE_DEADLOCK || other->kind != SER_FAILURE_DEADLOCK)
        return false;
    ser_wait_lines lines = ser_waits_parse(failure->key);
    bool is_common = false;
    for (size_t i = 0; i < lines.count && !is_common; i++)
        is_common = lines.items[i].is_condition && has_line(other->key, &lines.items[i]);
    ser_vector_free(&lines);
    return is_common;
}

void ser_failures_add(ser_failures *failures, ser_failure *failure)
{
    for (size_t i = 0; i < failures->count; i++) {
        if (strcmp(failures->items[i].key, failure->key) != 0 &&
            !have_common_wait(&failures->items[i], failure))
            continue;
        count_run(&failures->items[i], failure);
        ser_failure_fini(failure);
        return;
    }
    if (!failure->schedule)
        ser_vector_push(&failure->traces, failure->seen);
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
    char *waits = keep_lines(messages, size, deadlock_prefix), *core = ser_waits_core(waits);
    ser_failure failure = {.kind = SER_FAILURE_DEADLOCK,
                           .key = make_key(core, false),
                           .waits = waits,
                           .thread = copy(""),
                           .function = copy(""),
                           .location = find_between(waits, " waits at ", " for "),
                           .schedule = schedule ? copy(schedule) : NULL,
                           .trace = trace,
                           .seen = trace,
                           .runs = 1};
    free(core);
    ser_failures_add(failures, &failure);
}

char *ser_failure_exceptions(const char *messages, size_t size)
{
    char *lines = keep_lines(messages, size, exception_prefix), *key = make_key(lines, true);
    free(lines);
    return key;
}

/* "T2 ends with java.lang.AssertionError at Cart.java:31 in Cart.total" */
bool ser_failures_add_exceptions(ser_failures *failures, size_t trace, const char *messages,
                                 size_t size)
{
    char *lines = keep_lines(messages, size, exception_prefix);
    if (!*lines) {
        free(lines);
        return false;
    }
    ser_failure failure = {.kind = SER_FAILURE_EXCEPTION,
                           .key = make_key(lines, true),
                           .waits = lines,
                           .thread = ser_copy_text(lines, strcspn(lines, " ")),
                           .function = find_between(lines, " in ", "\n"),
                           .location = find_between(lines, " at ", " in "),
                           .trace = trace,
                           .seen = trace,
                           .runs = 1};
    ser_failures_add(failures, &failure);
    return true;
}

/* Who is about to say what failed looks for the stream to say it in. */
static bool is_stream(const ser_run *run, const ser_event *event)
{
    static const char *const names[] = {"stderr", "stdout", "std::cerr", "std::cout"};
    if (!ser_op_is_access((ser_op)event->op))
        return false;
    const char *name =
        ser_symbols_shown_name(run->symbols, ser_op_space((ser_op)event->op), event->object);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static uint32_t skip_streams(const ser_run *run, uint32_t last)
{
    uint32_t before = last;
    while (before && is_stream(run, &run->events[before]))
        before = ser_run_previous(run, before);
    return before ? before : last;
}

/* What the first thread did last is mostly to wait for the others: one of these is more likely to
 * have failed, if it has not returned. */
uint32_t ser_find_last_event(const ser_run *run)
{
    for (uint32_t i = run->count; i > 0; i--) {
        const ser_event *event = &run->events[i];
        bool is_last = run->eid[i] == run->threads.items[event->thread].events.count;
        if (run->threads.items[event->thread].number != 0 && is_last &&
            !ser_op_returns((ser_op)event->op))
            return skip_streams(run, i);
    }
    return run->count;
}

void ser_failure_end_in(ser_failure *failure, const ser_run *run)
{
    uint32_t last = run ? ser_find_last_event(run) : 0;
    bool has_returned = last && ser_op_returns((ser_op)run->events[last].op);
    const ser_event *event = last && !has_returned ? &run->events[last] : NULL;
    const ser_symbols *symbols = run ? run->symbols : NULL;
    free(failure->thread);
    free(failure->function);
    free(failure->location);
    failure->thread =
        copy(event ? ser_symbols_shown_name(symbols, SER_SPACE_THREAD, event->thread) : "");
    failure->function = copy(event ? ser_bug_function(symbols, event) : "");
    failure->location = copy(event ? ser_symbols_shown_location(symbols, event->site) : "");
}

void ser_failures_add_ending(ser_failures *failures, ser_failure_kind kind, int code, size_t trace,
                             const ser_run *run)
{
    char key[64];
    snprintf(key, sizeof key, "%s %d", kind == SER_FAILURE_SIGNAL ? "signal" : "exit", code);
    ser_failure failure = {.kind = kind,
                           .code = code,
                           .key = copy(key),
                           .waits = copy(""),
                           .trace = trace,
                           .seen = trace,
                           .runs = 1};
    ser_failure_end_in(&failure, run);
    ser_failures_add(failures, &failure);
}

static size_t count_statuses(const ser_failures *failures)
{
    size_t count = 0;
    for (size_t i = 0; i < failures->count; i++)
        count += failures->items[i].kind == SER_FAILURE_EXIT;
    return count;
}

void ser_failures_unite_statuses(ser_failures *failures)
{
    enum { MANY = 3 };
    size_t kept = 0;
    ser_failure *all = NULL;
    if (count_statuses(failures) < MANY)
        return;
    for (size_t i = 0; i < failures->count; i++) {
        ser_failure failure = failures->items[i];
        if (all && failure.kind == SER_FAILURE_EXIT) {
            ser_vector_push(&all->others, failure.code);
            all->runs += failure.runs;
            ser_failure_fini(&failure);
            continue;
        }
        failures->items[kept++] = failure;
        if (failure.kind == SER_FAILURE_EXIT)
            all = &failures->items[kept - 1];
    }
    failures->count = kept;
    free(all->key);
    all->key = copy("exit, many statuses"); /* which ones is chance */
    ser_bug_make_id(all->id, all->key, 1);
}

void ser_failures_fini(ser_failures *failures)
{
    for (size_t i = 0; i < failures->count; i++)
        ser_failure_fini(&failures->items[i]);
    ser_vector_free(failures);
}
