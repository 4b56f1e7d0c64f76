/* SPDX-License-Identifier: MIT */
#include "predict/task.h"

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
    free(task);
}
