/* SPDX-License-Identifier: MIT */
/*
 * What a step asks for and does is read off the task and, for locks, off two facts
 * that are found once (machine_survey.c). A move is looked at as a whole before the first
 * of its steps is taken: a read of it may be broken, and an access reached. A step writes what it
 * is about to change into the log (ser_machine_step), and from there it is put back
 * (ser_machine_undo).
 */
#include "predict/task/machine.h"

#include "base/memory.h"
#include "predict/task/machine_internal.h"

ser_machine *ser_machine_create(const ser_task *task)
{
    ser_machine *machine = ser_alloc(1, sizeof *machine);
    machine->task = task;
    machine->next = ser_alloc(task->threads.count, sizeof *machine->next);
    machine->limit = ser_alloc(task->threads.count, sizeof *machine->limit);
    machine->stopped = ser_alloc(task->threads.count, sizeof *machine->stopped);
    machine->changed = ser_alloc(task->threads.count, sizeof *machine->changed);
    machine->reached = ser_alloc(task->threads.count, sizeof *machine->reached);
    machine->holder = ser_alloc(task->locks.count, sizeof *machine->holder);
    machine->sharers = ser_alloc(task->locks.count, sizeof *machine->sharers);
    machine->last_write = ser_alloc(task->variables, sizeof *machine->last_write);
    machine->dirty = ser_alloc(task->variables, sizeof *machine->dirty);
    machine->marks = ser_alloc(task->variables, sizeof *machine->marks);
    machine->log = ser_alloc(task->steps.count, sizeof *machine->log);
    machine->hold_end = ser_machine_none_each(task->steps.count);
    machine->shares = ser_alloc(task->steps.count, sizeof *machine->shares);
    ser_machine_survey(machine);
    ser_machine_reset(machine);
    return machine;
}

void ser_machine_destroy(ser_machine *machine)
{
    if (!machine)
        return;
    free(machine->next);
    free(machine->limit);
    free(machine->stopped);
    free(machine->changed);
    free(machine->reached);
    free(machine->holder);
    free(machine->sharers);
    free(machine->last_write);
    free(machine->dirty);
    free(machine->marks);
    free(machine->log);
    free(machine->hold_end);
    free(machine->shares);
    ser_machine_cycle_destroy(machine->cycle);
    free(machine);
}

void ser_machine_reset(ser_machine *machine)
{
    const ser_task *task = machine->task;
    for (size_t i = 0; i < task->threads.count; i++) {
        machine->next[i] = task->threads.items[i].first;
        machine->limit[i] = SER_TASK_NONE;
        machine->stopped[i] = machine->changed[i] = machine->reached[i] = false;
    }
    for (size_t i = 0; i < task->locks.count; i++) {
        machine->holder[i] = task->locks.items[i].holder;
        machine->sharers[i] = (uint32_t)task->locks.items[i].sharers.count;
    }
    for (uint32_t i = 0; i < task->variables; i++) {
        machine->last_write[i] = SER_TASK_START;
        machine->dirty[i] = false;
        machine->marks[i] = 0;
    }
    machine->depth = machine->spoiled = 0;
}

static bool is_met(const ser_machine *machine, uint32_t need)
{
    uint32_t thread = machine->task->steps.items[need].thread;
    uint32_t done = machine->next[thread];
    return need < done && !(machine->stopped[thread] && need == done - 1);
}

/* A thread's end is the step behind its last. */
static bool may_end(const ser_machine *machine, uint32_t last)
{
    return last == SER_TASK_NONE ||
           last + 1 < machine->limit[machine->task->steps.items[last].thread];
}

static bool are_needs_met(const ser_machine *machine, const ser_task_step *step)
{
    if (!may_end(machine, step->ends) || (step->unspoiled && machine->spoiled))
        return false;
    const uint32_t *needs = machine->task->lists.items + step->needs.first;
    for (uint32_t i = 0; i < step->needs.count; i++)
        if (!is_met(machine, needs[i]))
            return false;
    return true;
}

static bool is_clear(const ser_machine *machine, const ser_task_step *step)
{
    const uint32_t *waits = machine->task->lists.items + step->clear.first;
    for (uint32_t i = 0; i < step->clear.count; i++) {
        uint32_t thread = machine->task->steps.items[waits[i]].thread;
        if (waits[i] + 1 == machine->next[thread])
            return false;
    }
    return true;
}

static bool is_lock_free(const ser_machine *machine, const ser_task_step *step, uint32_t number)
{
    uint32_t holder = machine->holder[step->lock];
    if (holder != SER_TASK_NONE && holder != step->thread)
        return false;
    return step->action == SER_LOCK_ACQUIRE_SHARED ||
           machine->sharers[step->lock] == machine->shares[number];
}

