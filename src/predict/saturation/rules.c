/* SPDX-License-Identifier: MIT */
/*
 * Accesses of a thread to a variable, and its sections of a lock, come one after the
 * other. So against a given step only the last that comes before it matters, and the
 * first that comes after it; both are found by bisection, since clocks grow along a
 * thread. Rounds over all reads and sections go on until one has added nothing.
 */
#include "predict/saturation/rules.h"

void ser_rules_init(ser_rules *rules, const ser_lanes *lanes, const ser_sections *sections,
                    const ser_task *task)
{
    *rules = (ser_rules){.lanes = lanes, .sections = sections};
    for (uint32_t v = 0; v < task->variables; v++) {
        uint32_t first = lanes->first_of[v], end = lanes->first_of[v + 1];
        bool is_written = false;
        for (uint32_t i = first; i < end; i++)
            is_written |= lanes->all.items[i].writes.count > 0;
        if (is_written && end - first > 1)
            ser_vector_push(&rules->variables, v);
    }
    for (uint32_t i = 0; i < task->steps.count; i++)
        if (task->steps.items[i].clear.count)
            ser_vector_push(&rules->notifies, i);
    for (uint32_t i = 0; i < task->steps.count && task->has_unspoiled; i++)
        if (task->steps.items[i].unspoiled)
            ser_vector_push(&rules->unspoiled, i);
}

void ser_rules_fini(ser_rules *rules)
{
    ser_vector_free(&rules->variables);
    ser_vector_free(&rules->notifies);
    ser_vector_free(&rules->unspoiled);
}

static const ser_task_step *step_at(const ser_closure *closure, uint32_t step)
{
    return &closure->task->steps.items[step];
}

/* Does it certainly write? A read-modify-write might be broken. */
static bool writes(const ser_closure *closure, uint32_t step)
{
    return step_at(closure, step)->access == SER_ACCESS_WRITE ||
                   step_at(closure, step)->writes_anyway
               ? ser_closure_demands(closure, step)
               : ser_closure_demands_unbroken(closure, step);
}

/* The last of the lane's writes among the first `count` steps of the thread, or NONE. */
static uint32_t last_write_within(const ser_closure *closure, const ser_lane *lane, uint32_t count)
{
    uint32_t end = closure->task->threads.items[lane->thread].first + count;
    ser_range before = ser_range_until(lane->writes, end);
    while (before.count && !writes(closure, before.steps[before.count - 1]))
        before.count--;
    return before.count ? before.steps[before.count - 1] : SER_TASK_NONE;
}

/* The first of the lane's writes that is known to come after the step, or NONE. */
static uint32_t first_write_after(const ser_closure *closure, const ser_lane *lane, uint32_t step)
{
    uint32_t thread = step_at(closure, step)->thread;
    uint32_t place = ser_closure_place(closure, step);
    uint32_t low = 0, high = lane->writes.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, write = lane->writes.steps[middle];
        if (!ser_closure_demands(closure, write) ||
            ser_closure_count(closure, thread, write) > place)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == lane->writes.count || !writes(closure, lane->writes.steps[low]))
        return SER_TASK_NONE;
    return lane->writes.steps[low];
}

static void order_start_read(ser_closure *closure, const ser_lane *lane, uint32_t read)
{
    uint32_t first = lane->writes.count ? lane->writes.steps[0] : SER_TASK_NONE;
    if (first != SER_TASK_NONE && first != read && writes(closure, first))
        ser_closure_add(closure, read, first);
}

static void order_read(ser_closure *closure, const ser_lane *lane, uint32_t read)
{
    uint32_t source = step_at(closure, read)->source;
    if (source == SER_TASK_START) {
        order_start_read(closure, lane, read);
        return;
    }
    uint32_t before =
        last_write_within(closure, lane, ser_closure_count(closure, lane->thread, read));
    if (before != SER_TASK_NONE && before != source)
        ser_closure_add(closure, before, source);
    uint32_t after = first_write_after(closure, lane, source);
    if (after != SER_TASK_NONE && after != read && !closure->impossible)
        ser_closure_add(closure, read, after);
}

static void order_reads_of_lane(const ser_rules *rules, ser_closure *closure, uint32_t variable,
                                const ser_lane *lane)
{
    const ser_lanes *lanes = rules->lanes;
    for (uint32_t i = 0; i < lane->accesses.count; i++) {
        uint32_t read = lane->accesses.steps[i];
        if (!ser_closure_demands(closure, read))
            return;
        if (!ser_closure_fixes_source(closure, read))
            continue;
        for (uint32_t k = lanes->first_of[variable]; k < lanes->first_of[variable + 1]; k++)
            if (!closure->impossible)
                order_read(closure, &lanes->all.items[k], read);
    }
}

static void order_reads(const ser_rules *rules, ser_closure *closure)
{
    const ser_lanes *lanes = rules->lanes;
    for (size_t i = 0; i < rules->variables.count; i++) {
        uint32_t variable = rules->variables.items[i];
        for (uint32_t k = lanes->first_of[variable]; k < lanes->first_of[variable + 1]; k++)
            order_reads_of_lane(rules, closure, variable, &lanes->all.items[k]);
    }
}

