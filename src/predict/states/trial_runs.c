/* SPDX-License-Identifier: MIT */
#include "predict/states/trial_runs.h"

/* Enough to find most violations that are easy to find, and cheap. */
enum { MOST_RUNS = 64, MOST_STEPS = 400000, STEPS_BETWEEN_LOOKS = 256 };

typedef struct trial {
    ser_world *world;
    const ser_search_options *options;
    uint64_t random;
    uint64_t steps; /* taken in all runs */
    bool is_over;   /* the time is, or enough steps were taken */
} trial;

static uint32_t random_below(trial *run, uint32_t limit)
{
    run->random ^= run->random << 13;
    run->random ^= run->random >> 7;
    run->random ^= run->random << 17;
    return (uint32_t)((run->random >> 32) * limit >> 32);
}

static bool can_step(const trial *run, uint32_t thread)
{
    uint32_t step = ser_world_next(run->world, thread);
    return !run->is_over && step != SER_TASK_NONE && ser_world_enabled(run->world, step);
}

/* One move of a thread, mostly one step. */
static void step(trial *run, uint32_t thread)
{
    ser_reason reason;
    uint32_t first = ser_world_next(run->world, thread);
    uint32_t end = ser_task_move_end(run->world->task, first);
    for (uint32_t i = first; i < end; i++)
        ser_world_take(run->world, i);
    if (++run->steps % STEPS_BETWEEN_LOOKS == 0)
        run->is_over = run->steps >= MOST_STEPS || ser_search_must_stop(run->options, &reason);
}

static void restart(ser_world *world)
{
    while (world->order.count)
        ser_world_undo(world);
}

static int by_event(const void *a, const void *b, void *task)
{
    const ser_task_step *steps = ((const ser_task *)task)->steps.items;
    uint32_t first = steps[*(const uint32_t *)a].event, second = steps[*(const uint32_t *)b].event;
    return (first > second) - (first < second);
}

static void run_as_observed(trial *run)
{
    const ser_task *task = run->world->task;
    SER_VECTOR(uint32_t) order = {0};
    for (uint32_t i = 0; i < task->steps.count; i++)
        ser_vector_push(&order, i);
    qsort_r(order.items, order.count, sizeof *order.items, by_event, (void *)task);
    for (size_t i = 0; i < order.count && !run->world->violated; i++) {
        uint32_t thread = task->steps.items[order.items[i]].thread;
        if (ser_world_next(run->world, thread) == order.items[i] && can_step(run, thread))
            step(run, thread);
    }
    ser_vector_free(&order);
}

/* Another thread than the block's that can go on; SER_TASK_NONE if there is none. */
static uint32_t choose_other(trial *run)
{
    uint32_t count = (uint32_t)run->world->task->threads.count;
    uint32_t first = random_below(run, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t thread = (first + i) % count;
        if (thread != run->world->task->block_thread && can_step(run, thread))
            return thread;
    }
    return SER_TASK_NONE;
}

/* Lets others run for so many steps; how many they took. */
static uint32_t run_others(trial *run, uint32_t steps)
{
    uint32_t taken = 0;
    while (taken < steps && !run->world->violated) {
        uint32_t thread = choose_other(run);
        if (thread == SER_TASK_NONE)
            break;
        uint32_t burst = 1 + random_below(run, 64);
        for (; burst && taken < steps && can_step(run, thread); burst--, taken++)
            step(run, thread);
    }
    return taken;
}

/* Lets the block run until so many of its accesses are left; others only where it
 * cannot go on. */
static void run_block(trial *run, uint32_t accesses_left)
{
    ser_world *world = run->world;
    while (world->block_accesses_left > accesses_left && !world->violated &&
           ser_world_next(world, world->task->block_thread) != SER_TASK_NONE) {
        if (can_step(run, world->task->block_thread))
            step(run, world->task->block_thread);
        else if (!run_others(run, 16))
            return;
    }
}

static void run_with_interruption(trial *run)
{
    ser_world *world = run->world;
    uint32_t accesses = world->block_accesses_left;
    uint32_t steps = 1 + random_below(run, (uint32_t)world->task->steps.count);
    run_block(run, accesses > 1 ? 1 + random_below(run, accesses - 1) : 1);
    run_others(run, steps >> random_below(run, 10));
    run_block(run, 0);
    if (world->criterion == SER_CRITERION_SERIALIZABILITY)
        run_others(run, (uint32_t)world->task->steps.count);
}

bool ser_trial_runs(ser_world *world, const ser_search_options *options, uint64_t *runs)
{
    trial run = {.world = world, .options = options, .random = UINT64_C(0x9e3779b97f4a7c15)};
    run_as_observed(&run);
    ++*runs;
    for (int i = 0; i < MOST_RUNS && !run.is_over && !world->violated; i++) {
        restart(world);
        run_with_interruption(&run);
        ++*runs;
    }
    if (!world->violated)
        restart(world);
    return world->violated;
}