bool ser_machine_enabled(const ser_machine *machine, uint32_t thread)
{
    if (!ser_machine_alive(machine, thread))
        return false;
    const ser_task_step *step = ser_machine_next(machine, thread);
    if (!are_needs_met(machine, step) || !is_clear(machine, step))
        return false;
    if (step->action == SER_LOCK_ACQUIRE || step->action == SER_LOCK_ACQUIRE_SHARED)
        return is_lock_free(machine, step, machine->next[thread]);
    return true;
}

/* Is the hold over, or did it never start, that made the test fail? */
static bool test_breaks(const ser_machine *machine, const ser_task_step *step, uint32_t number)
{
    if (step->source == SER_TASK_START) {
        if (machine->task->locks.items[step->lock].holder == SER_TASK_NONE)
            return true;
    } else if (step->source == SER_TASK_NEVER || !ser_machine_happened(machine, step->source)) {
        return true;
    }
    uint32_t end = machine->hold_end[number];
    return end != SER_TASK_NONE && ser_machine_happened(machine, end);
}

/* The steps of the thread's next move; of most threads the next step. */
static uint32_t next_end(const ser_machine *machine, uint32_t thread)
{
    return ser_task_move_end(machine->task, machine->next[thread]);
}

static bool reads_another(const ser_machine *machine, const ser_task_step *read)
{
    uint32_t write = machine->last_write[read->variable];
    return machine->dirty[read->variable] ||
           (write != read->source && !ser_task_accepts(machine->task, read, write));
}

bool ser_machine_breaks(const ser_machine *machine, uint32_t thread)
{
    uint32_t first = machine->next[thread], end = next_end(machine, thread);
    const ser_task_step *step = ser_machine_next(machine, thread);
    if (step->action == SER_LOCK_TEST)
        return test_breaks(machine, step, first);
    if (step->access != SER_ACCESS_READ && step->access != SER_ACCESS_RMW)
        return false;
    for (uint32_t i = first; i < end; i++, step++) {
        bool from_move = first <= step->source && step->source < end;
        if (!from_move && reads_another(machine, step))
            return true;
    }
    return false;
}

/* Marks of earlier accesses that conflict with this one; of those, the block itself
 * cares for the reached ones only. */
static uint8_t conflicting_marks(bool writes, bool in_block)
{
    unsigned marks = SER_MARK_REACHED_WRITE;
    if (writes)
        marks |= SER_MARK_REACHED_READ;
    if (!in_block)
        marks |= marks >> 2;
    return (uint8_t)marks;
}

static bool access_reaches(const ser_machine *machine, const ser_task_step *step, bool writes)
{
    if (step->thread == machine->task->block_thread && !step->in_block)
        return false;
    return machine->reached[step->thread] ||
           (machine->marks[step->variable] & conflicting_marks(writes, step->in_block));
}

static bool does_write(const ser_task_step *step, bool broken)
{
    return step->access == SER_ACCESS_WRITE ||
           (step->access == SER_ACCESS_RMW && (!broken || step->writes_anyway));
}

static bool move_reaches(const ser_machine *machine, uint32_t thread, bool broken)
{
    const ser_task_step *step = ser_machine_next(machine, thread);
    if (step->access == SER_ACCESS_NONE)
        return false;
    for (uint32_t i = machine->next[thread]; i < next_end(machine, thread); i++, step++)
        if (access_reaches(machine, step, does_write(step, broken)))
            return true;
    return false;
}

bool ser_machine_reaches(const ser_machine *machine, uint32_t thread)
{
    return move_reaches(machine, thread, ser_machine_breaks(machine, thread));
}

/* `reaches`: an access of the move does. True if it completes a violation. */
static bool take_access(ser_machine *machine, const ser_task_step *step, bool broken, bool reaches)
{
    bool writes = does_write(step, broken), reads = step->access != SER_ACCESS_WRITE;
    unsigned marks = (reads ? SER_MARK_BLOCK_READ : 0u) | (writes ? SER_MARK_BLOCK_WRITE : 0u);
    if (writes) {
        machine->last_write[step->variable] = machine->next[step->thread];
        machine->dirty[step->variable] =
            machine->task->may_change &&
            (step->writes_known ? machine->was_changed : machine->changed[step->thread]);
    }
    if (step->in_block) {
        machine->marks[step->variable] |= (uint8_t)marks;
        return reaches;
    }
    if (reaches) {
        machine->marks[step->variable] |= (uint8_t)(marks << 2);
        machine->reached[step->thread] = true;
    }
    return false;
}

