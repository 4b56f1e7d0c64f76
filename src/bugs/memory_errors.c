/* SPDX-License-Identifier: MIT */
/*
 * Use after free and double free, as a recorded run shows them: memory that is allocated anew is
 * another variable, so that any event of one that was freed is an error. One entry for each pair of
 * functions.
 */
#include <stdio.h>
#include <string.h>

#include "base/output/print.h"
#include "bugs/failures.h"
#include "bugs/naming.h"

/* "T1 frees it at a.c:7 in drop()" */
static void print_step(FILE *text, const ser_run *run, uint32_t event, const char *verb)
{
    const ser_event *step = &run->events[event];
    ser_print(text, "%s %s it at %s in %s()\n",
              ser_symbols_shown_name(run->symbols, SER_SPACE_THREAD, step->thread), verb,
              ser_symbols_shown_location(run->symbols, step->site),
              ser_bug_function(run->symbols, step));
}

/* "block allocated at a.c:7" of "+8 of block allocated at a.c:7": all of it is freed at once. */
static const char *whole_of(const char *name)
{
    const char *rest = name + (*name == '+');
    rest += strspn(rest, "0123456789");
    return *name == '+' && strncmp(rest, " of ", 4) == 0 ? rest + 4 : name;
}

/* What the memory is, and where it was allocated if that is known; then the two steps. */
static char *describe(const ser_run *run, uint32_t freed, uint32_t later)
{
    char *lines = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&lines, &size);
    if (!text)
        ser_out_of_memory(size);
    const ser_event *use = &run->events[later];
    const char *name = ser_symbols_shown_name(run->symbols, SER_SPACE_VARIABLE, use->object);
    ser_print(text, "the memory is %s\n", ser_op_frees((ser_op)use->op) ? whole_of(name) : name);
    print_step(text, run, freed, "frees");
    print_step(text, run, later, ser_op_verb((ser_op)use->op));
    fclose(text);
    return lines;
}

/* Ids survive changes of unrelated lines. */
static void strip_line(char *kind)
{
    char *colon = strrchr(kind, ':');
    if (colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1))
        *colon = '\0';
}

static char *make_key(const ser_run *run, uint32_t freed, uint32_t later)
{
    const ser_event *use = &run->events[later];
    char *kind = ser_bug_kind_of_variable(
        whole_of(ser_symbols_shown_name(run->symbols, SER_SPACE_VARIABLE, use->object)));
    strip_line(kind);
    char *key = NULL;
    if (asprintf(&key, "%s|%s|%s|%s", ser_op_frees((ser_op)use->op) ? "double free" : "use", kind,
                 ser_bug_function(run->symbols, &run->events[freed]),
                 ser_bug_function(run->symbols, use)) < 0)
        ser_out_of_memory(0);
    free(kind);
    return key;
}

static char *copy(const char *text)
{
    return ser_copy_text(text, strlen(text));
}

static void add_error(ser_failures *failures, const ser_run *run, uint32_t freed, uint32_t later,
                      size_t trace)
{
    const ser_event *use = &run->events[later];
    ser_failure failure = {
        .kind =
            ser_op_frees((ser_op)use->op) ? SER_FAILURE_DOUBLE_FREE : SER_FAILURE_USE_AFTER_FREE,
        .key = make_key(run, freed, later),
        .waits = describe(run, freed, later),
        .thread = copy(""),
        .function = copy(ser_bug_function(run->symbols, use)),
        .location = copy(ser_symbols_shown_location(run->symbols, use->site)),
        .freed_at = copy(ser_symbols_shown_location(run->symbols, run->events[freed].site)),
        .trace = trace,
        .seen = trace,
        .runs = 1,
    };
    ser_failures_add(failures, &failure);
}

void ser_failures_add_memory_errors(ser_failures *failures, size_t trace, const ser_run *run)
{
    enum { MOST = 8 }; /* of one run */
    SER_VECTOR(uint32_t) freed = {0};
    unsigned found = 0;
    for (uint32_t i = 1; i <= run->count && found < MOST; i++) {
        const ser_event *event = &run->events[i];
        if (!ser_op_is_access((ser_op)event->op))
            continue;
        uint32_t *before = ser_vector_slot(&freed, event->object);
        if (*before) {
            add_error(failures, run, *before, i, trace);
            found++;
        }
        *before = ser_op_frees((ser_op)event->op) ? i : 0;
    }
    ser_vector_free(&freed);
}
