/* SPDX-License-Identifier: MIT */
/*
 * Beside the machine, ser_path_take and ser_path_undo keep for every variable and lock the list of
 * the steps on it, newest first, and for every write the number of reads that still want it. Clocks
 * are written by the caller that takes a step (races.c), which looks at the same steps anyway.
 */
#include "predict/dpor/path.h"

#include "base/memory.h"

static const ser_task_step *step_at(const ser_path *path, uint32_t step)
{
    return &path->task->steps.items[step];
}

static bool is_read(const ser_task_step *step)
{
    return step->access == SER_ACCESS_READ || step->access == SER_ACCESS_RMW;
}

static bool is_write(const ser_task_step *step)
{
    return step->access == SER_ACCESS_WRITE || step->access == SER_ACCESS_RMW;
}

/* Index in `top` of the variable or lock that a step is on; SER_TASK_NONE: it is on none. */
static uint32_t object_of(const ser_path *path, const ser_task_step *step)
{
    if (step->access != SER_ACCESS_NONE)
        return step->variable;
    return step->action != SER_LOCK_NONE ? path->task->variables + step->lock : SER_TASK_NONE;
}

/* Where the reads of a write are counted, or of the start. */
static uint32_t *unread_of(const ser_path *path, uint32_t variable, uint32_t write)
{
    size_t index = write == SER_TASK_START ? path->task->steps.count + variable : write;
    return &path->unread[index];
}

static void count_reads(ser_path *path)
{
    for (uint32_t i = 0; i < path->task->steps.count; i++) {
        const ser_task_step *step = step_at(path, i);
        if (is_read(step) && step->source != SER_TASK_NEVER)
            ++*unread_of(path, step->variable, step->source);
    }
}

static void find_foreign_accesses(ser_path *path)
{
    for (uint32_t i = 0; i < path->task->steps.count; i++) {
        const ser_task_step *step = step_at(path, i);
        if (step->access != SER_ACCESS_NONE && step->thread != path->task->block_thread)
            path->foreign[step->variable] |= is_write(step) ? 2 : 1;
    }
}

bool ser_path_is_contested(const ser_path *path, uint32_t step)
{
    const ser_task_step *it = step_at(path, step);
    return it->in_block && it->access != SER_ACCESS_NONE &&
           path->foreign[it->variable] >= (is_write(it) ? 1 : 2);
}

static void find_last_chance(ser_path *path)
{
    path->last_chance = SER_TASK_NONE;
    for (uint32_t i = 0; i < path->task->steps.count; i++)
        if (ser_path_is_contested(path, i))
            path->last_chance = ser_task_move_first(path->task, i);
}

/* Turns the clear lists around, in two passes as in a counting sort. */
static void list_notifies(ser_path *path)
{
    const ser_task *task = path->task;
    uint32_t *first = path->notify_first, total = 0;
    for (size_t i = 0; i < task->steps.count; i++)
        for (uint32_t k = 0; k < task->steps.items[i].clear.count; k++)
            first[task->lists.items[task->steps.items[i].clear.first + k]]++;
    for (size_t i = 0; i <= task->steps.count; i++)
        first[i] = total += first[i];
    ser_vector_extend(&path->notifies, total);
    for (uint32_t i = (uint32_t)task->steps.count; i-- > 0;) {
        ser_step_list clear = task->steps.items[i].clear;
        for (uint32_t k = 0; k < clear.count; k++)
            path->notifies.items[--first[task->lists.items[clear.first + k]]] = i;
    }
}

size_t ser_path_bytes(const ser_task *task)
{
    size_t by_step = (task->threads.count + 8) * sizeof(uint32_t) + sizeof(ser_machine_entry);
    return task->steps.count * by_step +
           (task->variables + task->locks.count) * 4 * sizeof(uint32_t);
}

ser_path *ser_path_create(const ser_task *task, ser_criterion criterion)
{
    ser_path *path = ser_alloc(1, sizeof *path);
    size_t steps = task->steps.count, objects = task->variables + task->locks.count;
    path->task = task;
    path->machine = ser_machine_create(task);
    path->threads = (uint32_t)task->threads.count;
    path->prunes = criterion == SER_CRITERION_PATH;
    path->clocks = ser_alloc(steps * path->threads, sizeof *path->clocks);
    path->depth = ser_alloc(steps, sizeof *path->depth);
    path->before = ser_alloc(steps, sizeof *path->before);
    path->heavy = ser_alloc(steps, sizeof *path->heavy);
    path->top = ser_alloc(objects, sizeof *path->top);
    for (size_t i = 0; i < objects; i++)
        path->top[i] = SER_TASK_NONE;
    path->unread = ser_alloc(steps + task->variables, sizeof *path->unread);
    path->notify_first = ser_alloc(steps + 1, sizeof *path->notify_first);
    path->foreign = ser_alloc(task->variables, sizeof *path->foreign);
    find_foreign_accesses(path);
    find_last_chance(path);
    count_reads(path);
    list_notifies(path);
    return path;
}

