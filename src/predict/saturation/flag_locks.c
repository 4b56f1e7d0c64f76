/* SPDX-License-Identifier: MIT */
#include "predict/saturation/flag_locks.h"

enum { MOST_TAKINGS = 64 };

typedef struct taking {
    uint32_t read, write, back; /* steps; back: SER_TASK_NONE if it is not given back */
} taking;

typedef struct flags {
    const ser_task *task;
    const ser_must *must;
    const ser_sections *sections; /* of locks */
    uint32_t *accesses;           /* steps that can happen, by variable, then by thread */
    uint32_t *first_access;       /* by variable: its first place there, and behind the last */
    SER_VECTOR(taking) takings;   /* of the variable at hand */
} flags;

static const ser_task_step *step_at(const flags *at, uint32_t step)
{
    return &at->task->steps.items[step];
}

static bool can_happen(const flags *at, uint32_t step)
{
    uint32_t thread = step_at(at, step)->thread;
    return step - at->task->threads.items[thread].first < at->must->possible[thread];
}

/* A counting sort of all accesses: O(steps). */
static void sort_accesses(flags *at)
{
    uint32_t steps = (uint32_t)at->task->steps.count, variables = at->task->variables;
    at->accesses = ser_alloc((size_t)steps + 1, sizeof *at->accesses);
    at->first_access = ser_alloc((size_t)variables + 2, sizeof *at->first_access);
    uint32_t *next = at->first_access + 1; /* of a variable: it ends as the start of the next one */
    for (uint32_t i = 0; i < steps; i++)
        if (step_at(at, i)->access != SER_ACCESS_NONE && can_happen(at, i))
            next[step_at(at, i)->variable]++;
    uint32_t place = 0;
    for (uint32_t variable = 0; variable <= variables; variable++) {
        uint32_t times = next[variable];
        next[variable] = place;
        place += times;
    }
    for (uint32_t i = 0; i < steps; i++)
        if (step_at(at, i)->access != SER_ACCESS_NONE && can_happen(at, i))
            at->accesses[next[step_at(at, i)->variable]++] = i;
}

/* The takings of all threads; false if one does something else with the variable. */
static bool list_takings(flags *at, uint32_t variable)
{
    uint32_t previous = SER_TASK_NONE;
    taking *open = NULL;
    at->takings.count = 0;
    for (uint32_t k = at->first_access[variable]; k < at->first_access[variable + 1]; k++) {
        uint32_t i = at->accesses[k];
        const ser_task_step *step = step_at(at, i);
        if (previous != SER_TASK_NONE && step_at(at, previous)->thread != step->thread) {
            previous = SER_TASK_NONE;
            open = NULL;
        }
        if (step->access == SER_ACCESS_RMW || at->takings.count > MOST_TAKINGS)
            return false;
        if (step->access == SER_ACCESS_WRITE && open) {
            open->back = i;
            open = NULL;
        } else if (step->access == SER_ACCESS_WRITE) {
            if (previous == SER_TASK_NONE || step_at(at, previous)->access != SER_ACCESS_READ)
                return false;
            ser_vector_push(&at->takings, ((taking){previous, i, SER_TASK_NONE}));
            open = &at->takings.items[at->takings.count - 1];
        }
        previous = i;
    }
    return true;
}

static bool stops_before(const flags *at, const taking *one)
{
    return step_at(at, one->read)->limit <= one->write;
}

static bool accepts_taking(const flags *at, const taking *one)
{
    const ser_task_step *read = step_at(at, one->read);
    for (size_t i = 0; i < at->takings.count; i++) {
        uint32_t write = at->takings.items[i].write;
        if (read->source == write || ser_task_accepts(at->task, read, write))
            return true;
    }
    return false;
}

static bool is_in(const ser_section *section, uint32_t thread, uint32_t first, uint32_t last)
{
    return section->thread == thread && !section->shared &&
           (section->acquire == SER_TASK_START || section->acquire < first) &&
           (section->release == SER_TASK_NONE || section->release > last);
}

static bool is_locked(const flags *at, const taking *one, uint32_t lock)
{
    for (size_t i = 0; i < at->sections->all.count; i++) {
        const ser_section *section = &at->sections->all.items[i];
        if (section->lock == lock &&
            is_in(section, step_at(at, one->read)->thread, one->read, one->write))
            return true;
    }
    return false;
}

static bool are_all_locked(const flags *at, uint32_t lock)
{
    for (size_t i = 0; i < at->takings.count; i++)
        if (!is_locked(at, &at->takings.items[i], lock))
            return false;
    return true;
}

/* The lock is one that the first taking is under. */
static bool has_lock(const flags *at)
{
    const taking *first = &at->takings.items[0];
    for (size_t i = 0; i < at->sections->all.count; i++) {
        const ser_section *section = &at->sections->all.items[i];
        if (is_in(section, step_at(at, first->read)->thread, first->read, first->write) &&
            are_all_locked(at, section->lock))
            return true;
    }
    return false;
}

static bool is_lock(flags *at, uint32_t variable)
{
    if (!list_takings(at, variable))
        return false;
    for (size_t i = 0; i < at->takings.count; i++)
        if (!stops_before(at, &at->takings.items[i]) || accepts_taking(at, &at->takings.items[i]))
            return false;
    return at->takings.count > 1 && has_lock(at);
}

/* Written behind a read of the same thread under a lock, at least once: worth a look. */
static void mark_candidates(const flags *at, bool *marked)
{
    for (uint32_t t = 0; t < at->task->threads.count; t++) {
        uint32_t first = at->task->threads.items[t].first, held = 0;
        for (uint32_t i = first; i < first + at->must->possible[t]; i++) {
            const ser_task_step *step = step_at(at, i);
            held += step->action == SER_LOCK_ACQUIRE;
            held -= step->action == SER_LOCK_RELEASE && held > 0;
            bool may_gate = step->access == SER_ACCESS_READ && held && step->limit <= i + 2;
            if (may_gate)
                marked[step->variable] = true;
        }
    }
}

void ser_flag_locks_add(ser_sections *sections, const ser_must *must)
{
    const ser_task *task = must->task;
    flags at = {.task = task, .must = must, .sections = sections};
    if (task->has_moves || task->freed_by.count || !sections->all.count)
        return;
    bool *marked = ser_alloc((size_t)task->variables + 1, sizeof *marked);
    SER_VECTOR(ser_section) found = {0};
    mark_candidates(&at, marked);
    sort_accesses(&at);
    for (uint32_t variable = 0; variable < task->variables; variable++) {
        if (!marked[variable] || !is_lock(&at, variable))
            continue;
        for (size_t i = 0; i < at.takings.count; i++) {
            const taking *one = &at.takings.items[i];
            ser_vector_push(&found, ((ser_section){(uint32_t)task->locks.count + variable,
                                                   task->steps.items[one->write].thread, one->write,
                                                   one->back, false}));
        }
    }
    for (size_t i = 0; i < found.count; i++)
        ser_vector_push(&sections->all, found.items[i]);
    free(marked);
    free(at.accesses);
    free(at.first_access);
    ser_vector_free(&found);
    ser_vector_free(&at.takings);
}
