/* SPDX-License-Identifier: MIT */
#include "report/dossier/library_objects.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/output/print.h"
#include "bugs/own_code.h"
#include "report/short_function.h"

/* The functions that a thread is in, the outermost first; SER_NO_OBJECT is one of a library. */
typedef SER_VECTOR(uint32_t) calls;

/* One pass over the events. */
typedef struct reading {
    const ser_run *run;
    ser_names *headers;          /* "stl_tree.h" */
    SER_VECTOR(calls) by_thread; /* the calls that it is in */
    SER_VECTOR(uint32_t) made;   /* by function: how many objects it has made so far */
} reading;

/* "stl_tree.h" of "/usr/include/c++/12/bits/stl_tree.h:2461" */
static const char *file_of(const char *location, size_t *length)
{
    const char *slash = strrchr(location, '/');
    const char *file = slash ? slash + 1 : location;
    *length = strcspn(file, ":");
    return file;
}

static void find_headers(reading *of)
{
    const ser_symbols *symbols = of->run->symbols;
    for (uint32_t i = 0; i < ser_symbols_site_count(symbols); i++) {
        const char *location = ser_symbols_location(symbols, i);
        size_t length;
        const char *file = file_of(location, &length);
        if (ser_is_library_place(location))
            ser_names_add(of->headers, file, length);
    }
}

/* "stl_tree.h:2461 (1st)" of a variable's name, if that is a place in a header of the system; NULL:
 * it is not. */
static const char *library_place(const reading *of, uint32_t variable)
{
    static const char allocated[] = "allocated at ";
    const char *name = ser_symbols_name(of->run->symbols, SER_SPACE_VARIABLE, variable);
    const char *found = strstr(name, allocated);
    if (!found)
        return NULL;
    found += sizeof allocated - 1;
    size_t length;
    const char *file = file_of(found, &length);
    return ser_names_find(of->headers, file, length) == SER_NO_NAME ? NULL : found;
}

static void follow_call(reading *of, const ser_event *event)
{
    calls *stack = ser_vector_slot(&of->by_thread, event->thread);
    const char *location = ser_symbols_location(of->run->symbols, event->site);
    bool is_own = *location && !ser_is_library_place(location);
    if (ser_op_calls((ser_op)event->op))
        ser_vector_push(stack, is_own ? event->object : SER_NO_OBJECT);
    else if (stack->count > 0)
        stack->count--;
}

/* The innermost function of the program's own that the thread is in. */
static uint32_t own_function(reading *of, uint32_t thread)
{
    const calls *stack = ser_vector_slot(&of->by_thread, thread);
    size_t depth = stack->count;
    while (depth > 0 && stack->items[depth - 1] == SER_NO_OBJECT)
        depth--;
    return depth ? stack->items[depth - 1] : SER_NO_OBJECT;
}

/* "Shop::add() (1st)" */
static char *name_by_function(reading *of, uint32_t function)
{
    uint32_t number = ++*ser_vector_slot(&of->made, function);
    char *brief =
        ser_short_function(ser_symbols_name(of->run->symbols, SER_SPACE_FUNCTION, function));
    char *text = NULL;
    if (asprintf(&text, "%s() (%" PRIu32 "%s)", brief, number, ser_ordinal_ending(number)) < 0)
        ser_out_of_memory(0);
    free(brief);
    return text;
}

/* The first access of a variable: of its object, too, unless another variable's came before. */
static void note_first(ser_library_objects *objects, reading *of, const ser_event *event)
{
    const char *place = library_place(of, event->object);
    if (!place)
        return;
    uint32_t number = ser_names_add(objects->places, place, strlen(place));
    if (number < objects->callers.count)
        return;
    uint32_t function = own_function(of, event->thread);
    ser_vector_push(&objects->callers,
                    function == SER_NO_OBJECT ? NULL : name_by_function(of, function));
}

void ser_library_objects_find(ser_library_objects *objects, const ser_run *run)
{
    reading of = {.run = run, .headers = ser_names_create()};
    objects->places = ser_names_create();
    find_headers(&of);
    bool *seen = ser_alloc(ser_symbols_count(run->symbols, SER_SPACE_VARIABLE) + 1, sizeof *seen);
    for (uint32_t i = 1; i <= run->count && ser_names_count(of.headers) > 0; i++) {
        const ser_event *event = &run->events[i];
        ser_space space = ser_op_space((ser_op)event->op);
        if (space == SER_SPACE_FUNCTION)
            follow_call(&of, event);
        if (space != SER_SPACE_VARIABLE || event->object == SER_NO_OBJECT || seen[event->object])
            continue;
        seen[event->object] = true;
        note_first(objects, &of, event);
    }
    free(seen);
    for (size_t i = 0; i < of.by_thread.count; i++)
        ser_vector_free(&of.by_thread.items[i]);
    ser_vector_free(&of.by_thread);
    ser_vector_free(&of.made);
    ser_names_destroy(of.headers);
}

void ser_library_objects_fini(ser_library_objects *objects)
{
    ser_names_destroy(objects->places);
    for (size_t i = 0; i < objects->callers.count; i++)
        free(objects->callers.items[i]);
    ser_vector_free(&objects->callers);
}

const char *ser_library_objects_caller(const ser_library_objects *objects, const char *place,
                                       size_t length)
{
    uint32_t number = ser_names_find(objects->places, place, length);
    return number == SER_NO_NAME ? NULL : objects->callers.items[number];
}
