/* SPDX-License-Identifier: MIT */
/*
 * A count lies beside what it counts, in the same block of the heap, or in a block of its own. Then
 * what was counted is what the thread frees until it returns from where it dropped the reference.
 */
#include "session/run/survey/owners.h"

#include <string.h>

#include "session/run/survey/references.h"

/* ", allocated at x.cc:12 (1st)", which is the same of all parts of a block; NULL: no heap. */
static const char *block_of(const ser_run *run, uint32_t variable)
{
    return strstr(ser_symbols_name(run->symbols, SER_SPACE_VARIABLE, variable), ", allocated at ");
}

static bool are_beside(const ser_run *run, uint32_t one, uint32_t other)
{
    const char *block = block_of(run, one), *same = block_of(run, other);
    return block && same && strcmp(block, same) == 0;
}

static bool is_access(const ser_event *event)
{
    return ser_op_is_access((ser_op)event->op);
}

static bool drops_last(const ser_event *event, const bool *counts)
{
    return is_access(event) && counts[event->object] && ser_op_writes((ser_op)event->op) &&
           !ser_op_frees((ser_op)event->op) && event->flags & SER_EVENT_HAS_VALUE &&
           event->value == 0;
}

/* The event with which the thread leaves the function in which the event is, or the last one that
 * is looked at: destructors are short, and what drops many references may be long. */
static uint32_t find_end(const ser_run *run, uint32_t event)
{
    enum { LONGEST = 4096 };
    unsigned depth = 0;
    uint32_t last = event;
    int steps = 0;
    for (uint32_t i = ser_run_next(run, event); i && steps < LONGEST;
         last = i, steps++, i = ser_run_next(run, i)) {
        ser_op op = (ser_op)run->events[i].op;
        if (ser_op_calls(op))
            depth++;
        else if (ser_op_returns(op) && depth-- == 0)
            return i;
    }
    return last;
}

/* `freed`: by variable, false before and after. */
static void mark(const ser_run *run, uint32_t drop, bool *freed, bool *owned)
{
    uint32_t end = find_end(run, drop);
    for (uint32_t i = drop; i && i <= end; i = ser_run_next(run, i))
        if (ser_op_frees((ser_op)run->events[i].op))
            freed[run->events[i].object] = true;
    for (uint32_t i = ser_run_next(run, drop); i && i <= end; i = ser_run_next(run, i)) {
        const ser_event *event = &run->events[i];
        owned[i] |= is_access(event) && (freed[event->object] ||
                                         are_beside(run, run->events[drop].object, event->object));
    }
    for (uint32_t i = drop; i && i <= end; i = ser_run_next(run, i))
        if (ser_op_frees((ser_op)run->events[i].op))
            freed[run->events[i].object] = false;
}

bool *ser_last_owners_find(const ser_run *run)
{
    bool *owned = ser_alloc((size_t)run->count + 1, sizeof *owned);
    bool *counts = ser_references_find(run);
    bool *freed =
        ser_alloc((size_t)ser_symbols_count(run->symbols, SER_SPACE_VARIABLE) + 1, sizeof *freed);
    for (uint32_t i = 1; i <= run->count; i++)
        if (drops_last(&run->events[i], counts))
            mark(run, i, freed, owned);
    free(freed);
    free(counts);
    return owned;
}
