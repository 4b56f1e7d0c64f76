/* SPDX-License-Identifier: MIT */
#include "monitor/conflicts/rendezvous.h"

void ser_token_queue_compact(ser_token_queue *queue)
{
    size_t left = queue->runs.count - queue->head;
    if (queue->head <= left)
        return;
    memmove(queue->runs.items, queue->runs.items + queue->head, left * sizeof *queue->runs.items);
    queue->runs.count = left;
    queue->head = 0;
}

size_t ser_condition_first_after(const ser_condition *condition, uint64_t event)
{
    size_t at = 0;
    while (at < condition->notifies.count && condition->notifies.items[at].event < event)
        at++;
    return at;
}

void ser_condition_remove_notify(ser_condition *condition, size_t at)
{
    ser_notify *items = condition->notifies.items;
    size_t count = condition->notifies.count;
    if (at >= count - condition->fresh)
        condition->fresh--;
    memmove(items + at, items + at + 1, (count - at - 1) * sizeof *items);
    condition->notifies.count--;
}

void ser_condition_remove_waiting(ser_condition *condition, uint32_t thread)
{
    for (size_t i = 0; i < condition->waiting.count; i++) {
        if (condition->waiting.items[i] == thread) {
            condition->waiting.items[i] = condition->waiting.items[--condition->waiting.count];
            return;
        }
    }
}

ser_round *ser_barrier_open_round(ser_barrier *barrier)
{
    if (!barrier->newest || barrier->rounds.items[barrier->newest - 1].closed) {
        if (barrier->unused.count) {
            barrier->newest = barrier->unused.items[--barrier->unused.count];
        } else {
            ser_vector_extend(&barrier->rounds, barrier->rounds.count + 1);
            barrier->newest = (uint32_t)barrier->rounds.count;
        }
    }
    return &barrier->rounds.items[barrier->newest - 1];
}

void ser_barrier_fini(ser_barrier *barrier)
{
    for (size_t i = 0; i < barrier->rounds.count; i++)
        ser_vector_free(&barrier->rounds.items[i].tokens);
    ser_vector_free(&barrier->rounds);
    ser_vector_free(&barrier->unused);
    ser_idmap_fini(&barrier->round_of);
}
