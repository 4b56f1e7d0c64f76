/* SPDX-License-Identifier: MIT */
#include "report/dossier/dossier.h"

ser_event_list ser_stack_of(const ser_run *run, uint32_t event)
{
    const ser_event_list *own = &run->threads.items[run->events[event].thread].events;
    ser_event_list stack = {0};
    for (size_t i = 0; i < own->count && own->items[i] < event; i++) {
        ser_op op = (ser_op)run->events[own->items[i]].op;
        if (ser_op_calls(op))
            ser_vector_push(&stack, own->items[i]);
        else if (ser_op_returns(op) && stack.count > 0)
            stack.count--;
    }
    return stack;
}
