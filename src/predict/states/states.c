/* SPDX-License-Identifier: MIT */
/*
 * states.c - is a violation reachable? Depth first over hashed states.
 *
 * For one block the question is reachability in a finite graph without cycles. A
 * state that was seen is not entered again, which turns exponentially many
 * interleavings into polynomially many states for a fixed number of threads. Where a
 * thread's next steps are quiet (their order with all that others may still do has no
 * effect), only they are tried, as one move: a persistent set of one.
 *
 * Before that, a few runs that often show a violation at once (trial_runs.h).
 *
 * The main function is search_states. Cost: O(states * threads) time, 16 bytes a state.
 */
#include "predict/search.h"
#include "predict/states/trial_runs.h"
#include "predict/states/world.h"

/* A state on the way from the first to the current one. */
typedef struct frame {
    uint32_t steps; /* that led here from the state before */
    uint32_t tried; /* threads tried so far */
    uint32_t only;  /* the one thread to try, or SER_TASK_NONE for all */
    uint32_t quiet; /* how many steps of it are one move */
} frame;

typedef struct search {
    ser_world world;
    const ser_search_options *options;
    ser_answer *answer;
    ser_visited visited;
    SER_VECTOR(frame) frames;
} search;

enum { STEPS_BETWEEN_LOOKS = 256 };

static frame new_frame(const ser_world *world, uint32_t steps)
{
    frame fresh = {.steps = steps, .only = SER_TASK_NONE};
    for (uint32_t i = 0; i < world->task->threads.count; i++) {
        uint32_t quiet = ser_world_quiet_steps(world, i);
        if (quiet) {
            fresh.only = i;
            fresh.quiet = quiet;
            break;
        }
    }
    return fresh;
}

static void undo_steps(search *work, uint32_t steps)
{
    while (steps-- > 0)
        ser_world_undo(&work->world);
}

/* Enters the current state, unless nothing can come of it. */
static void enter(search *work, uint32_t steps)
{
    if (ser_world_is_hopeless(&work->world) ||
        !ser_visited_add(&work->visited, work->world.print)) {
        undo_steps(work, steps);
        return;
    }
    work->answer->explored++;
    ser_vector_push(&work->frames, new_frame(&work->world, steps));
}

/* The threads in the order they are tried: once the block has begun the others come
 * first, so that they get between its accesses. */
static uint32_t thread_at(const ser_world *world, uint32_t number)
{
    uint32_t block = world->task->block_thread;
    uint32_t first = world->task->first_block_step;
    bool begun = first != SER_TASK_NONE &&
                 world->position[block] > first - world->task->threads.items[block].first;
    uint32_t last = (uint32_t)world->task->threads.count - 1;
    if (begun)
        return number == last ? block : number + (number >= block);
    return number == 0 ? block : number - (number <= block);
}

/* The next thread to try in the topmost state, and how many of its steps: a move, or
 * those that are quiet; SER_TASK_NONE: all were tried. */
static uint32_t choose(search *work, uint32_t *steps)
{
    frame *top = &work->frames.items[work->frames.count - 1];
    const ser_world *world = &work->world;
    *steps = top->quiet;
    if (top->only != SER_TASK_NONE)
        return top->tried++ == 0 ? top->only : SER_TASK_NONE;
    while (top->tried < world->task->threads.count) {
        uint32_t thread = thread_at(world, top->tried++);
        uint32_t step = ser_world_next(world, thread);
        if (step == SER_TASK_NONE || !ser_world_enabled(world, step))
            continue;
        *steps = ser_task_move_end(world->task, step) - step;
        return thread;
    }
    return SER_TASK_NONE;
}

/* Takes steps of a thread; fewer, but whole moves, if the block is violated on the way. */
static void take_steps(search *work, uint32_t thread, uint32_t steps)
{
    ser_world *world = &work->world;
    bool within = false;
    for (uint32_t i = 0; i < steps && (within || !world->violated); i++) {
        uint32_t step = ser_world_next(world, thread);
        ser_world_take(world, step);
        within = world->task->steps.items[step].joined;
    }
}

static void leave(search *work)
{
    undo_steps(work, work->frames.items[--work->frames.count].steps);
}

static bool is_over(search *work)
{
    ser_reason reason = SER_REASON_NONE;
    if (work->options->memory && ser_visited_bytes(&work->visited) > work->options->memory)
        reason = SER_REASON_MEMORY;
    else if (!ser_search_must_stop(work->options, &reason))
        return false;
    work->answer->outcome = SER_UNKNOWN;
    work->answer->reason = reason;
    return true;
}

static void keep_order(search *work)
{
    work->answer->outcome = SER_VIOLATED;
    work->answer->order.count = 0;
    for (size_t i = 0; i < work->world.order.count; i++)
        ser_vector_push(&work->answer->order, work->world.order.items[i]);
}

static void search_states(search *work)
{
    uint64_t steps = 0;
    work->answer->outcome = SER_NO_VIOLATION;
    (void)ser_visited_add(&work->visited, work->world.print);
    ser_vector_push(&work->frames, new_frame(&work->world, 0));
    while (work->frames.count) {
        uint32_t count, thread = choose(work, &count);
        if (++steps % STEPS_BETWEEN_LOOKS == 0 && is_over(work))
            return;
        if (thread == SER_TASK_NONE) {
            leave(work);
            continue;
        }
        take_steps(work, thread, count);
        if (work->world.violated) {
            keep_order(work);
            return;
        }
        enter(work, count);
    }
}

static void run(const ser_task *task, const ser_search_options *options, ser_answer *answer)
{
    search work = {.options = options, .answer = answer};
    answer->explored = 0;
    answer->reason = SER_REASON_NONE;
    answer->outcome = SER_NO_VIOLATION;
    if (task->first_block_step == SER_TASK_NONE)
        return;
    if (options->memory && ser_world_bytes(task, options->criterion) > options->memory) {
        answer->outcome = SER_UNKNOWN;
        answer->reason = SER_REASON_MEMORY;
        return;
    }
    ser_world_init(&work.world, task, options->criterion);
    work.world.triple = options->triple;
    if (ser_trial_runs(&work.world, options, &answer->explored))
        keep_order(&work);
    else
        search_states(&work);
    ser_world_fini(&work.world);
    ser_visited_fini(&work.visited);
    ser_vector_free(&work.frames);
}

const ser_search_engine ser_search_states = {.name = "states", .run = run};
