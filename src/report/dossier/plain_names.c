/* SPDX-License-Identifier: MIT */
/*
 * The names of all variables and locks of a run, each different from the others. What one of them
 * is called by itself is in plain_name.c.
 */
#include "report/dossier/plain_names.h"

#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/vector.h"
#include "report/dossier/library_objects.h"
#include "report/dossier/pointers.h"

typedef SER_VECTOR(char *) named; /* NULL: not made yet */

struct ser_plain_names {
    const ser_symbols *symbols;
    ser_pointers pointers;
    ser_library_objects library_objects;
    named variables, locks;
};

/* "Queue{q.cc:18 (1st)}->head" becomes queue->head, "{q.cc:18 (1st)}" *queue, if there is such a
 * variable; "pair{stl_tree.h:2461 (1st)}->second" pair{add() (1st)}->second, if add() asked for it;
 * else the text stays as it is. Takes it over. */
static char *name_object(const ser_plain_names *names, char *text)
{
    const char *open = strchr(text, '{'), *close = open ? strchr(open, '}') : NULL;
    char *made = NULL;
    if (!close)
        return text;
    size_t length = (size_t)(close - open - 1);
    const char *pointer = ser_pointers_name(&names->pointers, names->symbols, open + 1, length);
    const char *caller = ser_library_objects_caller(&names->library_objects, open + 1, length);
    int written = 0;
    if (pointer)
        written = asprintf(&made, "%s%s%s", close[1] ? "" : "*", pointer, close + 1);
    else if (caller)
        written = asprintf(&made, "%.*s{%s%s", (int)(open - text), text, caller, close);
    else
        return text;
    if (written < 0)
        ser_out_of_memory(0);
    free(text);
    return made;
}

static char *make_name(const ser_plain_names *names, ser_space space, uint32_t number, bool exact)
{
    return name_object(names,
                       ser_make_plain_name(ser_symbols_name(names->symbols, space, number), exact));
}

/* Names that two of a kind share are made exact; if they still are the same, both stay as
 * recorded. */
static void settle(ser_plain_names *names, ser_space space, named *all, bool exact)
{
    ser_names *seen = ser_names_create();
    SER_VECTOR(uint32_t) first = {0}; /* by name: who has it, plus 1 */
    for (uint32_t i = 0; i < all->count; i++) {
        const char *text = all->items[i];
        uint32_t *owner = ser_vector_slot(&first, ser_names_add(seen, text, strlen(text)));
        if (!*owner) {
            *owner = i + 1;
            continue;
        }
        const uint32_t both[] = {*owner - 1, i};
        for (int k = 0; k < 2; k++) {
            const char *recorded = ser_symbols_name(names->symbols, space, both[k]);
            free(all->items[both[k]]);
            all->items[both[k]] = exact ? make_name(names, space, both[k], true)
                                        : ser_copy_text(recorded, strlen(recorded));
        }
    }
    ser_vector_free(&first);
    ser_names_destroy(seen);
}

/* All names of a kind, unless there are too many to compare. */
static void make_names(ser_plain_names *names, ser_space space, named *all)
{
    static const uint32_t most_compared = 100000;
    uint32_t count = ser_symbols_count(names->symbols, space);
    if (count > most_compared) {
        ser_vector_extend(all, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        ser_vector_push(all, make_name(names, space, i, false));
    settle(names, space, all, true);
    settle(names, space, all, false);
}

static void free_names(named *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->items[i]);
    ser_vector_free(all);
}

ser_plain_names *ser_plain_names_create(const ser_run *run)
{
    ser_plain_names *names = ser_alloc(1, sizeof *names);
    names->symbols = run->symbols;
    ser_pointers_find(&names->pointers, run);
    ser_library_objects_find(&names->library_objects, run);
    make_names(names, SER_SPACE_VARIABLE, &names->variables);
    make_names(names, SER_SPACE_LOCK, &names->locks);
    return names;
}

void ser_plain_names_destroy(ser_plain_names *names)
{
    if (!names)
        return;
    free_names(&names->variables);
    free_names(&names->locks);
    ser_vector_free(&names->pointers);
    ser_library_objects_fini(&names->library_objects);
    free(names);
}

const char *ser_plain_name(const ser_plain_names *names, ser_space space, uint32_t number)
{
    if (number == SER_NO_OBJECT)
        return "";
    char **name = NULL;
    if (space == SER_SPACE_VARIABLE && number < names->variables.count)
        name = &names->variables.items[number];
    if (space == SER_SPACE_LOCK && number < names->locks.count)
        name = &names->locks.items[number];
    if (!name)
        return ser_symbols_name(names->symbols, space, number);
    if (!*name)
        *name = make_name(names, space, number, true);
    return *name;
}

const char *ser_plain_name_of(const ser_plain_names *names, const char *recorded)
{
    uint32_t count = ser_symbols_count(names->symbols, SER_SPACE_VARIABLE);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(ser_symbols_name(names->symbols, SER_SPACE_VARIABLE, i), recorded) == 0)
            return ser_plain_name(names, SER_SPACE_VARIABLE, i);
    return recorded;
}