/* How many steps of another thread are known to come before the section's end. */
static uint32_t count_before_end(const ser_closure *closure, const ser_section *section,
                                 uint32_t thread)
{
    uint32_t last = section->release;
    if (last == SER_TASK_NONE || !ser_closure_demands(closure, last))
        last = section->thread == closure->task->block_thread ? closure->end : section->acquire;
    return last == SER_TASK_START ? 0 : ser_closure_count(closure, thread, last);
}

/* The last section of the group that begins with the first `count` steps, or NULL. */
static const ser_section *last_section_within(const ser_rules *rules, const ser_closure *closure,
                                              const ser_section_group *group, uint32_t count)
{
    uint32_t end = closure->task->threads.items[group->thread].first + count;
    const ser_section *sections = rules->sections->all.items + group->first;
    uint32_t low = 0, high = group->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sections[middle].acquire == SER_TASK_START || sections[middle].acquire < end)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &sections[low - 1] : NULL;
}

/* The one has begun before the other ends. */
static void order_sections(ser_closure *closure, const ser_section *first,
                           const ser_section *second)
{
    if (first->release == SER_TASK_NONE || second->acquire == SER_TASK_START) {
        closure->impossible = true;
        return;
    }
    ser_closure_demand(closure, first->release);
    if (!closure->impossible)
        ser_closure_add(closure, first->release, second->acquire);
}

static void order_groups(const ser_rules *rules, ser_closure *closure,
                         const ser_section_group *first, const ser_section_group *second)
{
    const ser_section *sections = rules->sections->all.items + second->first;
    for (uint32_t i = 0; i < second->count && !closure->impossible; i++) {
        if (sections[i].acquire == SER_TASK_START ||
            !ser_closure_demands(closure, sections[i].acquire))
            continue;
        uint32_t count = count_before_end(closure, &sections[i], first->thread);
        const ser_section *last = last_section_within(rules, closure, first, count);
        if (last)
            order_sections(closure, last, &sections[i]);
    }
}

static void order_locks(const ser_rules *rules, ser_closure *closure)
{
    const ser_section_group *groups = rules->sections->groups.items;
    size_t count = rules->sections->groups.count;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count && groups[k].lock == groups[i].lock; k++) {
            if (!ser_groups_exclude(&groups[i], &groups[k]))
                continue;
            order_groups(rules, closure, &groups[i], &groups[k]);
            order_groups(rules, closure, &groups[k], &groups[i]);
        }
}

/* A wait that is over once its thread has taken the next step. */
static void order_wait(ser_closure *closure, uint32_t notify, uint32_t wait)
{
    if (wait == notify || !ser_closure_demands(closure, wait))
        return;
    const ser_task_thread *thread = &closure->task->threads.items[step_at(closure, wait)->thread];
    bool has_next = wait + 1 < thread->first + thread->count;
    if (ser_closure_knows(closure, wait, notify)) {
        closure->impossible |= !has_next;
        if (has_next)
            ser_closure_demand(closure, wait + 1);
        if (!closure->impossible)
            ser_closure_add(closure, wait + 1, notify);
    } else if (has_next && ser_closure_demands(closure, wait + 1) &&
               ser_closure_knows(closure, notify, wait + 1)) {
        ser_closure_add(closure, notify, wait);
    }
}

static void order_waits(const ser_rules *rules, ser_closure *closure)
{
    for (size_t i = 0; i < rules->notifies.count; i++) {
        uint32_t notify = rules->notifies.items[i];
        if (!ser_closure_demands(closure, notify))
            continue;
        ser_step_list clear = step_at(closure, notify)->clear;
        for (uint32_t k = 0; k < clear.count && !closure->impossible; k++)
            order_wait(closure, notify, closure->task->lists.items[clear.first + k]);
    }
}

/* Before an unspoiled step no read is changed. */
static void order_unspoiled(const ser_rules *rules, ser_closure *closure)
{
    for (size_t i = 0; i < rules->unspoiled.count; i++) {
        uint32_t step = rules->unspoiled.items[i];
        for (uint32_t t = 0; t < closure->task->threads.count; t++)
            if (ser_closure_demands(closure, step) && !closure->impossible)
                ser_closure_demand_clean(closure, t, ser_closure_count(closure, t, step));
    }
}

/* Grows with every demand and arrow. */
static uint64_t measure(const ser_closure *closure)
{
    uint64_t sum = closure->arrows.count;
    for (size_t t = 0; t < closure->task->threads.count; t++)
        sum += closure->demanded[t] + (closure->clean ? closure->clean[t] : 0);
    return sum;
}

void ser_rules_apply(const ser_rules *rules, ser_closure *closure)
{
    static void (*const parts[])(const ser_rules *, ser_closure *) = {order_reads, order_locks,
                                                                      order_waits, order_unspoiled};
    uint64_t before;
    ser_closure_spread(closure);
    do {
        before = measure(closure);
        for (size_t i = 0; i < sizeof parts / sizeof *parts && !closure->impossible; i++) {
            parts[i](rules, closure);
            ser_closure_spread(closure);
        }
    } while (!closure->impossible && measure(closure) != before);
}
