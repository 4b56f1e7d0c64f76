/* SPDX-License-Identifier: MIT */
#include "stream/renumbering.h"

#include "stream/excerpt.h"

ser_renumbering *ser_renumbering_create(void)
{
    return ser_alloc(1, sizeof(ser_renumbering));
}

void ser_renumbering_destroy(ser_renumbering *renumbering)
{
    if (!renumbering)
        return;
    for (size_t i = 0; i < SER_SPACE_COUNT; i++)
        ser_vector_free(&renumbering->spaces[i].of);
    ser_vector_free(&renumbering->threads);
    free(renumbering);
}

void ser_renumbering_restart(ser_renumbering *all)
{
    all->stamp++;
    all->threads.count = 0;
    for (size_t i = 0; i < SER_SPACE_COUNT; i++)
        all->spaces[i].count = 0;
}

bool ser_renumbering_has(const ser_renumbering *all, ser_space space, uint32_t old)
{
    const ser_new_numbers *numbers = &all->spaces[space];
    return old < numbers->of.count && numbers->of.items[old].stamp == all->stamp;
}

uint32_t ser_renumbering_of(ser_renumbering *all, ser_space space, uint32_t old)
{
    ser_new_numbers *numbers = &all->spaces[space];
    ser_new_number *own = ser_vector_slot(&numbers->of, old);
    if (own->stamp != all->stamp) {
        *own = (ser_new_number){all->stamp, numbers->count++};
        if (space == SER_SPACE_THREAD)
            ser_vector_push(&all->threads, old);
    }
    return own->number;
}

ser_event ser_renumbering_event(ser_renumbering *all, const ser_event *event)
{
    ser_event result = *event;
    ser_space space = ser_op_space((ser_op)event->op);
    result.thread = ser_renumbering_of(all, SER_SPACE_THREAD, event->thread);
    if (space != SER_SPACE_FUNCTION && space != SER_SPACE_LABEL)
        result.object = ser_renumbering_of(all, space, event->object);
    return result;
}

uint32_t ser_renumbering_add_thread(ser_renumbering *all)
{
    ser_vector_push(&all->threads, UINT32_MAX);
    return all->spaces[SER_SPACE_THREAD].count++;
}
