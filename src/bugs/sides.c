/* SPDX-License-Identifier: MIT */
#include "bugs/sides.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "bugs/follows.h"

static bool have_one_place(const ser_bug *bug, const ser_bug *other)
{
    return strcmp(bug->label, other->label) == 0 && strcmp(bug->function, other->function) == 0 &&
           strcmp(bug->location, other->location) == 0;
}

bool ser_bugs_have_one_block(const ser_bug *bug, const ser_bug *other)
{
    return bug->intention == other->intention && have_one_place(bug, other);
}

static bool has_variable(const ser_bug *bug, const char *name)
{
    for (size_t i = 0; i < bug->variables.count; i++)
        if (strcmp(bug->variables.items[i], name) == 0)
            return true;
    return false;
}

bool ser_bugs_have_common_variable(const ser_bug *bug, const ser_bug *other)
{
    for (size_t i = 0; i < bug->variables.count; i++)
        if (has_variable(other, bug->variables.items[i]))
            return true;
    return false;
}

/* What the program did is known of those only that it was forced into. */
static bool have_one_consequence(const ser_bug *bug, const ser_bug *other)
{
    return bug->consequence && other->consequence &&
           strcmp(bug->consequence, other->consequence) == 0;
}

static unsigned long line_of(const ser_bug_access *access)
{
    const char *colon = strchr(access->location, ':');
    if (access->line)
        return access->line;
    return colon ? strtoul(colon + 1, NULL, 10) : 0;
}

/* The lines of the block's first and last access; false: not known. */
static bool find_span(const ser_bug *bug, unsigned long *first, unsigned long *last)
{
    *first = ULONG_MAX;
    *last = 0;
    for (size_t i = 0; i < bug->accesses.count; i++) {
        const ser_bug_access *access = &bug->accesses.items[i];
        unsigned long line = access->in_block ? line_of(access) : 0;
        if (!line)
            continue;
        *first = line < *first ? line : *first;
        *last = line > *last ? line : *last;
    }
    return *last > 0;
}

/* One lock from the first to the last of these lines would fix both. */
static bool have_common_lines(const ser_bug *bug, const ser_bug *other)
{
    unsigned long from, to, other_from, other_to;
    return find_span(bug, &from, &to) && find_span(other, &other_from, &other_to) &&
           from <= other_to && other_from <= to;
}

/* A round of a loop is part of what its function does. */
static bool is_round_of(const ser_bug *bug, const ser_bug *other)
{
    return bug->intention == SER_INTENTION_ROUND && other->intention == SER_INTENTION_FUNCTION &&
           strcmp(bug->function, other->function) == 0 && ser_bugs_have_common_variable(bug, other);
}

static bool comes_between(const ser_bug *bug, const ser_bug *in)
{
    for (size_t i = 0; i < in->accesses.count; i++)
        if (!in->accesses.items[i].in_block && *bug->function &&
            strcmp(in->accesses.items[i].function, bug->function) == 0)
            return true;
    return false;
}

/* How many accesses of the one are at places where the other accesses the same? */
static size_t count_common_places(const ser_bug *bug, const ser_bug *other)
{
    size_t count = 0;
    for (size_t i = 0; i < bug->accesses.count; i++) {
        const ser_bug_access *access = &bug->accesses.items[i];
        bool is_common = false;
        for (size_t j = 0; j < other->accesses.count && !is_common; j++)
            is_common = *access->location &&
                        strcmp(access->location, other->accesses.items[j].location) == 0 &&
                        strcmp(access->variable, other->accesses.items[j].variable) == 0;
        count += is_common;
    }
    return count;
}

static bool have_same_variables(const ser_bug *bug, const ser_bug *other)
{
    for (size_t i = 0; i < bug->variables.count; i++)
        if (!has_variable(other, bug->variables.items[i]))
            return false;
    return bug->variables.count == other->variables.count;
}

