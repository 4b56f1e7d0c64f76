/* SPDX-License-Identifier: MIT */
/*
 * Where must the search go back to? If a step e of the path and a later step f of
 * another thread are a race, runs in which f comes first have to be looked at from the
 * state before e. Such a run must begin with a step that leads up to f without e: let v
 * be the steps of the path behind e that happen before f but not after e, and then f.
 * A step of v with no other step of v before it is one to begin with, an *initial*.
 *
 * For a plain race one initial is enough, and only races need to be looked at that no
 * third step separates, at the moment when f is taken (find_plain_races). A disabling
 * race is found with all steps e, and not only when f is taken but also where the path
 * ends without f; then every initial is added, and f. docs/algorithms/dpor.md has the proof.
 *
 * Cost: for each step O(threads) times the steps it depends on, for each race
 * O(threads * log(steps) + initials^2).
 */
#include "predict/dpor/stack.h"

static void join_clock(const ser_path *path, uint32_t *clock, uint32_t step)
{
    const uint32_t *other = ser_path_clock(path, step);
    for (uint32_t i = 0; i < path->threads; i++)
        if (other[i] > clock[i])
            clock[i] = other[i];
}

/* The clock of what the thread has done so far. */
static void copy_past(const ser_path *path, uint32_t thread, uint32_t *clock)
{
    uint32_t next = path->machine->next[thread];
    if (next == path->task->threads.items[thread].first)
        memset(clock, 0, path->threads * sizeof *clock);
    else
        memcpy(clock, ser_path_clock(path, next - 1), path->threads * sizeof *clock);
}

/* A dependent step that happened comes before the step `later` whose clock this is; if
 * nothing between them says so already, it may be a plain race. */
static void come_after(ser_stack *stack, uint32_t earlier, uint32_t later)
{
    const ser_path *path = stack->path;
    if (!ser_machine_happened(path->machine, earlier) ||
        ser_path_counts(path, stack->clock, earlier))
        return;
    if (ser_path_race(path, earlier, later) == SER_RACE_PLAIN)
        ser_vector_push(&stack->races, earlier);
    join_clock(path, stack->clock, earlier);
}

static void come_after_notifies(ser_stack *stack, uint32_t wait, uint32_t later)
{
    const ser_path *path = stack->path;
    for (uint32_t i = path->notify_first[wait]; i < path->notify_first[wait + 1]; i++)
        come_after(stack, path->notifies.items[i], later);
}

static bool is_last_of_thread(const ser_task *task, uint32_t step)
{
    const ser_task_thread *thread = &task->threads.items[task->steps.items[step].thread];
    return step + 1 == thread->first + thread->count;
}

static void come_after_needs_and_waits(ser_stack *stack, uint32_t step)
{
    const ser_task *task = stack->path->task;
    const ser_task_step *it = &task->steps.items[step];
    for (uint32_t i = 0; i < it->needs.count; i++)
        come_after(stack, task->lists.items[it->needs.first + i], step);
    for (uint32_t i = 0; i < it->clear.count; i++) {
        uint32_t wait = task->lists.items[it->clear.first + i];
        if (!is_last_of_thread(task, wait))
            come_after(stack, wait + 1, step);
        come_after(stack, wait, step);
    }
    uint32_t last = ser_task_move_end(task, step) - 1; /* clear lists name only that one */
    come_after_notifies(stack, last, last);
    if (step > task->threads.items[it->thread].first)
        come_after_notifies(stack, step - 1, step);
}

/* Newer steps come first, so that an older one which they separate from the step is
 * counted when its turn comes. */
static void come_after_accesses(ser_stack *stack, uint32_t step)
{
    const ser_path *path = stack->path;
    for (uint32_t i = ser_path_newest(path, step); i != SER_TASK_NONE;
         i = ser_path_older(path, step, i)) {
        if (ser_path_dependent_there(path, i, step))
            come_after(stack, i, step);
        if (ser_path_is_barrier(path, i))
            break;
    }
}

/* The same for unspoiled steps and those that might be changed, on whatever variables. */
static void come_after_changes(ser_stack *stack, uint32_t step)
{
    const ser_path *path = stack->path;
    for (uint32_t i = path->machine->depth; i-- > 0;) {
        uint32_t earlier = path->machine->log[i].step;
        if (ser_path_dependent_by_change(path, earlier, step))
            come_after(stack, earlier, step);
    }
}

