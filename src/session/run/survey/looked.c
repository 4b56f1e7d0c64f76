/* SPDX-License-Identifier: MIT */
#include "session/run/survey/looked.h"

#include "session/run/survey/uses.h"

enum { NAMED_FUNCTIONS = 6 };

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
    ser_uses uses = {0};
    bool *conflicting = ser_alloc(run->blocks.count + 1, sizeof *conflicting);
    ser_uses_find(&uses, run);
    for (uint32_t i = 1; i <= run->count; i++)
        if (run->block_of[i] && ser_uses_conflict(&uses, &run->events[i]))
            conflicting[run->block_of[i]] = true;
    for (size_t i = 0; i < run->blocks.count; i++) {
        looked->kinds[run->blocks.items[i].kind]++;
        looked->conflicting += conflicting[i + 1];
    }
    add_functions(run, looked);
    free(conflicting);
    ser_vector_free(&uses);
}
