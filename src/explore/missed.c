/* SPDX-License-Identifier: MIT */
#include "explore/missed.h"

#include <stdlib.h>

#include "base/pairmap.h"

static bool holds(const ser_run *run, uint32_t event, uint32_t lock)
{
    for (uint32_t held = ser_run_held(run, event); held; held = ser_run_next_held(run, event, held))
        if (run->events[run->holds.items[held].acquire].object == lock)
            return true;
    return false;
}

/* The writes of each variable, in their order: those of variable v from first[v] on. */
typedef struct write_index {
    uint32_t *first, *events;
} write_index;

static bool is_write(const ser_event *event)
{
    return ser_op_is_access((ser_op)event->op) && ser_op_writes((ser_op)event->op);
}

static write_index index_writes(const ser_run *run)
{
    size_t variables = ser_symbols_count(run->symbols, SER_SPACE_VARIABLE), writes = 0;
    write_index made = {.first = ser_alloc(variables + 2, sizeof *made.first)};
    uint32_t *end = made.first + 1; /* where the next one goes: in the end, where those of v end */
    for (uint32_t i = 1; i <= run->count; i++)
        if (is_write(&run->events[i]) && ++writes && run->events[i].object + 1 < variables)
            end[run->events[i].object + 1]++;
    for (size_t v = 1; v < variables; v++)
        end[v] += end[v - 1];
    made.events = ser_alloc(writes + 1, sizeof *made.events);
    for (uint32_t i = 1; i <= run->count; i++)
        if (is_write(&run->events[i]))
            made.events[end[run->events[i].object]++] = i;
    return made;
}

/* The first write of another thread after the wait, if it does not hold the lock. */
static uint32_t find_write(const ser_run *run, const write_index *writes, const ser_event *read,
                           uint32_t wait, uint32_t lock)
{
    uint32_t low = writes->first[read->object], end = writes->first[read->object + 1];
    for (uint32_t high = end; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (writes->events[middle] <= wait)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < end && run->events[writes->events[low]].thread == read->thread)
        low++;
    return low == end || holds(run, writes->events[low], lock) ? 0 : writes->events[low];
}

/* A later one that wakes who waits, in the thread that wrote. */
static uint32_t find_notify(const ser_run *run, uint32_t write, uint32_t condition, uint32_t lock)
{
    for (uint32_t i = ser_run_next(run, write); i; i = ser_run_next(run, i)) {
        const ser_event *event = &run->events[i];
        if (ser_op_notifies((ser_op)event->op) && event->object == condition)
            return holds(run, i, lock) ? 0 : i;
    }
    return 0;
}

/* What the thread has read since it took the lock. */
static void look_before(const ser_run *run, const write_index *writes, uint32_t wait,
                        uint32_t release, ser_pairmap *known, ser_reversal_list *list)
{
    uint32_t lock = run->events[release].object;
    for (uint32_t i = ser_run_previous(run, release); i && holds(run, i, lock);
         i = ser_run_previous(run, i)) {
        const ser_event *read = &run->events[i];
        if (!ser_op_only_reads((ser_op)read->op))
            continue;
        uint32_t write = find_write(run, writes, read, wait, lock);
        uint32_t notify = write ? find_notify(run, write, run->events[wait].object, lock) : 0;
        if (!notify)
            continue;
        uint32_t *seen =
            ser_pairmap_add(known, run->events[wait].site, run->events[notify].site, 0);
        const ser_reversal found = {release, notify};
        if (!*seen)
            ser_vector_push(list, found);
        *seen = 1;
    }
}

void ser_missed_wake_ups_find(const ser_run *run, ser_reversal_list *list)
{
    ser_pairmap known = {0}, looked = {0};
    write_index writes = index_writes(run);
    for (uint32_t i = run->count; i > 0; i--) {
        uint32_t release = ser_op_waits((ser_op)run->events[i].op) ? ser_run_previous(run, i) : 0;
        if (!release || !ser_op_releases((ser_op)run->events[release].op))
            continue;
        uint32_t *seen = ser_pairmap_add(&looked, run->events[i].site, run->events[i].thread, 0);
        if (!*seen)
            look_before(run, &writes, i, release, &known, list);
        *seen = 1;
    }
    ser_pairmap_fini(&known);
    ser_pairmap_fini(&looked);
    free(writes.first);
    free(writes.events);
}
