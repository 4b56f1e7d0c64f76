/* SPDX-License-Identifier: MIT */
#include "session/run/judge/origin.h"

#include <string.h>

#include "bugs/naming.h"
#include "replay/violated.h"

/* The blocks of the run that are the code of the bug. */
static void find_blocks(const ser_bug *bug, const ser_run *run, ser_block_list *blocks)
{
    for (uint32_t i = 0; i < run->blocks.count; i++) {
        const ser_event *naming = &run->events[ser_run_naming_event(run, i)];
        if (ser_intention_of((ser_block_kind)run->blocks.items[i].kind) == bug->intention &&
            strcmp(ser_symbols_shown_location(run->symbols, naming->site), bug->location) == 0 &&
            strcmp(ser_bug_function(run->symbols, naming), bug->function) == 0)
            ser_vector_push(blocks, i);
    }
}

/* Was it complete before an event? Of its variables, so that it is this bug. */
typedef struct before {
    const ser_bug *bug;
    uint32_t event;
} before;

static bool has_variable(const ser_bug *bug, const ser_run *run, uint32_t event)
{
    const ser_event *access = &run->events[event];
    if (!ser_op_is_access((ser_op)access->op))
        return false;
    char *kind = ser_bug_kind_of_variable(
        ser_symbols_shown_name(run->symbols, SER_SPACE_VARIABLE, access->object));
    bool found = false;
    for (size_t i = 0; i < bug->variables.count && !found; i++)
        found = strcmp(bug->variables.items[i], kind) == 0;
    free(kind);
    return found;
}

static bool is_complete_before(void *context, const ser_run *run, uint32_t begin,
                               const ser_witness_facts *facts)
{
    const before *wanted = context;
    size_t count = facts->path.count;
    (void)begin;
    return count && facts->path.items[count - 1] < wanted->event &&
           has_variable(wanted->bug, run, facts->path.items[0]);
}

static bool is_shown_before(const ser_bug *bug, const ser_run *run, uint32_t event)
{
    ser_block_list blocks = {0};
    ser_witness_facts facts = {0};
    uint32_t begin;
    before wanted = {bug, event};
    const ser_violation_filter filter = {is_complete_before, &wanted};
    find_blocks(bug, run, &blocks);
    bool found = ser_find_violated(run, &blocks, &filter, &begin, &facts);
    ser_witness_facts_fini(&facts);
    ser_vector_free(&blocks);
    return found;
}

/* One with the same data is another side of it, which causes.h knows about. */
static bool have_common_variable(const ser_bug *bug, const ser_bug *other)
{
    for (size_t i = 0; i < bug->variables.count; i++)
        for (size_t j = 0; j < other->variables.count; j++)
            if (strcmp(bug->variables.items[i], other->variables.items[j]) == 0)
                return true;
    return false;
}

void ser_bug_find_origin(ser_bug *bug, const ser_bugs *bugs, const ser_run *replay, uint32_t shown)
{
    if (bug->was_observed || bug->follows)
        return;
    for (size_t i = 0; i < bugs->list.count && !bug->follows; i++) {
        const ser_bug *other = &bugs->list.items[i];
        bool is_cause = other != bug && !other->was_observed && other->follows == NULL &&
                        !ser_bug_is_refuted(other) && !have_common_variable(bug, other) &&
                        is_shown_before(other, replay, shown);
        if (is_cause)
            bug->follows = ser_copy_text(other->key, strlen(other->key));
    }
}

bool ser_bug_is_in(const ser_bug *bug, const ser_run *run)
{
    return is_shown_before(bug, run, run->count + 1);
}
