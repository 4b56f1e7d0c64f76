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

/* Was it complete at an event? Of its variables, so that it is this bug. */
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
    return count && facts->path.items[count - 1] <= wanted->event &&
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

/* Whether a thread holds a lock that the program makes itself: it has written one value there, and
 * will write another one. */
typedef struct holder {
    bool holds;
    bool uses_data; /* since then */
    uint64_t value;
} holder;

typedef SER_VECTOR(holder) holders;

static void note_lock(holder *thread, const ser_event *write)
{
    bool gives_back = thread->holds && write->value != thread->value;
    *thread = (holder){.holds = !gives_back, .value = write->value};
}

/* Does another thread, too, hold the lock and use the data? */
static bool uses_at_once(const holders *threads, uint32_t self)
{
    const holder *own = &threads->items[self];
    for (uint32_t i = 0; i < threads->count; i++)
        if (i != self && threads->items[i].holds && threads->items[i].uses_data &&
            threads->items[i].value == own->value)
            return true;
    return false;
}

/* Are only two values written there: taken, and free? */
static bool has_two_values(const ser_run *run, uint32_t variable)
{
    uint64_t values[2];
    size_t count = 0;
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (event->object != variable || !ser_op_is_access((ser_op)event->op) ||
            !ser_op_writes((ser_op)event->op) || (count > 0 && event->value == values[0]) ||
            (count > 1 && event->value == values[1]))
            continue;
        if (count == 2 || !(event->flags & SER_EVENT_HAS_VALUE))
            return false;
        values[count++] = event->value;
    }
    return count == 2;
}

/* The first variable of the bug that the run writes; UINT32_MAX: none. */
static uint32_t find_written(const ser_bug *bug, const ser_run *run)
{
    for (uint32_t i = 1; i <= run->count; i++)
        if (ser_op_writes((ser_op)run->events[i].op) && has_variable(bug, run, i))
            return run->events[i].object;
    return UINT32_MAX;
}

/* Do two threads at once hold a lock that is a variable of the one bug, and use a variable of the
 * other behind it? */
static bool is_held_twice(const ser_bug *lock, const ser_bug *behind, const ser_run *run)
{
    holders threads = {0};
    uint32_t variable = find_written(lock, run), data = find_written(behind, run);
    bool found = false, is_lock = variable != UINT32_MAX && has_two_values(run, variable);
    for (uint32_t i = 1; i <= run->count && is_lock && !found; i++) {
        const ser_event *event = &run->events[i];
        if (!ser_op_is_access((ser_op)event->op))
            continue;
        holder *self = ser_vector_slot(&threads, event->thread);
        if (event->object == variable && ser_op_writes((ser_op)event->op)) {
            note_lock(self, event);
        } else if (event->object == data && self->holds) {
            self->uses_data = true;
            found = uses_at_once(&threads, event->thread);
        }
    }
    ser_vector_free(&threads);
    return found;
}

/* What recorded runs have may be there by chance, unless it is a lock that two threads have got. */
static bool is_needed_for(const ser_bug *other, const ser_bug *bug, const ser_run *replay,
                          uint32_t shown)
{
    return bug->was_observed || other->was_observed ? is_held_twice(other, bug, replay)
                                                    : is_shown_before(other, replay, shown);
}

void ser_bug_find_origin(ser_bug *bug, const ser_bugs *bugs, const ser_run *replay, uint32_t shown)
{
    for (size_t i = 0; i < bugs->list.count && !bug->follows; i++) {
        const ser_bug *other = &bugs->list.items[i];
        bool is_cause =
            other != bug && other->follows == NULL && other->status != SER_BUG_NOT_CONFIRMED &&
            !have_common_variable(bug, other) && is_needed_for(other, bug, replay, shown);
        if (is_cause)
            bug->follows = ser_copy_text(other->key, strlen(other->key));
    }
}

bool ser_bug_is_in(const ser_bug *bug, const ser_run *run)
{
    return is_shown_before(bug, run, run->count + 1);
}
