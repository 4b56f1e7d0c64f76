/* SPDX-License-Identifier: MIT */
/*
 * Which violation leads to which failure. It is taken for the cause if the program was forced into
 * it and failed in the same way, if the failing run itself has it, and no other one, or if both use
 * memory that is freed at one place. Both were
 * seen in the program; that nothing else leads to the same failure is not known, so the failure
 * stays what it is, with its id and its replay, and is only told with its cause.
 */
#include <string.h>

#include "bugs/failures.h"

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

static bool leads_to(const ser_bug *bug, const ser_failure *failure)
{
    bool is_in_failing_run = bug->was_observed && ser_failure_is_in(failure, bug->trace);
    return bug->status >= SER_BUG_OBSERVED &&
           (is_in_failing_run || is_same_memory(bug, failure) ||
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
    for (size_t i = 0; key && i < bugs->list.count; i++) {
        const ser_bug *bug = &bugs->list.items[i];
        if (strcmp(bug->key, key) == 0)
            return bug;
        for (size_t j = 0; j < bug->others.count; j++)
            if (strcmp(bug->others.items[j].key, key) == 0)
                return bug;
    }
    return NULL;
}

void ser_failures_find_causes(ser_failures *failures, const ser_bugs *bugs)
{
    for (size_t i = 0; i < failures->count; i++) {
        ser_failure *failure = &failures->items[i];
        const ser_bug *cause = NULL;
        for (size_t j = 0; can_have_cause(failure) && !cause && j < bugs->list.count; j++)
            if (leads_to(&bugs->list.items[j], failure))
                cause = &bugs->list.items[j];
        if (!cause)
            cause = find_by_key(bugs, failure->cause_key);
        if (cause)
            memcpy(failure->cause, cause->id, sizeof failure->cause);
    }
}
