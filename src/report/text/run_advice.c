/* SPDX-License-Identifier: MIT */
/*
 * What an entry of `run` says to the owner of the program: why the block is taken for atomic, and
 * what to change in the code. The accesses that show the violation tell from where to where a lock
 * is missing, and where else.
 */
#include "report/text/run_advice.h"

#include <stdlib.h>
#include <string.h>

#include "base/output/print.h"
#include "report/short_function.h"
#include "report/source_line.h"

static const char *why_atomic(const ser_bug *bug)
{
    if (bug->intention == SER_INTENTION_MARKED)
        return "It is marked as atomic.";
    if (bug->intention == SER_INTENTION_LOCKED)
        return "A lock is held over it, but not by everyone who uses the data.";
    if (bug->intention == SER_INTENTION_COMPOUND)
        return "It reads a variable and writes it in one statement: use a lock, or an atomic "
               "operation.";
    if (bug->intention == SER_INTENTION_CHECKED)
        return "It reads a variable, lets others in, and then writes it by what it has read: hold "
               "one lock over both.";
    if (bug->intention == SER_INTENTION_ROUND)
        return "It is one round of a thread's loop; perhaps it is not meant to be atomic.";
    if (bug->intention == SER_INTENTION_WHOLE)
        return "It is all that a thread does, in several critical sections, and something else "
               "comes of it if another thread runs between them.";
    if (bug->after_wait)
        return "It is what a function does after a wait; perhaps it is not meant to be atomic.";
    return "It is one function that uses shared data several times; perhaps it is not meant to be "
           "atomic.";
}

/* Of a check and an act: which functions are to be made one critical section. */
static void print_halves(const ser_bug *bug, FILE *file)
{
    char *check = ser_short_function(bug->check), *act = ser_short_function(bug->act);
    ser_print(file, "   It checks in %s() and acts in %s(), and lets others in between:\n", check,
              act);
    ser_print(file, "   hold one lock over both, or check again in %s().\n", act);
    free(check);
    free(act);
}

static const ser_bug_access *first_with(const ser_bug *bug, bool in_block)
{
    for (size_t i = 0; i < bug->accesses.count; i++)
        if (bug->accesses.items[i].in_block == in_block && *bug->accesses.items[i].location)
            return &bug->accesses.items[i];
    return NULL;
}

static const ser_bug_access *last_in_block(const ser_bug *bug)
{
    for (size_t i = bug->accesses.count; i > 0; i--)
        if (bug->accesses.items[i - 1].in_block && *bug->accesses.items[i - 1].location)
            return &bug->accesses.items[i - 1];
    return NULL;
}

static bool are_at_one_place(const ser_bug_access *one, const ser_bug_access *other)
{
    return strcmp(one->location, other->location) == 0;
}

/* "hold one lock from a.c:3 to a.c:7"; a place that is reached twice is in something that is called
 * twice. */
static void print_span(const ser_bug *bug, const ser_bug_access *from, const ser_bug_access *to,
                       FILE *file)
{
    char *function = ser_short_function(bug->function);
    if (!are_at_one_place(from, to))
        ser_print(file, "hold one lock from %s to %s", ser_brief_location(from->location),
                  ser_brief_location(to->location));
    else if (*bug->label)
        ser_print(file, "hold one lock over all of \"%s\"", bug->label);
    else if (*function)
        ser_print(file, "hold one lock over all that %s() does there", function);
    else
        ser_print(file, "hold one lock over all of it");
    free(function);
}

/* Unless both are the same code, where the same lock is what there is. */
static void print_where_else(const ser_bug_access *between, FILE *file)
{
    char *function = ser_short_function(between->function);
    ser_print(file, ",\n   and the same one where %s%s comes between, at %s",
              *function ? function : "another thread", *function ? "()" : "",
              ser_brief_location(between->location));
    free(function);
}

/* A counter that is changed atomically, and then read once more. */
static bool reads_own_update(const ser_bug_access *from, const ser_bug_access *to)
{
    return strcmp(from->operation, "updates") == 0 && strcmp(to->operation, "reads") == 0 &&
           strcmp(from->variable, to->variable) == 0;
}

static void print_change(const ser_bug *bug, FILE *file)
{
    const ser_bug_access *from = first_with(bug, true), *to = last_in_block(bug);
    const ser_bug_access *between = first_with(bug, false);
    if (!from || !between || bug->intention == SER_INTENTION_COMPOUND)
        return;
    ser_print(file, "   What to change: ");
    if (bug->intention == SER_INTENTION_LOCKED)
        ser_print(file, "take the lock that is held there at %s, too",
                  ser_brief_location(between->location));
    else if (reads_own_update(from, to))
        ser_print(file,
                  "use the value that the atomic operation at %s returns,\n"
                  "   rather than what is read later, at %s",
                  ser_brief_location(from->location), ser_brief_location(to->location));
    else {
        print_span(bug, from, to, file);
        if (!are_at_one_place(between, from) && !are_at_one_place(between, to))
            print_where_else(between, file);
    }
    ser_print(file, ".\n");
}

void ser_run_advice_text(const ser_bug *bug, FILE *file)
{
    if (bug->check) {
        print_halves(bug, file);
        return;
    }
    ser_print(file, "   %s\n", why_atomic(bug));
    print_change(bug, file);
}