void ser_path_destroy(ser_path *path)
{
    if (!path)
        return;
    ser_machine_destroy(path->machine);
    free(path->clocks);
    free(path->depth);
    free(path->before);
    free(path->heavy);
    free(path->top);
    free(path->unread);
    free(path->foreign);
    free(path->notify_first);
    ser_vector_free(&path->notifies);
    free(path);
}

bool ser_path_violates(const ser_path *path)
{
    uint32_t thread = path->task->block_thread;
    return ser_machine_alive(path->machine, thread) &&
           ser_machine_next(path->machine, thread)->in_block &&
           ser_machine_reaches(path->machine, thread) && ser_machine_enabled(path->machine, thread);
}

/* Does the next step of the thread end a wait that a notify may want to be over? */
static bool ends_wait(const ser_path *path, uint32_t thread)
{
    uint32_t next = path->machine->next[thread];
    return next > path->task->threads.items[thread].first &&
           path->notify_first[next - 1] < path->notify_first[next];
}

/* Would the thread stop at its next move if it is broken? A read that may change mostly goes on. */
static bool stops_if_broken(const ser_path *path, uint32_t thread)
{
    uint32_t first = path->machine->next[thread], end = ser_task_move_end(path->task, first);
    for (uint32_t i = first; i < end; i++)
        if (step_at(path, i)->limit <= end)
            return true;
    return false;
}

static bool is_futile(const ser_path *path, uint32_t thread)
{
    bool of_block = thread == path->task->block_thread;
    if (ser_path_is_beyond_block(path, thread))
        return true;
    return ser_machine_breaks(path->machine, thread) && stops_if_broken(path, thread) &&
           (of_block || (!ser_machine_reaches(path->machine, thread) && !ends_wait(path, thread)));
}

bool ser_path_able(const ser_path *path, uint32_t thread)
{
    return ser_machine_enabled(path->machine, thread) && !(path->prunes && is_futile(path, thread));
}

static bool step_spoils(const ser_path *path, const ser_task_step *step)
{
    if (!is_write(step))
        return false;
    uint32_t last = path->machine->last_write[step->variable];
    uint32_t own = step->access == SER_ACCESS_RMW && step->source == last;
    return *unread_of(path, step->variable, last) > own;
}

bool ser_path_spoils(const ser_path *path, uint32_t thread)
{
    uint32_t first = path->machine->next[thread];
    for (uint32_t i = first; i < ser_task_move_end(path->task, first); i++)
        if (step_spoils(path, step_at(path, i)))
            return true;
    return false;
}

static bool is_light(const ser_task_step *step)
{
    return step->access == SER_ACCESS_READ || step->action == SER_LOCK_ACQUIRE_SHARED ||
           step->action == SER_LOCK_RELEASE_SHARED;
}

uint32_t ser_path_newest(const ser_path *path, uint32_t step)
{
    const ser_task_step *it = step_at(path, step);
    uint32_t object = object_of(path, it);
    uint32_t top = object == SER_TASK_NONE ? SER_TASK_NONE : path->top[object];
    bool skips = top != SER_TASK_NONE && is_light(it) && is_light(step_at(path, top));
    return skips ? path->heavy[top] : top;
}

uint32_t ser_path_older(const ser_path *path, uint32_t step, uint32_t at)
{
    return is_light(step_at(path, step)) ? path->heavy[at] : path->before[at];
}

/* Puts a step in front of the list of its variable or lock. */
static void link_step(ser_path *path, uint32_t step, uint32_t object)
{
    uint32_t top = path->top[object];
    path->before[step] = top;
    path->heavy[step] =
        top != SER_TASK_NONE && is_light(step_at(path, top)) ? path->heavy[top] : top;
    path->top[object] = step;
}

/* A read, when it happens (-1) and when it is undone (+1). */
static void count_read(ser_path *path, const ser_task_step *step, uint32_t change)
{
    if (is_read(step) && step->source != SER_TASK_NEVER)
        *unread_of(path, step->variable, step->source) += change;
}

void ser_path_note_next(const ser_path *path, uint32_t thread, ser_answer *answer)
{
    uint32_t first = path->machine->next[thread];
    for (uint32_t i = first; i < ser_task_move_end(path->task, first); i++)
        ser_vector_push(&answer->order, i);
}

void ser_path_take(ser_path *path, uint32_t thread)
{
    uint32_t first = path->machine->next[thread];
    for (uint32_t i = first; i < ser_task_move_end(path->task, first); i++) {
        uint32_t object = object_of(path, step_at(path, i));
        path->depth[i] = path->machine->depth;
        if (object != SER_TASK_NONE)
            link_step(path, i, object);
        count_read(path, step_at(path, i), (uint32_t)-1);
    }
    ser_machine_step(path->machine, thread);
}

void ser_path_undo(ser_path *path)
{
    uint32_t last = path->machine->log[path->machine->depth - 1].step;
    uint32_t first = ser_task_move_first(path->task, last);
    for (uint32_t i = last + 1; i-- > first;) {
        uint32_t object = object_of(path, step_at(path, i));
        if (object != SER_TASK_NONE)
            path->top[object] = path->before[i];
        count_read(path, step_at(path, i), 1);
    }
    ser_machine_undo(path->machine);
}
