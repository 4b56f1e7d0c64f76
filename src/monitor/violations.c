/* SPDX-License-Identifier: MIT */
#include "monitor/violations.h"

static ser_transaction *copy_cycle(const ser_violation *violation)
{
    if (!violation->cycle_length)
        return NULL;
    ser_transaction *copy = ser_alloc(violation->cycle_length, sizeof *copy);
    return memcpy(copy, violation->cycle, violation->cycle_length * sizeof *copy);
}

void ser_violations_fini(ser_violations *violations)
{
    for (size_t i = 0; i < violations->list.count; i++)
        free((void *)violations->list.items[i].cycle);
    ser_vector_free(&violations->list);
}

bool ser_violations_keep(void *context, const ser_violation *violation)
{
    ser_violations *violations = context;
    ser_violation kept = *violation;
    kept.cycle = copy_cycle(violation);
    ser_vector_push(&violations->list, kept);
    return violations->all;
}

/* Where on the cycle the block is; cycle_length if it is not on it. */
static size_t position_of(const ser_violation *cycle, const ser_violation *block)
{
    size_t i = 0;
    while (i < cycle->cycle_length &&
           (cycle->cycle[i].first != block->block || cycle->cycle[i].thread != block->thread))
        i++;
    return i;
}

/* When the engine named the cycle, the event that closes it was not yet part of the first
 * transaction; this is corrected before another one becomes the first. */
static ser_transaction *turn_cycle(const ser_violation *named, size_t start)
{
    size_t length = named->cycle_length;
    ser_transaction *turned = ser_alloc(length, sizeof *turned);
    for (size_t i = 0; i < length; i++)
        turned[i] = named->cycle[(start + i) % length];
    ser_transaction *closing = &turned[(length - start) % length];
    if (closing->last < named->event)
        closing->last = named->event;
    return turned;
}

static bool take_cycle(ser_violation *violation, const ser_violation *named)
{
    size_t start = position_of(named, violation);
    if (start == named->cycle_length)
        return false;
    violation->cycle = turn_cycle(named, start);
    violation->cycle_length = named->cycle_length;
    return true;
}

/* How many violations came no later than the event. */
static size_t count_until(const ser_violations *violations, uint64_t event)
{
    size_t low = 0, high = violations->list.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (violations->list.items[middle].event <= event)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A cycle through a block is closed after the block began. */
void ser_violations_find_cycle(const ser_violations *named, ser_violation *violation)
{
    size_t first = count_until(named, violation->block);
    size_t end = count_until(named, violation->event);
    for (size_t i = first; i < end; i++)
        if (named->list.items[i].block == violation->block &&
            take_cycle(violation, &named->list.items[i]))
            return;
    for (size_t i = first; i < end; i++)
        if (take_cycle(violation, &named->list.items[i]))
            return;
}
