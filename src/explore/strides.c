/* SPDX-License-Identifier: MIT */
#include "explore/strides.h"

void ser_variables_find_used(const ser_run *run, uint32_t thread, ser_variable_flags *used)
{
    const ser_event *own = &run->events[run->threads.items[thread].events.items[0]];
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (ser_op_is_access((ser_op)event->op) && event->thread != own->thread)
            *ser_vector_slot(used, event->object) = true;
    }
}

static bool shows(const ser_event *event, const ser_variable_flags *used)
{
    return ser_op_writes((ser_op)event->op) && event->object < used->count &&
           used->items[event->object];
}

void ser_strides_find(const ser_run *run, uint32_t thread, ser_event_list *ends)
{
    const ser_event_list *events = &run->threads.items[thread].events;
    ser_variable_flags used = {0};
    size_t held = 0;
    ser_variables_find_used(run, thread, &used);
    for (size_t i = 0; i < events->count; i++) {
        const ser_event *event = &run->events[events->items[i]];
        bool ended = held == 0 && shows(event, &used);
        if (ser_op_acquires((ser_op)event->op))
            held++;
        if (ser_op_releases((ser_op)event->op) && held > 0)
            ended = --held == 0;
        if (ended)
            ser_vector_push(ends, events->items[i]);
    }
    ser_vector_free(&used);
}
