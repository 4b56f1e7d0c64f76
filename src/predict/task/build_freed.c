/* SPDX-License-Identifier: MIT */
/* Memory that is freed, in a task: threads end behind an observed access of it (order/freed.h), and
 * may end at others. */
#include "predict/task/build_internal.h"

/* Where an event of the start cannot happen, nothing here can. */
void ser_build_set_ends(ser_task_builder *work)
{
    const ser_segment *segment = work->segment;
    bool lost = false;
    for (uint32_t i = 0; i < segment->threads; i++) {
        uint32_t possible = work->run->threads.items[i].possible;
        lost |= segment->from[i] > possible + 1;
        work->to[i] = segment->to[i] > possible + 1 ? possible + 1 : segment->to[i];
    }
    if (lost)
        memcpy(work->to, segment->from, segment->threads * sizeof *work->to);
}

/* The lists are counted, placed one after another, and filled. */
void ser_build_list_frees(ser_task_builder *work)
{
    ser_task *task = work->task;
    if (!work->run->frees)
        return;
    ser_vector_extend(&task->freed_by, task->variables);
    for (size_t i = 0; i < task->steps.count; i++)
        if (ser_op_frees((ser_op)work->run->events[task->steps.items[i].event].op))
            task->freed_by.items[task->steps.items[i].variable].count++;
    for (uint32_t i = 0; i < task->variables; i++) {
        ser_step_list *list = &task->freed_by.items[i];
        list->first = (uint32_t)task->lists.count;
        ser_vector_extend(&task->lists, task->lists.count + list->count);
        list->count = 0;
    }
    for (uint32_t i = 0; i < task->steps.count; i++) {
        if (!ser_op_frees((ser_op)work->run->events[task->steps.items[i].event].op))
            continue;
        ser_step_list *list = &task->freed_by.items[task->steps.items[i].variable];
        task->lists.items[list->first + list->count++] = i;
    }
}
