/* SPDX-License-Identifier: MIT */
#include "session/run/survey/looked.h"

/* Threads that do something to a variable: nobody, one (its number + ONE), or several. */
enum { NOBODY = 0, SEVERAL = 1, ONE = 2 };

typedef struct variable_use {
    uint64_t users, writers;
} variable_use;

typedef SER_VECTOR(variable_use) variable_uses;

enum { NAMED_FUNCTIONS = 6 };

static void add_thread(uint64_t *threads, uint32_t thread)
{
    uint64_t self = (uint64_t)thread + ONE;
    if (*threads == NOBODY)
        *threads = self;
    else if (*threads != self)
        *threads = SEVERAL;
}

static bool has_other(uint64_t threads, uint32_t thread)
{
    return threads != NOBODY && threads != (uint64_t)thread + ONE;
}

static void find_uses(const ser_run *run, variable_uses *uses)
{
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (!ser_op_is_access((ser_op)event->op))
            continue;
        variable_use *use = ser_vector_slot(uses, event->object);
        add_thread(&use->users, event->thread);
        if (ser_op_writes((ser_op)event->op))
            add_thread(&use->writers, event->thread);
    }
}

static bool conflicts(const variable_uses *uses, const ser_event *event)
{
    if (!ser_op_is_access((ser_op)event->op))
        return false;
    const variable_use *use = &uses->items[event->object];
    return has_other(ser_op_writes((ser_op)event->op) ? use->users : use->writers, event->thread);
}

static void add_function(ser_looked *looked, const char *name)
{
    for (size_t i = 0; i < looked->functions.count; i++)
        if (strcmp(looked->functions.items[i], name) == 0)
            return;
    if (looked->functions.count < NAMED_FUNCTIONS)
        ser_vector_push(&looked->functions, ser_copy_text(name, strlen(name)));
    else
        looked->more_functions++;
}

/* Each function once; the first event of a block need not be its call. */
static void add_functions(const ser_run *run, ser_looked *looked)
{
    SER_VECTOR(bool) seen = {0};
    for (size_t i = 0; i < run->blocks.count; i++) {
        const ser_event *first = &run->events[run->blocks.items[i].begin];
        if (run->blocks.items[i].kind != SER_BLOCK_CALL || !ser_op_calls((ser_op)first->op) ||
            *ser_vector_slot(&seen, first->object))
            continue;
        *ser_vector_slot(&seen, first->object) = true;
        add_function(looked,
                     ser_symbols_shown_name(run->symbols, SER_SPACE_FUNCTION, first->object));
    }
    ser_vector_free(&seen);
}

void ser_look_at_blocks(const ser_run *run, ser_looked *looked)
{
    variable_uses uses = {0};
    bool *conflicting = ser_alloc(run->blocks.count + 1, sizeof *conflicting);
    find_uses(run, &uses);
    for (uint32_t i = 1; i <= run->count; i++)
        if (run->block_of[i] && conflicts(&uses, &run->events[i]))
            conflicting[run->block_of[i]] = true;
    for (size_t i = 0; i < run->blocks.count; i++) {
        looked->kinds[run->blocks.items[i].kind]++;
        looked->conflicting += conflicting[i + 1];
    }
    add_functions(run, looked);
    free(conflicting);
    ser_vector_free(&uses);
}
