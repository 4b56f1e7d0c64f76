/* SPDX-License-Identifier: MIT */
#include "monitor/rendezvous.h"

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
    size_t count = barrier->rounds.count;
    if (!count || barrier->rounds.items[count - 1].closed)
        ser_vector_extend(&barrier->rounds, count + 1);
    return &barrier->rounds.items[barrier->rounds.count - 1];
}

/* The thread's arrival in a round that it has not left yet, or NULL. */
static ser_arrival *find_arrival(ser_round *round, uint32_t thread)
{
    for (size_t i = round->arrivals.count; i-- > 0;) {
        ser_arrival *arrival = &round->arrivals.items[i];
        if (arrival->thread == thread && !arrival->departed)
            return arrival;
    }
    return NULL;
}

/* The round with the thread's arrival, from which it departs now; NULL: none. */
static ser_round *depart_from_own_round(ser_barrier *barrier, uint32_t thread)
{
    for (size_t i = barrier->rounds.count; i-- > 0;) {
        ser_round *round = &barrier->rounds.items[i];
        ser_arrival *arrival = find_arrival(round, thread);
        if (!arrival)
            continue;
        round->departed++;
        arrival->departed = true;
        return round;
    }
    return NULL;
}

void ser_barrier_forget_arrival(ser_barrier *barrier, uint32_t thread)
{
    depart_from_own_round(barrier, thread);
}

ser_round *ser_barrier_leave(ser_barrier *barrier, uint32_t thread)
{
    ser_round *round = depart_from_own_round(barrier, thread);
    if (!round && barrier->rounds.count)
        round = &barrier->rounds.items[barrier->rounds.count - 1];
    if (round)
        round->closed = true;
    return round;
}

void ser_barrier_retire(ser_barrier *barrier)
{
    size_t kept = 0;
    for (size_t i = 0; i < barrier->rounds.count; i++) {
        ser_round *round = &barrier->rounds.items[i];
        if (ser_round_is_over(barrier, i))
            ser_vector_free(&round->arrivals);
        else
            barrier->rounds.items[kept++] = *round;
    }
    barrier->rounds.count = kept;
}

void ser_barrier_fini(ser_barrier *barrier)
{
    for (size_t i = 0; i < barrier->rounds.count; i++)
        ser_vector_free(&barrier->rounds.items[i].arrivals);
    ser_vector_free(&barrier->rounds);
}