/* What was forced into the one and into the other ended the program in the same way. */
static bool fail_alike(const ser_bug *bug, const ser_bug *other)
{
    return bug->ending.differs && other->ending.differs &&
           bug->ending.deadlock == other->ending.deadlock &&
           bug->ending.signal == other->ending.signal && bug->ending.status == other->ending.status;
}

/* Does the one come between what the other does, and the other way round, in the same data, by
 * the same two accesses or until the program fails? Then both lack the same lock. One of them was
 * seen. */
static bool interrupt_each_other(const ser_bug *bug, const ser_bug *other)
{
    return (bug->status >= SER_BUG_OBSERVED || other->status >= SER_BUG_OBSERVED) &&
           comes_between(bug, other) && comes_between(other, bug) &&
           (have_same_variables(bug, other) || count_common_places(bug, other) > 1 ||
            fail_alike(bug, other));
}

/* Is the other one a critical section into which this assignment comes without its lock? The same
 * lock makes both atomic. */
static bool lacks_lock_of(const ser_bug *bug, const ser_bug *other)
{
    if (bug->intention != SER_INTENTION_COMPOUND || other->intention != SER_INTENTION_LOCKED ||
        bug->status < SER_BUG_OBSERVED || other->status < SER_BUG_OBSERVED ||
        !have_same_variables(bug, other))
        return false;
    for (size_t i = 0; i < other->accesses.count; i++) {
        const ser_bug_access *between = &other->accesses.items[i];
        if (!between->in_block && strcmp(between->location, bug->location) != 0)
            return false;
    }
    return true;
}

/* A function that nobody has named. */
static bool is_guess(const ser_bug *bug)
{
    return bug->status >= SER_BUG_OBSERVED && !bug->is_named &&
           bug->intention != SER_INTENTION_MARKED && bug->intention != SER_INTENTION_LOCKED;
}

static const char *where_freed(const ser_bug *bug)
{
    for (size_t i = 0; ser_bug_memory_error(bug) && i < bug->accesses.count; i++)
        if (bug->accesses.items[i].frees)
            return bug->accesses.items[i].location;
    return "";
}

/* Uses of memory that is freed at one place: there is what has to be changed. */
static bool is_freed_too_early(const ser_bug *bug, const ser_bug *other)
{
    return is_guess(bug) && is_guess(other) && *where_freed(bug) &&
           strcmp(where_freed(bug), where_freed(other)) == 0;
}

static bool does_harm(const ser_bug *bug)
{
    return bug->was_felt || bug->ending.differs || ser_bug_memory_error(bug);
}

/* Nobody has said that either is atomic, and both use the same data. If one of them does harm, the
 * other is told with it; if none does, and the one comes between what the other does, they lack the
 * same lock. */
static bool is_about_same_data(const ser_bug *bug, const ser_bug *other)
{
    bool harm = does_harm(bug), other_harm = does_harm(other);
    return is_guess(bug) && is_guess(other) && !(harm && other_harm) &&
           (harm || other_harm || comes_between(bug, other) || comes_between(other, bug)) &&
           ser_bugs_have_common_variable(bug, other);
}

/* Is the same to be changed, or one lock to be held for longer in one function? */
static bool have_one_remedy(const ser_bug *bug, const ser_bug *other)
{
    if (bug->lock && other->lock && strcmp(bug->lock, other->lock) == 0 &&
        ser_bugs_have_one_block(bug, other))
        return true;
    if (bug->check && other->check)
        return ser_bugs_have_one_block(bug, other) && strcmp(bug->check, other->check) == 0 &&
               strcmp(bug->act, other->act) == 0;
    return !bug->check && !other->check && bug->advice && other->advice &&
           strcmp(bug->advice, other->advice) == 0;
}

