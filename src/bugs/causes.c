/* SPDX-License-Identifier: MIT */
#include "bugs/causes.h"

/* Are all variables of the one used in the other, too? */
static bool uses_all_of(const ser_bug *bug, const ser_bug *other)
{
    for (size_t i = 0; i < other->variables.count; i++) {
        size_t same = 0;
        while (same < bug->variables.count &&
               strcmp(bug->variables.items[same], other->variables.items[i]) != 0)
            same++;
        if (same == bug->variables.count)
            return false;
    }
    return other->variables.count > 0;
}

bool ser_bugs_have_one_cause(const ser_bug *bug, const ser_bug *other)
{
    return bug->intention == other->intention && bug->intention != SER_INTENTION_MARKED &&
           ser_bug_memory_error(bug) == ser_bug_memory_error(other) &&
           ser_bug_is_refuted(bug) == ser_bug_is_refuted(other) &&
           (uses_all_of(bug, other) || uses_all_of(other, bug));
}

void ser_bugs_fold_causes(ser_bugs *bugs)
{
    size_t kept = 0;
    for (size_t i = 0; i < bugs->list.count; i++) {
        ser_bug *bug = &bugs->list.items[i];
        size_t same = 0;
        while (same < kept && !ser_bugs_have_one_cause(&bugs->list.items[same], bug))
            same++;
        if (same < kept)
            ser_vector_push(&bugs->list.items[same].others, *bug);
        else
            bugs->list.items[kept++] = *bug;
    }
    bugs->list.count = kept;
}

/* All assignments to a variable in one function count as one place. */
static bool is_same_code(const ser_bug *bug, const ser_bug *other)
{
    return strcmp(bug->function, other->function) == 0 &&
           (bug->intention == SER_INTENTION_COMPOUND ||
            strcmp(bug->location, other->location) == 0);
}

size_t ser_bug_places(const ser_bug *bug)
{
    size_t places = 1;
    for (size_t i = 0; i < bug->others.count; i++) {
        const ser_bug *other = &bug->others.items[i];
        bool is_new = !is_same_code(bug, other);
        for (size_t j = 0; is_new && j < i; j++)
            is_new = !is_same_code(&bug->others.items[j], other);
        places += is_new;
    }
    return places;
}
