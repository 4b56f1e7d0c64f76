/* SPDX-License-Identifier: MIT */
#include "predict/saturation/sections.h"

#include "predict/saturation/flag_locks.h"

typedef struct collector {
    ser_sections *sections;
    const ser_must *must;
    uint32_t *open; /* by lock and mode: 1 + index of the thread's open section */
} collector;

static uint32_t *open_in_mode(const collector *at, uint32_t lock, bool shared)
{
    return &at->open[2 * (size_t)lock + shared];
}

static void open_section(collector *at, uint32_t thread, uint32_t lock, uint32_t acquire,
                         bool shared)
{
    ser_section fresh = {lock, thread, acquire, SER_TASK_NONE, shared};
    ser_vector_push(&at->sections->all, fresh);
    *open_in_mode(at, lock, shared) = (uint32_t)at->sections->all.count;
}

static void close_section(const collector *at, uint32_t lock, uint32_t release, bool shared)
{
    uint32_t *open = open_in_mode(at, lock, shared);
    if (*open)
        at->sections->all.items[*open - 1].release = release;
    *open = 0;
}

static void open_at_start(collector *at, uint32_t thread)
{
    const ser_task *task = at->must->task;
    for (uint32_t l = 0; l < task->locks.count; l++) {
        const ser_task_lock *lock = &task->locks.items[l];
        *open_in_mode(at, l, false) = *open_in_mode(at, l, true) = 0;
        if (lock->holder == thread)
            open_section(at, thread, l, SER_TASK_START, false);
        for (size_t i = 0; i < lock->sharers.count; i++)
            if (lock->sharers.items[i] == thread)
                open_section(at, thread, l, SER_TASK_START, true);
    }
}

static void collect_step(collector *at, uint32_t number)
{
    const ser_task_step *step = &at->must->task->steps.items[number];
    switch ((ser_lock_action)step->action) {
    case SER_LOCK_ACQUIRE:
    case SER_LOCK_ACQUIRE_SHARED:
        open_section(at, step->thread, step->lock, number, step->action != SER_LOCK_ACQUIRE);
        break;
    case SER_LOCK_RELEASE:
    case SER_LOCK_RELEASE_SHARED:
        close_section(at, step->lock, number, step->action != SER_LOCK_RELEASE);
        break;
    default:
        break;
    }
}

/* By lock, thread and mode; START is the largest number but comes first. */
static int by_lock(const void *a, const void *b)
{
    const ser_section *first = a, *second = b;
    if (first->lock != second->lock)
        return first->lock < second->lock ? -1 : 1;
    if (first->thread != second->thread)
        return first->thread < second->thread ? -1 : 1;
    if (first->shared != second->shared)
        return first->shared ? 1 : -1;
    uint32_t one = first->acquire + 1, other = second->acquire + 1; /* START + 1 is 0 */
    return one < other ? -1 : one > other;
}

/* Of the group that starts with a section. */
static uint32_t end_of_group(const ser_sections *sections, uint32_t first)
{
    const ser_section *items = sections->all.items;
    uint32_t end = first + 1;
    while (end < sections->all.count && items[end].lock == items[first].lock &&
           items[end].thread == items[first].thread && items[end].shared == items[first].shared)
        end++;
    return end;
}

static bool is_lock_shared(const ser_sections *sections, uint32_t first, uint32_t end)
{
    const ser_section *items = sections->all.items;
    return (first > 0 && items[first - 1].lock == items[first].lock) ||
           (end < sections->all.count && items[end].lock == items[first].lock);
}

static void group_sections(ser_sections *sections)
{
    for (uint32_t first = 0, end; first < sections->all.count; first = end) {
        const ser_section *section = &sections->all.items[first];
        end = end_of_group(sections, first);
        ser_section_group group = {section->lock, section->thread, first, end - first,
                                   section->shared};
        if (is_lock_shared(sections, first, end))
            ser_vector_push(&sections->groups, group);
    }
}

void ser_sections_init(ser_sections *sections, const ser_must *must)
{
    const ser_task *task = must->task;
    *sections = (ser_sections){0};
    collector at = {sections, must, ser_alloc(2 * task->locks.count + 1, sizeof *at.open)};
    for (uint32_t t = 0; t < task->threads.count; t++) {
        open_at_start(&at, t);
        for (uint32_t i = 0; i < must->possible[t]; i++)
            collect_step(&at, task->threads.items[t].first + i);
    }
    ser_flag_locks_add(sections, must);
    if (sections->all.count)
        qsort(sections->all.items, sections->all.count, sizeof *sections->all.items, by_lock);
    group_sections(sections);
    free(at.open);
}

void ser_sections_fini(ser_sections *sections)
{
    ser_vector_free(&sections->all);
    ser_vector_free(&sections->groups);
}