static bool is_side_of(const ser_bug *bug, const ser_bug *other)
{
    if (bug->status < SER_BUG_OBSERVED || other->status < SER_BUG_OBSERVED || !*bug->location)
        return false;
    if (have_one_remedy(bug, other) || is_round_of(bug, other) || is_round_of(other, bug))
        return true;
    return ser_bugs_have_one_block(bug, other)
               ? ser_bugs_have_common_variable(bug, other) || have_one_consequence(bug, other) ||
                     have_common_lines(bug, other)
               : have_one_place(bug, other) && have_one_consequence(bug, other);
}

/* Does the block read something that another thread writes before the block ends? */
static bool has_overwritten_read(const ser_bug *bug)
{
    for (size_t i = 0; i < bug->accesses.count; i++) {
        const ser_bug_access *read = &bug->accesses.items[i];
        if (!read->in_block || strcmp(read->operation, "reads") != 0)
            continue;
        for (size_t j = i + 1; j < bug->accesses.count; j++)
            if (!bug->accesses.items[j].in_block &&
                strcmp(bug->accesses.items[j].operation, "writes") == 0 &&
                strcmp(bug->accesses.items[j].variable, read->variable) == 0)
                return true;
    }
    return false;
}

/* Of two that are equally sure. */
static bool is_clearer(const ser_bug *bug, const ser_bug *other)
{
    if (bug->status != other->status || bug->was_felt != other->was_felt ||
        bug->is_careful != other->is_careful ||
        ser_bug_memory_error(bug) != ser_bug_memory_error(other))
        return false;
    if (bug->variables.count != other->variables.count)
        return bug->variables.count < other->variables.count;
    return has_overwritten_read(bug) && !has_overwritten_read(other);
}

/* Is it one of the two functions of a check and an act, which is not even atomic by itself? Then
 * that is to be fixed first. */
static bool is_half_of(const ser_bug *bug, const ser_bug *whole)
{
    return whole->check && bug->intention == SER_INTENTION_FUNCTION &&
           bug->status >= SER_BUG_OBSERVED && whole->status >= SER_BUG_OBSERVED &&
           (strcmp(bug->function, whole->check) == 0 || strcmp(bug->function, whole->act) == 0) &&
           ser_bugs_have_common_variable(bug, whole);
}

static void tell_clearest(ser_bug *entry, ser_bug *bug)
{
    if (is_half_of(bug, entry) || (!is_half_of(entry, bug) && is_clearer(bug, entry))) {
        ser_bug former = *entry;
        *entry = *bug;
        *bug = former;
    }
    ser_bug_tell_with(entry, bug);
}

/* Is it a side of something that is reported with the entry? */
static bool is_side_of_others(const ser_bug *bug, const ser_bug *entry)
{
    for (size_t i = 0; i < entry->others.count; i++)
        if (is_side_of(bug, &entry->others.items[i]))
            return true;
    return false;
}

static bool belong_together(const ser_bug *bug, const ser_bug *other)
{
    return is_side_of(bug, other) || is_side_of_others(bug, other) ||
           is_side_of_others(other, bug) || interrupt_each_other(bug, other) ||
           lacks_lock_of(bug, other) || lacks_lock_of(other, bug) ||
           is_about_same_data(bug, other) || is_freed_too_early(bug, other) ||
           is_half_of(bug, other) || is_half_of(other, bug);
}

static void fold_once(ser_bugs *bugs)
{
    size_t kept = 0;
    for (size_t i = 0; i < bugs->list.count; i++) {
        ser_bug *bug = &bugs->list.items[i];
        size_t same = 0;
        while (same < kept && !belong_together(bug, &bugs->list.items[same]))
            same++;
        if (same < kept)
            tell_clearest(&bugs->list.items[same], bug);
        else
            bugs->list.items[kept++] = *bug;
    }
    bugs->list.count = kept;
}

/* An entry that another one has taken the place of may belong together with more. */
void ser_bugs_fold_sides(ser_bugs *bugs)
{
    size_t before;
    do {
        before = bugs->list.count;
        fold_once(bugs);
    } while (bugs->list.count < before);
}
