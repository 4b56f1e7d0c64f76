/* SPDX-License-Identifier: MIT */
/*
 * Depth first search without recursion: the frames of the stack say what is left to
 * be tried at each state of the path. Entering a state (enter_state) chooses one thread
 * to go on with; races found later, further down, add others to the frames above. A
 * thread that was tried goes to sleep for its siblings: it need not be tried again below
 * them until a step that depends on its own has been taken.
 *
 * With a bound on context switches, threads that would exceed it are passed over. Switching away
 * from a thread that cannot go on, or only by breaking or spoiling a read, is not counted.
 */
#include "predict/dpor/explore.h"

#include "predict/dpor/stack.h"

enum { STEPS_BETWEEN_POLLS = 512 };

typedef struct explorer {
    ser_path *path;
    ser_stack *stack;
    const ser_search_options *options;
    ser_answer *answer;
    ser_criterion criterion;
    uint32_t bound;
    bool passed_over; /* a thread, because of the bound */
    uint32_t steps;   /* since the last poll */
} explorer;

/* Can the thread go on, without harm to a read? */
static bool goes_on_well(const ser_path *path, const ser_frame *frame, uint32_t thread)
{
    return ser_threads_has(frame->able, thread) && !ser_machine_breaks(path->machine, thread) &&
           !ser_path_spoils(path, thread);
}

/* Is the bound wide enough to go on with the thread? */
static bool is_affordable(const explorer *search, const ser_frame *frame, uint32_t thread)
{
    bool switches = frame->preempts && thread != frame->thread;
    return frame->switches + switches <= search->bound;
}

/* The smaller, the sooner: the thread at hand, then threads as they were observed;
 * what would spoil or break a read last. */
static uint64_t rank(const explorer *search, const ser_frame *frame, uint32_t thread)
{
    const ser_path *path = search->path;
    uint64_t event = ser_machine_next(path->machine, thread)->event;
    if (ser_machine_breaks(path->machine, thread))
        return (uint64_t)2 << 32 | event;
    if (ser_path_spoils(path, thread))
        return (uint64_t)1 << 32 | event;
    return thread == frame->thread ? 0 : event;
}

/* The best thread to go on with from a state that has just been entered. */
static uint32_t choose_first(explorer *search, const ser_frame *frame)
{
    uint32_t best = SER_NO_THREAD;
    uint64_t best_rank = UINT64_MAX;
    for (uint32_t i = 0; i < search->path->threads; i++) {
        if (!ser_threads_has(frame->able, i) || ser_threads_has(frame->sleep, i))
            continue;
        if (!is_affordable(search, frame, i)) {
            search->passed_over = true;
            continue;
        }
        uint64_t its_rank = rank(search, frame, i);
        if (its_rank < best_rank) {
            best_rank = its_rank;
            best = i;
        }
    }
    return best;
}

/* A thread that is still to be tried from the state on top. */
static uint32_t choose_next(explorer *search, ser_frame *frame)
{
    for (uint32_t word = 0; word < search->stack->words; word++) {
        uint64_t left = frame->backtrack[word] & ~frame->done[word] & ~frame->sleep[word];
        for (; left; left &= left - 1) {
            uint32_t thread = word * 64 + (uint32_t)__builtin_ctzll(left);
            if (is_affordable(search, frame, thread))
                return thread;
            search->passed_over = true;
            ser_threads_remove(frame->backtrack, thread);
        }
    }
    return SER_NO_THREAD;
}

static void note_order(explorer *search)
{
    const ser_machine *machine = search->path->machine;
    for (uint32_t i = 0; i < machine->depth; i++)
        ser_vector_push(&search->answer->order, machine->log[i].step);
}

static bool is_violated_at_leaf(const explorer *search)
{
    return search->criterion == SER_CRITERION_SERIALIZABILITY &&
           ser_machine_on_cycle(search->path->machine);
}

/* Whether the run is over or what is left of it is asleep, its races count. */
static bool end_run(explorer *search)
{
    search->answer->explored++;
    ser_races_at_leaf(search->stack);
    if (!is_violated_at_leaf(search))
        return false;
    note_order(search);
    return true;
}

