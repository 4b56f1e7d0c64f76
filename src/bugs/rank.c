/* SPDX-License-Identifier: MIT */
#include "bugs/bugs.h"
#include "bugs/causes.h"
#include "bugs/follows.h"
#include "bugs/naming.h"
#include "bugs/sides.h"

const char *ser_bug_status_name(ser_bug_status status)
{
    static const char *const names[] = {"predicted", "not confirmed", "observed", "confirmed"};
    return names[status];
}

const char *ser_intention_name(ser_intention intention)
{
    static const char *const names[] = {"markers", "locks",  "functions", "compounds",
                                        "rounds",  "checks", "threads"};
    return names[intention];
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* How sure it is that the block is meant to be atomic; the most certain are first. */
static uint64_t doubt_of(const ser_bug *bug)
{
    static const uint8_t doubts[] = {
        [SER_INTENTION_MARKED] = 0, [SER_INTENTION_COMPOUND] = 1, [SER_INTENTION_CHECKED] = 2,
        [SER_INTENTION_LOCKED] = 2, [SER_INTENTION_FUNCTION] = 3, [SER_INTENTION_ROUND] = 4,
        [SER_INTENTION_WHOLE] = 5};
    return doubts[bug->intention];
}

void ser_bugs_split(ser_bugs *bugs, ser_bugs *minor)
{
    size_t kept = 0;
    for (size_t i = 0; i < bugs->list.count; i++) {
        ser_bug *bug = &bugs->list.items[i];
        if (bug->is_minor)
            ser_vector_push(&minor->list, *bug);
        else
            bugs->list.items[kept++] = *bug;
    }
    bugs->list.count = kept;
}

bool ser_bug_is_refuted(const ser_bug *bug)
{
    return bug->status == SER_BUG_NOT_CONFIRMED && bug->reason &&
           strcmp(bug->reason, "refuted") == 0;
}

/* What was seen comes first. */
static uint64_t proof_of(const ser_bug *bug)
{
    if (bug->status >= SER_BUG_OBSERVED)
        return 2;
    return ser_bug_is_refuted(bug) ? 0 : 1;
}

/* Is all of it inside of objects of the standard library, such as counts of references? */
static bool is_of_library(const ser_bug *bug)
{
    for (size_t i = 0; i < bug->variables.count; i++)
        if (!strstr(bug->variables.items[i], " of class std::"))
            return false;
    return bug->variables.count > 0;
}

/* If the program did something else, what was interrupted first is the likelier cause. */
static uint64_t first_felt(const ser_bug *bug)
{
    return bug->is_careful && bug->was_felt ? bug->block : 0;
}

int ser_bug_by_interest(const void *a, const void *b)
{
    const ser_bug *first = a, *second = b;
    int order = compare(proof_of(second), proof_of(first));
    if (!order)
        order = compare(is_of_library(first), is_of_library(second));
    if (!order)
        order = compare(doubt_of(first), doubt_of(second));
    if (!order)
        order = compare(ser_bug_memory_error(second) != NULL, ser_bug_memory_error(first) != NULL);
    if (!order)
        order = compare(second->was_felt, first->was_felt);
    if (!order)
        order = compare(first->is_careful, second->is_careful);
    if (!order)
        order = compare(second->status, first->status);
    if (!order)
        order = compare(first_felt(first), first_felt(second));
    if (!order)
        order = compare(second->blocks, first->blocks);
    if (!order)
        order = strcmp(first->key, second->key);
    return order ? order : strcmp(first->location, second->location);
}

static bool have_same_places(const ser_bug *bug, const ser_bug *other)
{
    if (bug->accesses.count != other->accesses.count)
        return false;
    for (size_t i = 0; i < bug->accesses.count; i++)
        if (strcmp(bug->accesses.items[i].location, other->accesses.items[i].location) != 0)
            return false;
    return true;
}

/* Would fixing the one fix the other? */
static bool is_another_side_of(const ser_bug *bug, const ser_bug *other)
{
    return ser_bugs_have_one_block(bug, other) &&
           (ser_bugs_have_common_variable(bug, other) || have_same_places(bug, other) ||
            is_of_library(bug));
}

/* Something may be known of it by its key. */
static void take_side(ser_bug *bug, ser_bug *side)
{
    bug->blocks += side->blocks;
    ser_vector_push(&bug->sides, ser_copy_text(side->key, strlen(side->key)));
    ser_bug_fini(side);
}

static void merge_sides(ser_bugs *bugs)
{
    size_t kept = 0;
    for (size_t i = 0; i < bugs->list.count; i++) {
        ser_bug *bug = &bugs->list.items[i];
        size_t same = 0;
        while (same < kept && !is_another_side_of(bug, &bugs->list.items[same]))
            same++;
        if (same < kept)
            take_side(&bugs->list.items[same], bug);
        else
            bugs->list.items[kept++] = *bug;
    }
    bugs->list.count = kept;
}

/* Bugs with one key, in several places of one function, follow one another. */
static void number_places(ser_bugs *bugs)
{
    for (size_t i = 0; i < bugs->list.count; i++) {
        ser_bug *bug = &bugs->list.items[i];
        unsigned same = 1;
        for (size_t j = 0; j < i; j++)
            same += strcmp(bugs->list.items[j].key, bug->key) == 0;
        ser_bug_make_id(bug->id, bug->key, same);
    }
}

/* A rule that names an entry by its id matches all of its places that have the same key. */
static void share_ids(ser_bugs *bugs)
{
    for (size_t i = 0; i < bugs->list.count; i++) {
        const ser_bug *bug = &bugs->list.items[i];
        for (size_t j = 0; j < bug->others.count; j++)
            if (strcmp(bug->others.items[j].key, bug->key) == 0)
                memcpy(bug->others.items[j].id, bug->id, sizeof bug->id);
    }
}

/* Until now it was looked for as the block that it was found in. */
static void name_inner(ser_bug *bug)
{
    if (!bug->inner_function)
        return;
    free(bug->function);
    free(bug->location);
    bug->function = bug->inner_function;
    bug->location = bug->inner_location;
    bug->inner_function = bug->inner_location = NULL;
}

void ser_bugs_rank(ser_bugs *bugs)
{
    for (size_t i = 0; i < bugs->list.count; i++)
        name_inner(&bugs->list.items[i]);
    if (bugs->list.count)
        qsort(bugs->list.items, bugs->list.count, sizeof *bugs->list.items, ser_bug_by_interest);
    merge_sides(bugs);
    number_places(bugs);
    ser_bugs_fold_causes(bugs);
    ser_bugs_fold_followers(bugs);
    ser_bugs_fold_sides(bugs);
    share_ids(bugs);
}
