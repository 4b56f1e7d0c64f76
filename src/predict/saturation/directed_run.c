/* SPDX-License-Identifier: MIT */
#include "predict/saturation/directed_run.h"

void ser_directed_run_init(ser_directed_run *run, const ser_task *task)
{
    run->machine = ser_machine_create(task);
    run->readers = ser_alloc(task->steps.count + 1, sizeof *run->readers);
    run->waiting = ser_alloc((size_t)task->variables + 1, sizeof *run->waiting);
}

void ser_directed_run_fini(ser_directed_run *run)
{
    ser_machine_destroy(run->machine);
    free(run->readers);
    free(run->waiting);
}

/* The count of readers of what a variable holds. */
static uint32_t *readers_of(ser_directed_run *run, uint32_t variable, uint32_t write)
{
    return write == SER_TASK_START ? &run->waiting[variable] : &run->readers[write];
}

static void count_readers(ser_directed_run *run, const ser_closure *closure)
{
    const ser_task *task = closure->task;
    memset(run->readers, 0, task->steps.count * sizeof *run->readers);
    memset(run->waiting, 0, task->variables * sizeof *run->waiting);
    for (size_t t = 0; t < task->threads.count; t++) {
        for (uint32_t i = 0; i < closure->demanded[t]; i++) {
            uint32_t number = task->threads.items[t].first + i;
            const ser_task_step *step = &task->steps.items[number];
            if (ser_closure_fixes_source(closure, number))
                ++*readers_of(run, step->variable, step->source);
        }
    }
}

/* Have all steps happened that the closure puts before this one? */
static bool is_its_turn(const ser_directed_run *run, const ser_closure *closure, uint32_t step)
{
    const ser_task *task = closure->task;
    for (uint32_t t = 0; t < task->threads.count; t++)
        if (run->machine->next[t] - task->threads.items[t].first <
            ser_closure_count(closure, t, step))
            return false;
    return true;
}

/* Would it overwrite what a demanded read is still to see? */
static bool step_spoils(ser_directed_run *run, const ser_closure *closure, uint32_t number)
{
    const ser_task_step *step = &closure->task->steps.items[number];
    if (step->access != SER_ACCESS_WRITE && step->access != SER_ACCESS_RMW)
        return false;
    uint32_t write = run->machine->last_write[step->variable];
    uint32_t readers = *readers_of(run, step->variable, write);
    return readers > ser_closure_fixes_source(closure, number);
}

static bool spoils(ser_directed_run *run, const ser_closure *closure, uint32_t first)
{
    for (uint32_t i = first; i < ser_task_move_end(closure->task, first); i++)
        if (step_spoils(run, closure, i))
            return true;
    return false;
}

static bool can_take(ser_directed_run *run, const ser_closure *closure, uint32_t thread)
{
    uint32_t next = run->machine->next[thread];
    bool is_unbroken = ser_closure_demands_unbroken(closure, next);
    return is_its_turn(run, closure, next) && ser_machine_enabled(run->machine, thread) &&
           !(is_unbroken && ser_machine_breaks(run->machine, thread)) &&
           !spoils(run, closure, next);
}

/* The thread with a demanded step to take that was observed first. */
static uint32_t choose_thread(ser_directed_run *run, const ser_closure *closure)
{
    const ser_task *task = closure->task;
    uint32_t best = SER_TASK_NONE, first = UINT32_MAX;
    for (uint32_t t = 0; t < task->threads.count; t++) {
        uint32_t next = run->machine->next[t];
        if (next - task->threads.items[t].first >= closure->demanded[t] ||
            task->steps.items[next].event >= first || !can_take(run, closure, t))
            continue;
        best = t;
        first = task->steps.items[next].event;
    }
    return best;
}

/* The reads of a move that is about to be made have reached what they are to see. */
static void stop_waiting(ser_directed_run *run, const ser_closure *closure, uint32_t first)
{
    for (uint32_t i = first; i < ser_task_move_end(closure->task, first); i++) {
        const ser_task_step *step = &closure->task->steps.items[i];
        if (ser_closure_fixes_source(closure, i))
            --*readers_of(run, step->variable, step->source);
    }
}

/* Until the block is violated, or the end has come. */
static bool take(ser_directed_run *run, const ser_closure *closure, bool to_the_end)
{
    ser_machine_reset(run->machine);
    count_readers(run, closure);
    for (;;) {
        uint32_t thread = choose_thread(run, closure);
        if (thread == SER_TASK_NONE)
            return false;
        stop_waiting(run, closure, run->machine->next[thread]);
        bool violated = ser_machine_step(run->machine, thread);
        if (to_the_end ? ser_machine_happened(run->machine, closure->end) : violated)
            return true;
    }
}

bool ser_directed_run_take(ser_directed_run *run, const ser_closure *closure)
{
    return take(run, closure, false);
}

bool ser_directed_run_take_all(ser_directed_run *run, const ser_closure *closure)
{
    return take(run, closure, true);
}
