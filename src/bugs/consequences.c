/* SPDX-License-Identifier: MIT */
/*
 * Which violation leads to which failure. It is taken for the cause if the program was forced into
 * it and failed in the same way, if the failing run itself has it, and no other one, or as much of
 * it as a run can have that ends there (endings.h), or if both use memory that is freed at one
 * place. A signal that ends only runs in which memory was used, or freed, after it was freed is
 * taken for what came of that. Both were seen in the program; that nothing else leads to the same
 * failure is not known, so the failure stays what it is, with its id and its replay, and is only
 * reported with its cause. So is one whose last step looks at the data of a violation: they are one
 * matter, even if it is not known whether the one leads to the other.
 */
#include <string.h>

#include "bugs/failures.h"
#include "bugs/follows.h"

/* Did the replay end as the failing run did? */
static bool ends_in(const ser_ending *ending, const ser_failure *failure)
{
    if (!ending->differs)
        return false;
    if (failure->kind == SER_FAILURE_DEADLOCK)
        return ending->deadlock;
    if (failure->kind == SER_FAILURE_SIGNAL)
        return ending->signal == failure->code;
    return failure->kind == SER_FAILURE_EXIT && !ending->deadlock && !ending->signal &&
           ending->status == failure->code;
}

/* Is it a use of what is freed there, too? */
static bool is_same_memory(const ser_bug *bug, const ser_failure *failure)
{
    if (!failure->freed_at || !*failure->freed_at || !ser_bug_memory_error(bug))
        return false;
    for (size_t i = 0; i < bug->accesses.count; i++)
        if (bug->accesses.items[i].frees &&
            strcmp(bug->accesses.items[i].location, failure->freed_at) == 0)
            return true;
    return false;
}

/* Are the place that frees and the place that uses it two of its steps, of different threads? Which
 * of them came first is chance. */
static bool has_both_places(const ser_bug *bug, const ser_failure *failure)
{
    const char *freeing = NULL, *using = NULL;
    for (size_t i = 0; failure->freed_at && i < bug->accesses.count; i++) {
        const ser_bug_access *access = &bug->accesses.items[i];
        if (access->frees && strcmp(access->location, failure->freed_at) == 0)
            freeing = access->thread;
        else if (strcmp(access->location, failure->location) == 0)
            using = access->thread;
    }
    return freeing && using && strcmp(freeing, using) != 0;
}

static bool leads_to(const ser_bug *bug, const ser_failure *failure)
{
    bool is_in_failing_run = bug->was_observed && ser_failure_is_in(failure, bug->trace);
    return bug->status >= SER_BUG_OBSERVED &&
           (is_in_failing_run || is_same_memory(bug, failure) || has_both_places(bug, failure) ||
            (bug->status == SER_BUG_CONFIRMED && ends_in(&bug->ending, failure)));
}

/* What the first run does by itself is no consequence of a schedule. */
static bool can_have_cause(const ser_failure *failure)
{
    return failure->seen != 0 || failure->schedule;
}

/* The entry with that bug, or with one of that cause. */
static const ser_bug *find_by_key(const ser_bugs *bugs, const char *key)
{
    for (size_t i = 0; key && i < bugs->list.count; i++)
        if (ser_bug_has_key(&bugs->list.items[i], key))
            return &bugs->list.items[i];
    return NULL;
}

static bool is_memory_error(const ser_failure *failure)
{
    return failure->kind == SER_FAILURE_USE_AFTER_FREE || failure->kind == SER_FAILURE_DOUBLE_FREE;
}

/* Does every run that the signal ends have the memory error? One that has not ends for another
 * reason, unless that is at the place that uses the memory: there it may meet a null pointer, too.
 */
static bool comes_only_with(const ser_failure *failure, const ser_failure *error)
{
    bool is_at_use = failure->kind == SER_FAILURE_SIGNAL && *failure->location &&
                     strcmp(failure->location, error->location) == 0;
    if (is_at_use)
        return true;
    for (size_t i = 0; i < failure->traces.count; i++)
        if (!ser_failure_is_in(error, failure->traces.items[i]))
            return false;
    return failure->kind == SER_FAILURE_SIGNAL && failure->traces.count > 0;
}

/* Is it the same memory, or memory from the same place, that the same place frees? Or does one
 * function free both, as parts of a whole? */
static bool is_same_error(const ser_failure *failure, const ser_failure *other)
{
    if (!is_memory_error(failure) || !is_memory_error(other) || !*failure->freed_at)
        return false;
    if (strcmp(failure->freed_at, other->freed_at) == 0)
        return *failure->allocated_at && strcmp(failure->allocated_at, other->allocated_at) == 0;
    return *failure->freed_by && strcmp(failure->freed_by, other->freed_by) == 0;
}

/* Of several uses of memory that is freed too early, the first is reported, or what leads to one.
 */
static void unite_memory_errors(const ser_failures *failures, ser_failure *failure)
{
    const ser_failure *first = NULL;
    for (size_t i = 0; !*failure->cause && i < failures->count; i++) {
        const ser_failure *other = &failures->items[i];
        if (other == failure || !is_same_error(failure, other))
            continue;
        if (*other->cause)
            memcpy(failure->cause, other->cause, sizeof failure->cause);
        first = first || other > failure ? first : other;
    }
    if (first && !*failure->cause)
        memcpy(failure->cause, first->id, sizeof failure->cause);
}

/* To be called when memory errors have their causes: what one leads to has the same. */
static void find_memory_error(const ser_failures *failures, ser_failure *failure)
{
    for (size_t i = 0; !*failure->cause && i < failures->count; i++) {
        const ser_failure *error = &failures->items[i];
        if (is_memory_error(error) && comes_only_with(failure, error))
            memcpy(failure->cause, *error->cause ? error->cause : error->id, sizeof failure->cause);
    }
}

void ser_failures_find_causes(ser_failures *failures, const ser_bugs *bugs)
{
    for (size_t i = 0; i < failures->count; i++) {
        ser_failure *failure = &failures->items[i];
        const ser_bug *cause = NULL;
        for (size_t j = 0; can_have_cause(failure) && !cause && j < bugs->list.count; j++)
            if (leads_to(&bugs->list.items[j], failure))
                cause = &bugs->list.items[j];
        failure->is_beside &= !cause;
        if (!cause)
            cause = find_by_key(bugs, failure->cause_key);
        if (cause)
            memcpy(failure->cause, cause->id, sizeof failure->cause);
    }
    for (size_t i = 0; i < failures->count; i++)
        unite_memory_errors(failures, &failures->items[i]);
    for (size_t i = 0; i < failures->count; i++)
        find_memory_error(failures, &failures->items[i]);
}