static void take_action(ser_machine *machine, const ser_task_step *step)
{
    switch ((ser_lock_action)step->action) {
    case SER_LOCK_ACQUIRE:
        machine->holder[step->lock] = step->thread;
        break;
    case SER_LOCK_RELEASE:
        machine->holder[step->lock] = SER_TASK_NONE;
        break;
    case SER_LOCK_ACQUIRE_SHARED:
        machine->sharers[step->lock]++;
        break;
    case SER_LOCK_RELEASE_SHARED:
        machine->sharers[step->lock]--;
        break;
    default:
        break;
    }
}

static bool take_step(ser_machine *machine, uint32_t thread, bool broken, bool reaches)
{
    const ser_task_step *step = ser_machine_next(machine, thread);
    ser_machine_entry *entry = &machine->log[machine->depth++];
    bool violates = false;
    entry->step = machine->next[thread];
    entry->reached = machine->reached[thread];
    entry->broken = broken;
    entry->wrote = does_write(step, broken);
    if (step->access != SER_ACCESS_NONE) {
        entry->write = machine->last_write[step->variable];
        entry->marks = machine->marks[step->variable];
        entry->dirty = machine->dirty[step->variable];
        violates = take_access(machine, step, broken, reaches);
    }
    if (step->action != SER_LOCK_NONE) {
        entry->holder = machine->holder[step->lock];
        take_action(machine, step);
    }
    machine->next[thread]++;
    return violates;
}

/* Is a variable of the thread's next move freed already? */
static bool uses_freed(const ser_machine *machine, uint32_t thread)
{
    const ser_task *task = machine->task;
    if (!task->freed_by.count || ser_machine_next(machine, thread)->access == SER_ACCESS_NONE)
        return false;
    for (uint32_t i = machine->next[thread]; i < next_end(machine, thread); i++) {
        ser_step_list frees = ser_task_frees_of(task, i);
        for (uint32_t k = 0; k < frees.count; k++)
            if (ser_machine_happened(machine, task->lists.items[frees.first + k]))
                return true;
    }
    return false;
}

static void stop_thread(ser_machine *machine, uint32_t thread)
{
    machine->limit[thread] = machine->next[thread];
    machine->stopped[thread] = true;
}

/* All limits of a broken move count. */
static void limit_thread(ser_machine *machine, uint32_t thread, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        uint32_t limit = machine->task->steps.items[i].limit;
        if (limit < machine->limit[thread])
            machine->limit[thread] = limit;
    }
    machine->stopped[thread] = machine->limit[thread] <= end;
    machine->spoiled++;
}

bool ser_machine_step(ser_machine *machine, uint32_t thread)
{
    uint32_t first = machine->next[thread], end = next_end(machine, thread);
    bool broken = ser_machine_breaks(machine, thread), violates = false;
    bool reaches = move_reaches(machine, thread, broken), is_last = uses_freed(machine, thread);
    ser_machine_entry *entry = &machine->log[machine->depth];
    entry->limit = machine->limit[thread];
    entry->changed = machine->was_changed = machine->changed[thread];
    machine->changed[thread] |= broken;
    while (machine->next[thread] < end)
        violates |= take_step(machine, thread, broken, reaches);
    if (broken)
        limit_thread(machine, thread, first, end);
    if (is_last)
        stop_thread(machine, thread);
    return violates;
}

static void undo_step(ser_machine *machine)
{
    const ser_machine_entry *entry = &machine->log[--machine->depth];
    const ser_task_step *step = &machine->task->steps.items[entry->step];
    machine->next[step->thread]--;
    machine->stopped[step->thread] = false;
    machine->reached[step->thread] = entry->reached;
    if (step->access != SER_ACCESS_NONE) {
        machine->last_write[step->variable] = entry->write;
        machine->marks[step->variable] = entry->marks;
        machine->dirty[step->variable] = entry->dirty;
    }
    if (step->action == SER_LOCK_NONE)
        return;
    machine->holder[step->lock] = entry->holder;
    if (step->action == SER_LOCK_ACQUIRE_SHARED)
        machine->sharers[step->lock]--;
    else if (step->action == SER_LOCK_RELEASE_SHARED)
        machine->sharers[step->lock]++;
}

void ser_machine_undo(ser_machine *machine)
{
    uint32_t first = ser_task_move_first(machine->task, machine->log[machine->depth - 1].step);
    bool is_first;
    do {
        is_first = machine->log[machine->depth - 1].step == first;
        undo_step(machine);
    } while (!is_first);
    const ser_machine_entry *entry = &machine->log[machine->depth];
    uint32_t thread = machine->task->steps.items[first].thread;
    machine->limit[thread] = entry->limit;
    machine->changed[thread] = entry->changed;
    machine->spoiled -= entry->broken;
}
