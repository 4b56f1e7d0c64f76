/* SPDX-License-Identifier: MIT */
/*
 * What a lock step means can depend on the rest of its thread. Two facts are enough,
 * and one walk over each thread finds them (survey_thread):
 *
 *   shares[s]     s acquires a lock exclusively that its own thread holds shared
 *   hold_end[s]   s acquires a lock: the release that ends it, SER_TASK_NONE for none;
 *                 s tests a lock: the release that ends the hold which made it fail
 *
 * With hold_end, whether a failed try would fail the same way follows from `next`.
 */
#include "predict/task/machine_internal.h"

#include "base/memory.h"

typedef struct surveyor {
    ser_machine *machine;
    uint32_t *start_end; /* by lock: the release that ends an exclusive hold of the start */
    /* by lock, of the thread at hand; what is left over from other threads is reset */
    uint32_t *open, *open_shared; /* acquire not yet released; START: held from the start */
} surveyor;

static bool shares_at_start(const ser_task_lock *lock, uint32_t thread)
{
    for (size_t i = 0; i < lock->sharers.count; i++)
        if (lock->sharers.items[i] == thread)
            return true;
    return false;
}

/* A step of the thread meets a lock for the first time: does it hold it? */
static void open_lock(surveyor *survey, uint32_t thread, uint32_t number)
{
    const ser_task_lock *lock = &survey->machine->task->locks.items[number];
    survey->open[number] = lock->holder == thread ? SER_TASK_START : SER_TASK_NONE;
    survey->open_shared[number] = shares_at_start(lock, thread) ? SER_TASK_START : SER_TASK_NONE;
}

static void close_hold(surveyor *survey, uint32_t *open, uint32_t lock, uint32_t release)
{
    if (open[lock] == SER_TASK_START && open == survey->open)
        survey->start_end[lock] = release;
    else if (open[lock] < SER_TASK_NONE)
        survey->machine->hold_end[open[lock]] = release;
    open[lock] = SER_TASK_NONE;
}

static void survey_step(surveyor *survey, uint32_t number)
{
    const ser_task_step *step = &survey->machine->task->steps.items[number];
    switch ((ser_lock_action)step->action) {
    case SER_LOCK_ACQUIRE:
        survey->machine->shares[number] = survey->open_shared[step->lock] != SER_TASK_NONE;
        survey->open[step->lock] = number;
        break;
    case SER_LOCK_ACQUIRE_SHARED:
        survey->open_shared[step->lock] = number;
        break;
    case SER_LOCK_RELEASE:
        close_hold(survey, survey->open, step->lock, number);
        break;
    case SER_LOCK_RELEASE_SHARED:
        close_hold(survey, survey->open_shared, step->lock, number);
        break;
    default:
        break;
    }
}

static void survey_thread(surveyor *survey, uint32_t thread)
{
    const ser_task *task = survey->machine->task;
    const ser_task_thread *range = &task->threads.items[thread];
    for (uint32_t i = range->first; i < range->first + range->count; i++)
        if (task->steps.items[i].action != SER_LOCK_NONE)
            open_lock(survey, thread, task->steps.items[i].lock);
    for (uint32_t i = range->first; i < range->first + range->count; i++)
        survey_step(survey, i);
}

/* A failed try ends to fail with the hold of its source. */
static void survey_tests(surveyor *survey)
{
    ser_machine *machine = survey->machine;
    for (uint32_t i = 0; i < machine->task->steps.count; i++) {
        const ser_task_step *step = &machine->task->steps.items[i];
        if (step->action != SER_LOCK_TEST)
            continue;
        if (step->source == SER_TASK_START)
            machine->hold_end[i] = survey->start_end[step->lock];
        else if (step->source < SER_TASK_NONE)
            machine->hold_end[i] = machine->hold_end[step->source];
    }
}

uint32_t *ser_machine_none_each(size_t count)
{
    uint32_t *items = ser_alloc(count, sizeof *items);
    for (size_t i = 0; i < count; i++)
        items[i] = SER_TASK_NONE;
    return items;
}

void ser_machine_survey(ser_machine *machine)
{
    const ser_task *task = machine->task;
    surveyor survey = {machine, ser_machine_none_each(task->locks.count),
                       ser_machine_none_each(task->locks.count),
                       ser_machine_none_each(task->locks.count)};
    for (uint32_t i = 0; i < task->threads.count; i++)
        survey_thread(&survey, i);
    survey_tests(&survey);
    free(survey.start_end);
    free(survey.open);
    free(survey.open_shared);
}
