/* SPDX-License-Identifier: MIT */
#include "predict/saturation/candidate_order.h"

/* The least distance of a candidate for each t, by access of the block. */
static uint32_t *find_nearest(const ser_path_candidates *found)
{
    const ser_task *task = found->task;
    uint32_t size = task->last_block_step - task->first_block_step + 1;
    uint32_t *nearest = ser_alloc(size, sizeof *nearest);
    memset(nearest, 0xff, size * sizeof *nearest);
    for (size_t i = 0; i < found->list.count; i++) {
        const ser_path_candidate *candidate = &found->list.items[i];
        uint32_t *least = &nearest[candidate->to - task->first_block_step];
        if (candidate->distance < *least)
            *least = candidate->distance;
    }
    return nearest;
}

typedef struct ordering {
    const uint32_t *nearest;
    uint32_t first_block_step;
} ordering;

static int compare(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* By t, the nearest first; then by distance. */
static int by_distance(const void *a, const void *b, void *context)
{
    const ordering *order = context;
    const ser_path_candidate *one = a, *other = b;
    int result = compare(order->nearest[one->to - order->first_block_step],
                         order->nearest[other->to - order->first_block_step]);
    if (!result)
        result = compare(one->to, other->to);
    if (!result)
        result = compare(one->distance, other->distance);
    return result ? result : compare(one->last, other->last);
}

static int by_end(const void *a, const void *b)
{
    const ser_path_candidate *one = a, *other = b;
    int result = compare(one->to, other->to);
    if (!result)
        result = compare(one->first, other->first);
    return result ? result : compare(one->last, other->last);
}

void ser_path_candidates_sort_near(ser_path_candidates *found)
{
    ordering order = {find_nearest(found), found->task->first_block_step};
    if (found->list.count)
        qsort_r(found->list.items, found->list.count, sizeof *found->list.items, by_distance,
                &order);
    free((void *)order.nearest);
}

void ser_path_candidates_sort_far(ser_path_candidates *found)
{
    if (found->list.count)
        qsort(found->list.items, found->list.count, sizeof *found->list.items, by_end);
}
