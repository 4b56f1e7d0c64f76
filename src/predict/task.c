/* SPDX-License-Identifier: MIT */
#include "predict/task.h"

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
