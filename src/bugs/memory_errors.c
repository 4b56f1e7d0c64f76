/* SPDX-License-Identifier: MIT */
/*
 * Use after free and double free, as a recorded run shows them: memory that is allocated anew is
 * another variable, so that any event of one that was freed is an error. One entry for each pair of
 * functions, whatever part of the memory they use: all of it is freed at once. What the library
 * does is shown where the program's own code calls it.
 *
 * A lock, condition or semaphore in a block that was freed is no variable: that it lies in the same
 * block says its name.
 */
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/output/print.h"
#include "bugs/failures.h"
#include "bugs/naming.h"
#include "bugs/own_code.h"

static const char *location_of(const ser_run *run, uint32_t event)
{
    uint32_t own = ser_own_event(run, event);
    return ser_symbols_shown_location(run->symbols, run->events[own ? own : event].site);
}

static const char *function_of(const ser_run *run, uint32_t event)
{
    uint32_t own = ser_own_event(run, event);
    return ser_bug_function(run->symbols, &run->events[own ? own : event]);
}

static const char *name_of(const ser_run *run, uint32_t event)
{
    const ser_event *named = &run->events[event];
    return ser_symbols_shown_name(run->symbols, ser_op_space((ser_op)named->op), named->object);
}

/* "T1 frees it at a.c:7 in drop()" */
static void print_step(FILE *text, const ser_run *run, uint32_t event, const char *verb)
{
    uint32_t thread = run->events[event].thread;
    ser_print(text, "%s %s it at %s in %s()\n",
              ser_symbols_shown_name(run->symbols, SER_SPACE_THREAD, thread), verb,
              location_of(run, event), function_of(run, event));
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
    static const char block[] = "block ";
    char *lines = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&lines, &size);
    if (!text)
        ser_out_of_memory(size);
    const ser_event *use = &run->events[later];
    const char *name = name_of(run, later);
    name = ser_op_frees((ser_op)use->op) ? whole_of(name) : name;
    ser_print(text, "the memory is %s%s\n", strncmp(name, block, sizeof block - 1) ? "" : "a ",
              name);
    print_step(text, run, freed, "frees");
    print_step(text, run, later, ser_op_verb((ser_op)use->op));
    fclose(text);
    return lines;
}

static char *make_key(const ser_run *run, uint32_t freed, uint32_t later)
{
    const char *kind =
        ser_op_frees((ser_op)run->events[later].op) ? "double free" : "use after free";
    char *key = NULL;
    if (asprintf(&key, "%s|%s|%s", kind, function_of(run, freed), function_of(run, later)) < 0)
        ser_out_of_memory(0);
    return key;
}

static char *copy(const char *text)
{
    return ser_copy_text(text, strlen(text));
}

/* "a.c:7" of "p of struct node, allocated at a.c:7 (2nd)"; "": not known. */
static char *find_allocation(const ser_run *run, uint32_t event)
{
    static const char mark[] = "allocated at ";
    const char *name = name_of(run, event);
    const char *found = strstr(name, mark);
    if (!found)
        return copy("");
    found += sizeof mark - 1;
    return ser_copy_text(found, strcspn(found, " "));
}

static void add_error(ser_failures *failures, const ser_run *run, uint32_t freed, uint32_t later,
                      size_t trace)
{
    ser_op use = (ser_op)run->events[later].op;
    ser_failure failure = {
        .kind = ser_op_frees(use) ? SER_FAILURE_DOUBLE_FREE : SER_FAILURE_USE_AFTER_FREE,
        .key = make_key(run, freed, later),
        .waits = describe(run, freed, later),
        .thread = copy(""),
        .function = copy(function_of(run, later)),
        .location = copy(location_of(run, later)),
        .freed_at = copy(location_of(run, freed)),
        .freed_by = copy(function_of(run, freed)),
        .allocated_at = find_allocation(run, later),
        .trace = trace,
        .seen = trace,
        .runs = 1,
    };
    ser_failures_add(failures, &failure);
}

/* "struct job, allocated at a.c:7 (2nd)" of "done of struct job, allocated at a.c:7 (2nd)"; null:
 * it is in no block that is known. */
static const char *block_of(const char *name)
{
    static const char mark[] = " of ";
    const char *end = strstr(name, "allocated at "), *block = NULL;
    for (const char *at = name; end && (at = strstr(at, mark)) && at < end; at += sizeof mark - 1)
        block = at + sizeof mark - 1;
    return block;
}

/* Blocks that were freed, by name, and the event that did it. */
typedef struct freed_blocks {
    ser_names *names;
    SER_VECTOR(uint32_t) by;
} freed_blocks;

static void note_block(freed_blocks *blocks, const ser_run *run, uint32_t event)
{
    const char *block = block_of(name_of(run, event));
    if (!block)
        return;
    uint32_t number = ser_names_add(blocks->names, block, strlen(block));
    *ser_vector_slot(&blocks->by, number) = event;
}

/* Not barriers: the last thread that comes frees one, and others depart from it later. */
static bool touches_object(ser_op op)
{
    ser_space space = ser_op_space(op);
    return space == SER_SPACE_LOCK || space == SER_SPACE_CONDITION || space == SER_SPACE_SEMAPHORE;
}

/* What freed the block that the object of the event lies in; 0: nothing. */
static uint32_t find_free_of(const freed_blocks *blocks, const ser_run *run, uint32_t event)
{
    if (!blocks->by.count || !touches_object((ser_op)run->events[event].op))
        return 0;
    const char *block = block_of(name_of(run, event));
    uint32_t number = block ? ser_names_find(blocks->names, block, strlen(block)) : SER_NO_NAME;
    return number != SER_NO_NAME ? blocks->by.items[number] : 0;
}

void ser_failures_add_memory_errors(ser_failures *failures, size_t trace, const ser_run *run)
{
    enum { MOST = 8 }; /* of one run */
    SER_VECTOR(uint32_t) freed = {0};
    freed_blocks blocks = {.names = ser_names_create()};
    unsigned found = 0;
    for (uint32_t i = 1; i <= run->count && found < MOST; i++) {
        const ser_event *event = &run->events[i];
        if (!ser_op_is_access((ser_op)event->op)) {
            uint32_t before = find_free_of(&blocks, run, i);
            if (before) {
                add_error(failures, run, before, i, trace);
                found++;
            }
            continue;
        }
        uint32_t *before = ser_vector_slot(&freed, event->object);
        if (*before) {
            add_error(failures, run, *before, i, trace);
            found++;
        }
        *before = ser_op_frees((ser_op)event->op) ? i : 0;
        if (*before)
            note_block(&blocks, run, i);
    }
    ser_names_destroy(blocks.names);
    ser_vector_free(&blocks.by);
    ser_vector_free(&freed);
}