/* The path has reached a new state, whose frame has its thread, switches and sleep. True
 * if a violation was found. */
static bool enter_state(explorer *search)
{
    ser_path *path = search->path;
    ser_frame *frame = ser_stack_top(search->stack);
    if (ser_path_violates(path)) {
        note_order(search);
        ser_path_note_next(path, path->task->block_thread, search->answer);
        search->answer->explored++;
        return true;
    }
    for (uint32_t i = 0; i < search->stack->words; i++)
        frame->able[i] = frame->backtrack[i] = frame->done[i] = 0;
    for (uint32_t i = 0; i < path->threads; i++)
        if (ser_path_able(path, i))
            ser_threads_add(frame->able, i);
    frame->preempts = frame->thread != SER_NO_THREAD && goes_on_well(path, frame, frame->thread);
    uint32_t first = choose_first(search, frame);
    if (first == SER_NO_THREAD)
        return end_run(search);
    ser_threads_add(frame->backtrack, first);
    return false;
}

/* Those asleep before or tried already stay asleep below a step, if independent of it. */
static void put_to_sleep(explorer *search, const ser_frame *from, ser_frame *to, uint32_t step)
{
    const ser_path *path = search->path;
    for (uint32_t word = 0; word < search->stack->words; word++) {
        uint64_t left = from->sleep[word] | from->done[word];
        to->sleep[word] = left;
        for (; left; left &= left - 1) {
            uint32_t thread = word * 64 + (uint32_t)__builtin_ctzll(left);
            if (ser_path_dependent(path, path->machine->next[thread], step))
                ser_threads_remove(to->sleep, thread);
        }
    }
}

static bool go_down(explorer *search, uint32_t thread)
{
    uint32_t step = search->path->machine->next[thread];
    ser_frame *from = ser_stack_top(search->stack);
    ser_frame *to = from + (ser_task_move_end(search->path->task, step) - step);
    put_to_sleep(search, from, to, step);
    ser_threads_add(from->done, thread);
    to->thread = thread;
    to->switches = from->switches + (from->preempts && thread != from->thread);
    ser_races_before_step(search->stack, thread);
    ser_path_take(search->path, thread);
    search->steps++;
    return enter_state(search);
}

static bool must_stop(explorer *search)
{
    if (search->steps < STEPS_BETWEEN_POLLS)
        return false;
    search->steps = 0;
    return ser_search_must_stop(search->options, &search->answer->reason);
}

static void enter_first_state(explorer *search)
{
    ser_frame *frame = ser_stack_top(search->stack);
    frame->thread = SER_NO_THREAD;
    frame->switches = 0;
    for (uint32_t i = 0; i < search->stack->words; i++)
        frame->sleep[i] = 0;
}

static ser_dpor_result search_all(explorer *search)
{
    enter_first_state(search);
    bool found = enter_state(search);
    while (!found) {
        if (must_stop(search))
            return SER_EXPLORED_STOPPED;
        uint32_t thread = choose_next(search, ser_stack_top(search->stack));
        if (thread != SER_NO_THREAD)
            found = go_down(search, thread);
        else if (search->path->machine->depth > 0)
            ser_path_undo(search->path);
        else
            return search->passed_over ? SER_EXPLORED_BOUNDED : SER_EXPLORED_ALL;
    }
    return SER_EXPLORED_FOUND;
}

ser_dpor_result ser_explore(const ser_task *task, ser_criterion criterion,
                            const ser_search_options *options, uint32_t switches,
                            ser_answer *answer)
{
    ser_path *path = ser_path_create(task, criterion);
    ser_dpor_result result = SER_EXPLORED_ALL;
    if (criterion != SER_CRITERION_PATH || !ser_path_is_hopeless(path)) {
        ser_stack *stack = ser_stack_create(path);
        explorer search = {.path = path,
                           .stack = stack,
                           .options = options,
                           .answer = answer,
                           .criterion = criterion,
                           .bound = switches};
        result = search_all(&search);
        ser_stack_destroy(stack);
    }
    ser_path_destroy(path);
    return result;
}

size_t ser_explore_bytes(const ser_task *task)
{
    return ser_path_bytes(task) + ser_stack_bytes(task);
}
