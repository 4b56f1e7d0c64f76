/* SPDX-License-Identifier: MIT */
/*
 * Which steps are quiet. A step on its own: see is_quiet. A critical section: it is
 * looked at ahead, from the thread's next step to the one after which it holds no
 * lock more than now. In any run that takes the section later, or never, it can be
 * taken now instead: the lock is free afterwards, and nothing else has changed that
 * others could see.
 */
#include "predict/states/world_internal.h"
#include "predict/states/world_values.h"

static uint32_t next_of(const ser_world *world, const ser_task_step *step)
{
    return world->task->threads.items[step->thread].first + world->position[step->thread];
}

/* The thread's first access of the step's variable that is still to come. */
static uint32_t first_access(const ser_world *world, uint32_t number)
{
    uint32_t next = next_of(world, ser_world_step_at(world, number)), first = number;
    while (world->rest[first].previous != SER_TASK_NONE && world->rest[first].previous >= next)
        first = world->rest[first].previous;
    return first;
}

static bool is_access_quiet(const ser_world *world, uint32_t number)
{
    const ser_task_step *step = ser_world_step_at(world, number);
    const ser_step_rest *own = &world->rest[first_access(world, number)];
    if (world->writes_left[step->variable] != own->writes)
        return false;
    return step->access == SER_ACCESS_READ || world->reads_left[step->variable] == own->reads;
}

static bool has_happened(const ser_world *world, uint32_t step)
{
    uint32_t thread = ser_world_step_at(world, step)->thread;
    return step < world->task->threads.items[thread].first + world->position[thread];
}

bool ser_world_uses_freed(const ser_world *world, uint32_t first)
{
    const ser_task *task = world->task;
    if (!task->freed_by.count || ser_world_step_at(world, first)->access == SER_ACCESS_NONE)
        return false;
    for (uint32_t i = first; i < ser_task_move_end(task, first); i++) {
        ser_step_list frees = ser_task_frees_of(task, i);
        for (uint32_t k = 0; k < frees.count; k++)
            if (has_happened(world, task->lists.items[frees.first + k]))
                return true;
    }
    return false;
}

/* Would a quiet read be broken, once its thread gets there? */
static bool will_break(const ser_world *world, uint32_t number)
{
    const ser_task_step *step = ser_world_step_at(world, number);
    if (step->access == SER_ACCESS_WRITE)
        return false;
    uint32_t next = next_of(world, step), write = world->rest[number].previous;
    while (write != SER_TASK_NONE && write >= next &&
           ser_world_step_at(world, write)->access == SER_ACCESS_READ)
        write = world->rest[write].previous;
    if (world->values)
        return ser_world_may_differ(
            world, number, write != SER_TASK_NONE && write >= next ? write : SER_TASK_NONE);
    if (write == SER_TASK_NONE || write < next)
        write = world->last_write[step->variable];
    else if (world->task->may_change && world->changed[step->thread])
        return true; /* it is going to be dirty */
    return write != step->source && !ser_task_accepts(world->task, step, write);
}

/* A step that acts on no variable and no lock only makes others possible, unless it
 * is a wait that may keep a notify from happening. */
static bool is_quiet(const ser_world *world, uint32_t number)
{
    const ser_task_step *step = ser_world_step_at(world, number);
    if (world->blocks_notify[number])
        return false;
    if (step->access != SER_ACCESS_NONE)
        return is_access_quiet(world, number);
    switch ((ser_lock_action)step->action) {
    case SER_LOCK_NONE:
        return true;
    case SER_LOCK_RELEASE:
    case SER_LOCK_RELEASE_SHARED:
        return !world->has_tests[step->lock];
    case SER_LOCK_TEST:
        return false;
    default:
        return !world->has_tests[step->lock] &&
               world->acquires_left[step->lock] == world->rest[number].acquires;
    }
}

static bool is_acquire(const ser_task_step *step)
{
    return step->action == SER_LOCK_ACQUIRE || step->action == SER_LOCK_ACQUIRE_SHARED;
}

/* Can the step be part of a section that is taken whole? */
static bool fits_into_section(const ser_world *world, uint32_t number)
{
    const ser_task_step *step = ser_world_step_at(world, number);
    if (!ser_world_enabled(world, number))
        return false;
    if (is_acquire(step))
        return !world->has_tests[step->lock];
    if (step->access != SER_ACCESS_NONE &&
        (will_break(world, number) || ser_world_uses_freed(world, number)))
        return false;
    return is_quiet(world, number);
}

/* Does the release belong to an acquire among the steps from `first` on? It may also
 * let go of a lock that the thread held before. */
static bool releases_since(const ser_world *world, uint32_t first, uint32_t release)
{
    const ser_task_step *step = ser_world_step_at(world, release);
    ser_lock_action wanted =
        step->action == SER_LOCK_RELEASE ? SER_LOCK_ACQUIRE : SER_LOCK_ACQUIRE_SHARED;
    for (uint32_t i = release; i-- > first;) {
        const ser_task_step *earlier = ser_world_step_at(world, i);
        if (earlier->lock == step->lock && earlier->action == step->action)
            return false;
        if (earlier->lock == step->lock && earlier->action == wanted)
            return true;
    }
    return false;
}

/* Steps from an acquire to where its thread holds no more locks than before; 0 if
 * something on the way is not quiet. */
static uint32_t section_length(const ser_world *world, uint32_t acquire)
{
    const ser_task_thread *thread =
        &world->task->threads.items[ser_world_step_at(world, acquire)->thread];
    uint32_t held = 0;
    for (uint32_t i = acquire; i < thread->first + thread->count; i++) {
        const ser_task_step *step = ser_world_step_at(world, i);
        if (i >= world->limit[step->thread] || !fits_into_section(world, i))
            return 0;
        if (is_acquire(step))
            held++;
        else if (step->action != SER_LOCK_NONE && releases_since(world, acquire, i))
            held--;
        if (!held)
            return i - acquire + 1;
    }
    return 0;
}

/* How many steps the move has that starts here, if all are quiet; else 0. */
static uint32_t quiet_move(const ser_world *world, uint32_t first)
{
    uint32_t end = ser_task_move_end(world->task, first);
    for (uint32_t i = first; i < end; i++)
        if (!is_quiet(world, i))
            return 0;
    if (world->task->has_unspoiled && (ser_world_breaks(world, first) || world->values))
        return 0; /* others may have to come before it */
    return end - first;
}

uint32_t ser_world_quiet_steps(const ser_world *world, uint32_t thread)
{
    uint32_t step = ser_world_next(world, thread);
    if (step == SER_TASK_NONE || !ser_world_enabled(world, step))
        return 0;
    uint32_t quiet = quiet_move(world, step);
    if (quiet)
        return quiet;
    return is_acquire(ser_world_step_at(world, step)) ? section_length(world, step) : 0;
}
