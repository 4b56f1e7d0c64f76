/* SPDX-License-Identifier: MIT */
#include "predict/task/task.h"

bool ser_task_accepts(const ser_task *task, const ser_task_step *read, uint32_t write)
{
    const uint32_t *accepted = task->lists.items + read->accepts.first;
    uint32_t low = 0, high = read->accepts.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (accepted[middle] < write)
            low = middle + 1;
        else
            high = middle;
    }
    return low < read->accepts.count && accepted[low] == write;
}

void ser_task_find_moves(ser_task *task)
{
    uint32_t count = (uint32_t)task->steps.count;
    if (!task->has_moves)
        return;
    task->move_first = ser_alloc(count, sizeof *task->move_first);
    task->move_end = ser_alloc(count, sizeof *task->move_end);
    for (uint32_t i = 0; i < count; i++) {
        bool goes_on = i > 0 && task->steps.items[i - 1].joined;
        task->move_first[i] = goes_on ? task->move_first[i - 1] : i;
    }
    for (uint32_t i = count; i-- > 0;)
        task->move_end[i] = task->steps.items[i].joined ? task->move_end[i + 1] : i + 1;
}

void ser_task_destroy(ser_task *task)
{
    if (!task)
        return;
    for (size_t i = 0; i < task->locks.count; i++)
        ser_vector_free(&task->locks.items[i].sharers);
    ser_vector_free(&task->steps);
    ser_vector_free(&task->threads);
    ser_vector_free(&task->lists);
    ser_vector_free(&task->locks);
    ser_vector_free(&task->freed_by);
    free(task->move_first);
    free(task->move_end);
    free(task);
}
