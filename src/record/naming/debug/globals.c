/* SPDX-License-Identifier: MIT */
#include "record/naming/debug/globals.h"

#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "record/naming/debug/debug_info.h"
#include "record/naming/debug/demangle.h"

static void add_variable(void *context, const ser_debug_variable *variable)
{
    ser_globals *globals = context;
    const char *name = variable->name, *file = variable->file;
    ser_global added = {variable->start, variable->end, ser_copy_text(name, strlen(name)),
                        file ? ser_copy_text(file, strlen(file)) : NULL};
    ser_vector_push(&globals->list, added);
}

bool ser_globals_add(ser_globals *globals, const char *path, uint64_t base)
{
    ser_debug_info *info = ser_debug_info_open(path, base);
    if (!info)
        return false;
    ser_debug_info_variables(info, add_variable, globals);
    ser_debug_info_close(info);
    return true;
}

/* --- names ---------------------------------------------------------------- */

static void demangle(ser_globals *globals)
{
    for (size_t i = 0; i < globals->list.count; i++) {
        char *name = globals->list.items[i].name;
        globals->list.items[i].name = ser_demangle(name);
        free(name);
    }
}

static void extend_name(ser_global *global, const char *before, const char *more, const char *after)
{
    char *old = global->name;
    size_t length = strlen(old) + strlen(before) + strlen(more) + strlen(after) + 1;
    global->name = ser_alloc(length, 1);
    snprintf(global->name, length, "%s%s%s%s", old, before, more, after);
    free(old);
}

/* The first of a name keeps it; the order is that of addresses. */
static void make_unique(ser_globals *globals)
{
    ser_names *taken = ser_names_create();
    for (size_t i = 0; i < globals->list.count; i++) {
        ser_global *global = &globals->list.items[i];
        uint32_t before = ser_names_count(taken);
        if (ser_names_add(taken, global->name, strlen(global->name)) == before)
            continue;
        if (global->file)
            extend_name(global, " (", global->file, ")");
        if (ser_names_add(taken, global->name, strlen(global->name)) == before)
            continue;
        char number[24];
        snprintf(number, sizeof number, "%zu", i);
        extend_name(global, "~", number, "");
        ser_names_add(taken, global->name, strlen(global->name));
    }
    ser_names_destroy(taken);
}

/* By address; of several names of a place the widest, and then the first by name, is first. */
static int compare_globals(const void *a, const void *b)
{
    const ser_global *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void free_global(ser_global *global)
{
    free(global->name);
    free(global->file);
}

static void drop_aliases(ser_globals *globals)
{
    size_t kept = 0;
    for (size_t i = 0; i < globals->list.count; i++) {
        ser_global *global = &globals->list.items[i];
        if (kept > 0 && global->start < globals->list.items[kept - 1].end)
            free_global(global);
        else
            globals->list.items[kept++] = *global;
    }
    globals->list.count = kept;
}

void ser_globals_ready(ser_globals *globals)
{
    if (globals->list.count == 0)
        return;
    qsort(globals->list.items, globals->list.count, sizeof *globals->list.items, compare_globals);
    drop_aliases(globals);
    demangle(globals);
    make_unique(globals);
}

void ser_globals_fini(ser_globals *globals)
{
    for (size_t i = 0; i < globals->list.count; i++)
        free_global(&globals->list.items[i]);
    ser_vector_free(&globals->list);
}

const ser_global *ser_globals_find(const ser_globals *globals, uint64_t address)
{
    size_t low = 0, high = globals->list.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (globals->list.items[middle].end > address)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == globals->list.count || globals->list.items[low].start > address)
        return NULL;
    return &globals->list.items[low];
}
