/* SPDX-License-Identifier: MIT */
/* Sorted by counting: counts two places ahead, then starts one place ahead, which filling moves
 * to where the next list begins. */
#include "predict/task/limits.h"

static uint32_t find_least(const ser_task *task, uint32_t first)
{
    uint32_t least = SER_TASK_NONE;
    for (uint32_t i = first; i < ser_task_move_end(task, first); i++)
        if (task->steps.items[i].limit < least)
            least = task->steps.items[i].limit;
    return least;
}

/* The list that a move belongs to. The end of a thread has the number of another's first step. */
static size_t slot_of(const ser_limits *limits, uint32_t move)
{
    const ser_task *task = limits->task;
    uint32_t thread = task->steps.items[move].thread;
    const ser_task_thread *steps = &task->threads.items[thread];
    bool is_end = limits->least[move] == steps->first + steps->count;
    return is_end ? task->steps.count + thread : limits->least[move];
}

void ser_limits_init(ser_limits *limits, const ser_task *task)
{
    uint32_t count = (uint32_t)task->steps.count;
    size_t slots = count + task->threads.count;
    limits->task = task;
    limits->least = ser_alloc((size_t)count + 1, sizeof *limits->least);
    limits->first = ser_alloc(slots + 3, sizeof *limits->first);
    limits->moves = ser_alloc((size_t)count + 1, sizeof *limits->moves);
    for (uint32_t i = 0; i < count; i = ser_task_move_end(task, i)) {
        limits->least[i] = find_least(task, i);
        if (limits->least[i] != SER_TASK_NONE)
            limits->first[slot_of(limits, i) + 2]++;
    }
    for (size_t i = 2; i < slots + 2; i++)
        limits->first[i] += limits->first[i - 1];
    for (uint32_t i = 0; i < count; i = ser_task_move_end(task, i))
        if (limits->least[i] != SER_TASK_NONE)
            limits->moves[limits->first[slot_of(limits, i) + 1]++] = i;
}

void ser_limits_fini(ser_limits *limits)
{
    free(limits->least);
    free(limits->first);
    free(limits->moves);
}
