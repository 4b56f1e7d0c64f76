/* SPDX-License-Identifier: MIT */
/*
 * Which steps are dependent, and which of them are races (path.h). Needs and clear
 * lists make steps dependent, but of them only a wait and a notify that has it in its
 * clear list can ever come in either order; ser_path_dependent is asked about steps that
 * are enabled together, so it need not look at others.
 */
#include "predict/dpor/path.h"

static bool writes(const ser_task_step *step)
{
    return step->access == SER_ACCESS_WRITE || step->access == SER_ACCESS_RMW;
}

static bool can_change(const ser_task_step *step)
{
    return step->access == SER_ACCESS_READ || step->access == SER_ACCESS_RMW ||
           step->action == SER_LOCK_TEST;
}

static bool is_acquire(const ser_task_step *step)
{
    return step->action == SER_LOCK_ACQUIRE || step->action == SER_LOCK_ACQUIRE_SHARED;
}

static bool is_release(const ser_task_step *step)
{
    return step->action == SER_LOCK_RELEASE || step->action == SER_LOCK_RELEASE_SHARED;
}

static bool is_shared(const ser_task_step *step)
{
    return step->action == SER_LOCK_ACQUIRE_SHARED || step->action == SER_LOCK_RELEASE_SHARED;
}

/* A test sees every change of the lock. Releases do not hinder one another, nor do
 * shared actions. */
static bool actions_depend(const ser_task_step *a, const ser_task_step *b)
{
    if (a->action == SER_LOCK_TEST || b->action == SER_LOCK_TEST)
        return a->action != b->action;
    return !(is_release(a) && is_release(b)) && !(is_shared(a) && is_shared(b));
}

bool ser_path_dependent_there(const ser_path *path, uint32_t one, uint32_t other)
{
    const ser_task_step *a = &path->task->steps.items[one], *b = &path->task->steps.items[other];
    return a->access != SER_ACCESS_NONE ? writes(a) || writes(b) : actions_depend(a, b);
}

bool ser_path_dependent_by_change(const ser_path *path, uint32_t one, uint32_t other)
{
    const ser_task_step *a = &path->task->steps.items[one], *b = &path->task->steps.items[other];
    return (a->unspoiled && can_change(b)) || (b->unspoiled && can_change(a));
}

static bool is_listed(const ser_path *path, ser_step_list list, uint32_t step)
{
    for (uint32_t i = 0; i < list.count; i++)
        if (path->task->lists.items[list.first + i] == step)
            return true;
    return false;
}

static bool steps_depend(const ser_path *path, uint32_t one, uint32_t other)
{
    const ser_task_step *a = &path->task->steps.items[one], *b = &path->task->steps.items[other];
    bool accesses = a->access != SER_ACCESS_NONE && b->access != SER_ACCESS_NONE;
    bool actions = a->action != SER_LOCK_NONE && b->action != SER_LOCK_NONE;
    if (((accesses && a->variable == b->variable) || (actions && a->lock == b->lock)) &&
        ser_path_dependent_there(path, one, other))
        return true;
    if (path->task->has_unspoiled && ser_path_dependent_by_change(path, one, other))
        return true;
    return is_listed(path, a->clear, other) || is_listed(path, b->clear, one);
}

bool ser_path_dependent(const ser_path *path, uint32_t one, uint32_t other)
{
    uint32_t one_end = ser_task_move_end(path->task, one);
    uint32_t other_end = ser_task_move_end(path->task, other);
    for (uint32_t i = one; i < one_end; i++)
        for (uint32_t k = other; k < other_end; k++)
            if (steps_depend(path, i, k))
                return true;
    return false;
}

static ser_race access_race(const ser_path *path, const ser_task_step *e, const ser_task_step *f)
{
    if (!writes(e) && !writes(f))
        return SER_RACE_NONE;
    bool breaks = writes(e) && f->access != SER_ACCESS_WRITE;
    return breaks && path->prunes ? SER_RACE_DISABLING : SER_RACE_PLAIN;
}

/* A release and an acquire never come in the other order: the lock is held. */
static ser_race lock_race(const ser_path *path, const ser_task_step *e, const ser_task_step *f)
{
    if (!actions_depend(e, f))
        return SER_RACE_NONE;
    if (f->action == SER_LOCK_TEST)
        return path->prunes ? SER_RACE_DISABLING : SER_RACE_PLAIN;
    if (e->action == SER_LOCK_TEST)
        return SER_RACE_PLAIN;
    return is_acquire(e) && is_acquire(f) ? SER_RACE_DISABLING : SER_RACE_NONE;
}

ser_race ser_path_race(const ser_path *path, uint32_t earlier, uint32_t later)
{
    const ser_task_step *e = &path->task->steps.items[earlier];
    const ser_task_step *f = &path->task->steps.items[later];
    ser_race race = SER_RACE_NONE;
    if (e->access != SER_ACCESS_NONE && f->access != SER_ACCESS_NONE && e->variable == f->variable)
        race = access_race(path, e, f);
    else if (e->action != SER_LOCK_NONE && f->action != SER_LOCK_NONE && e->lock == f->lock)
        race = lock_race(path, e, f);
    if (race != SER_RACE_DISABLING &&
        ((f->unspoiled && can_change(e)) || is_listed(path, f->clear, earlier)))
        return SER_RACE_DISABLING;
    if (race == SER_RACE_NONE &&
        ((e->unspoiled && can_change(f)) || is_listed(path, e->clear, later)))
        return SER_RACE_PLAIN;
    return race;
}

bool ser_path_is_barrier(const ser_path *path, uint32_t step)
{
    const ser_task_step *it = &path->task->steps.items[step];
    return writes(it) || it->action == SER_LOCK_ACQUIRE || it->action == SER_LOCK_RELEASE;
}