/* Writes the clock of a thread's next step, as if it happened now, to stack->clock and
 * its plain races to stack->races. */
static void find_plain_races(ser_stack *stack, uint32_t thread)
{
    const ser_path *path = stack->path;
    uint32_t first = path->machine->next[thread], end = ser_task_move_end(path->task, first);
    stack->races.count = 0;
    copy_past(path, thread, stack->clock);
    come_after_needs_and_waits(stack, first);
    for (uint32_t step = first; step < end; step++) {
        come_after_accesses(stack, step);
        if (path->task->has_unspoiled)
            come_after_changes(stack, step);
    }
    stack->clock[thread] = ser_path_index(path, end - 1) + 1;
}

/* The first step of a thread behind the given depth, among the first `count`. */
static uint32_t first_behind(const ser_path *path, uint32_t thread, uint32_t count, uint32_t depth)
{
    uint32_t low = path->task->threads.items[thread].first, high = low + count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (path->depth[middle] < depth)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* For each thread its first step in v, without the move f itself; see the top of the
 * file. */
static void find_heads(ser_stack *stack, uint32_t e, uint32_t f)
{
    const ser_path *path = stack->path;
    uint32_t later = path->task->steps.items[f].thread;
    stack->heads.count = 0;
    for (uint32_t i = 0; i < path->threads; i++) {
        uint32_t first = path->task->threads.items[i].first;
        uint32_t count = i == later ? ser_path_index(path, f) : stack->clock[i];
        if (count == 0 || path->depth[first + count - 1] < path->depth[e])
            continue;
        uint32_t head = first_behind(path, i, count, path->depth[e]);
        if (!ser_path_counts(path, ser_path_clock(path, head), e))
            ser_vector_push(&stack->heads, head);
    }
}

static bool is_initial(const ser_stack *stack, uint32_t head)
{
    const ser_path *path = stack->path;
    const uint32_t *clock = ser_path_clock(path, head);
    for (size_t i = 0; i < stack->heads.count; i++)
        if (stack->heads.items[i] != head && ser_path_counts(path, clock, stack->heads.items[i]))
            return false;
    return true;
}

/* Fills stack->initials, by thread. All heads come before f, so it is one itself only
 * if there are none. */
static void find_initials(ser_stack *stack, uint32_t e, uint32_t f)
{
    const ser_task *task = stack->path->task;
    stack->initials.count = 0;
    find_heads(stack, e, f);
    for (size_t i = 0; i < stack->heads.count; i++)
        if (is_initial(stack, stack->heads.items[i]))
            ser_vector_push(&stack->initials, task->steps.items[stack->heads.items[i]].thread);
    if (stack->heads.count == 0)
        ser_vector_push(&stack->initials, task->steps.items[f].thread);
}

/* Could the search try the thread there? Otherwise no run begins with it, or they have
 * been looked at. */
static bool is_open(const ser_frame *frame, uint32_t thread)
{
    return ser_threads_has(frame->able, thread) && !ser_threads_has(frame->sleep, thread);
}

/* If one of the initials cannot be tried, then no run left to look at begins with v. */
static void add_one_initial(ser_stack *stack, uint32_t e, uint32_t f)
{
    ser_frame *frame = &stack->frames[stack->path->depth[e]];
    find_initials(stack, e, f);
    for (size_t i = 0; i < stack->initials.count; i++)
        if (!is_open(frame, stack->initials.items[i]) ||
            ser_threads_has(frame->backtrack, stack->initials.items[i]))
            return;
    ser_threads_add(frame->backtrack, stack->initials.items[0]);
}

/* Of a thread that already stands at f before e, f itself may be what to begin with, even
 * if steps that happened in between come before f on this path. */
static void add_all_initials(ser_stack *stack, uint32_t e, uint32_t f)
{
    const ser_path *path = stack->path;
    ser_frame *frame = &stack->frames[path->depth[e]];
    find_initials(stack, e, f);
    if (ser_path_index(path, f) == 0 || path->depth[f - 1] < path->depth[e])
        ser_vector_push(&stack->initials, path->task->steps.items[f].thread);
    for (size_t i = 0; i < stack->initials.count; i++)
        if (is_open(frame, stack->initials.items[i]))
            ser_threads_add(frame->backtrack, stack->initials.items[i]);
}

/* Did the step happen before what the thread has done so far? */
static bool is_past(const ser_path *path, uint32_t thread, uint32_t step)
{
    uint32_t next = path->machine->next[thread];
    return next > path->task->threads.items[thread].first &&
           ser_path_counts(path, ser_path_clock(path, next - 1), step);
}

/* This and the next need the clock of find_plain_races. */
static void reverse_races_with_waits(ser_stack *stack, uint32_t thread)
{
    const ser_path *path = stack->path;
    uint32_t step = path->machine->next[thread];
    ser_step_list clear = path->task->steps.items[step].clear;
    for (uint32_t i = 0; i < clear.count; i++) {
        uint32_t wait = path->task->lists.items[clear.first + i];
        if (ser_machine_happened(path->machine, wait) && !is_past(path, thread, wait))
            add_all_initials(stack, wait, step);
    }
}

static void reverse_disabling_accesses(ser_stack *stack, uint32_t thread, uint32_t step)
{
    const ser_path *path = stack->path;
    for (uint32_t i = ser_path_newest(path, step); i != SER_TASK_NONE;
         i = ser_path_older(path, step, i)) {
        if (!is_past(path, thread, i)) {
            if (ser_path_race(path, i, step) == SER_RACE_DISABLING)
                add_all_initials(stack, i, path->machine->next[thread]);
        } else if (ser_path_is_barrier(path, i)) {
            break; /* older ones are past as well */
        }
    }
}

/* A step that is unspoiled may be kept from happening by any that was changed. */
static void reverse_changes(ser_stack *stack, uint32_t thread)
{
    const ser_path *path = stack->path;
    uint32_t step = path->machine->next[thread];
    if (!path->task->steps.items[step].unspoiled)
        return;
    for (uint32_t i = path->machine->depth; i-- > 0;) {
        uint32_t earlier = path->machine->log[i].step;
        if (path->task->steps.items[earlier].thread != thread &&
            ser_path_dependent_by_change(path, earlier, step) && !is_past(path, thread, earlier))
            add_all_initials(stack, earlier, step);
    }
}

static void reverse_disabling_races(ser_stack *stack, uint32_t thread)
{
    const ser_path *path = stack->path;
    uint32_t first = path->machine->next[thread], end = ser_task_move_end(path->task, first);
    for (uint32_t step = first; step < end; step++)
        reverse_disabling_accesses(stack, thread, step);
    reverse_changes(stack, thread);
    reverse_races_with_waits(stack, thread);
}

void ser_races_before_step(ser_stack *stack, uint32_t thread)
{
    const ser_path *path = stack->path;
    uint32_t step = path->machine->next[thread];
    find_plain_races(stack, thread);
    for (uint32_t i = step; i < ser_task_move_end(path->task, step); i++)
        memcpy(ser_path_clock(path, i), stack->clock, path->threads * sizeof *stack->clock);
    for (size_t i = 0; i < stack->races.count; i++)
        add_one_initial(stack, stack->races.items[i], step);
    reverse_disabling_races(stack, thread);
}

/* At its last chance the block needs nothing but to be reached. No step prevents that,
 * unless a broken read may keep read-modify-writes of other variables from writing, or the
 * step is unspoiled. */
static bool can_be_spoilt(const ser_path *path)
{
    const ser_task_step *step = &path->task->steps.items[path->last_chance];
    return path->task->may_change || (step->joined && step->access == SER_ACCESS_RMW);
}

void ser_races_at_leaf(ser_stack *stack)
{
    const ser_path *path = stack->path;
    for (uint32_t i = 0; i < path->threads; i++) {
        if (!ser_machine_alive(path->machine, i))
            continue;
        bool is_last = ser_path_is_beyond_block(path, i);
        if (is_last && path->machine->next[i] != path->last_chance)
            continue;
        find_plain_races(stack, i);
        if (is_last && !can_be_spoilt(path))
            reverse_races_with_waits(stack, i);
        else
            reverse_disabling_races(stack, i);
    }
}
