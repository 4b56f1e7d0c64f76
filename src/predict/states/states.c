/* SPDX-License-Identifier: MIT */
/*
 * states.c - is a violation reachable? Depth first over hashed states.
 *
 * For one block the question is reachability in a finite graph without cycles. A
 * state that was seen is not entered again, which turns exponentially many
 * interleavings into polynomially many states for a fixed number of threads. Where a
 * thread's next step is quiet (its order with all that others may still do has no
 * effect), only that step is tried: a persistent set of one.
 *
 * The main function is search. Cost: O(states * threads) time, 16 bytes a state.
 */
#include "predict/search.h"
#include "predict/states/world.h"

/* A state on the way from the first to the current one. */
typedef struct frame {
    uint32_t tried; /* threads tried so far */
    uint32_t only;  /* the one thread to try, or SER_TASK_NONE for all */
} frame;

typedef struct search {
    ser_world world;
    const ser_search_options *options;
    ser_answer *answer;
    ser_visited visited;
    SER_VECTOR(frame) frames;
} search;

enum { STEPS_BETWEEN_LOOKS = 256 };

static uint32_t find_quiet_thread(const ser_world *world)
{
    for (uint32_t i = 0; i < world->task->threads.count; i++) {
        uint32_t step = ser_world_next(world, i);
        if (step != SER_TASK_NONE && ser_world_enabled(world, step) &&
            ser_world_is_quiet(world, step))
            return i;
    }
    return SER_TASK_NONE;
}

/* Enters the current state, unless nothing can come of it. */
static void enter(search *work)
{
    if (ser_world_is_hopeless(&work->world) ||
        !ser_visited_add(&work->visited, work->world.print)) {
        ser_world_undo(&work->world);
        return;
    }
    work->answer->explored++;
    ser_vector_push(&work->frames, ((frame){0, find_quiet_thread(&work->world)}));
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

/* The next step to try in the topmost state; SER_TASK_NONE: all were tried. */
static uint32_t choose(search *work)
{
    frame *top = &work->frames.items[work->frames.count - 1];
    const ser_world *world = &work->world;
    if (top->only != SER_TASK_NONE)
        return top->tried++ == 0 ? ser_world_next(world, top->only) : SER_TASK_NONE;
    while (top->tried < world->task->threads.count) {
        uint32_t step = ser_world_next(world, thread_at(world, top->tried++));
        if (step != SER_TASK_NONE && ser_world_enabled(world, step))
            return step;
    }
    return SER_TASK_NONE;
}

static void leave(search *work)
{
    work->frames.count--;
    if (work->frames.count)
        ser_world_undo(&work->world);
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
    ser_vector_push(&work->frames, ((frame){0, find_quiet_thread(&work->world)}));
    while (work->frames.count) {
        if (++steps % STEPS_BETWEEN_LOOKS == 0 && is_over(work))
            return;
        uint32_t step = choose(work);
        if (step == SER_TASK_NONE) {
            leave(work);
            continue;
        }
        ser_world_take(&work->world, step);
        if (work->world.violated) {
            keep_order(work);
            return;
        }
        enter(work);
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
    ser_world_init(&work.world, task, options->criterion);
    search_states(&work);
    ser_world_fini(&work.world);
    ser_visited_fini(&work.visited);
    ser_vector_free(&work.frames);
}

const ser_search_engine ser_search_states = {.name = "states", .run = run};
