/* SPDX-License-Identifier: MIT */
#include "predict/turns.h"

#include <stdlib.h>

#include "base/pairmap.h"

typedef struct ranked {
    uint32_t rank; /* how many runs of the same code come before it */
    uint32_t index;
} ranked;

/* The operation, place and operand that begin it. Which lock it is makes no difference. */
ser_block_code ser_code_of_block(const ser_run *run, uint32_t block)
{
    uint32_t begin = run->blocks.items[block].begin;
    const ser_event *first = &run->events[begin];
    const ser_event *naming = &run->events[ser_run_naming_event(run, block)];
    bool named = ser_op_opens((ser_op)first->op);
    return (ser_block_code){(uint64_t)first->op << 32 | naming->site, named ? first->object : 0};
}

static uint32_t rank_of(ser_pairmap *seen, const ser_run *run, uint32_t block)
{
    ser_block_code code = ser_code_of_block(run, block);
    return (*ser_pairmap_add(seen, code.place, code.object, 0))++;
}

static int by_rank(const void *a, const void *b)
{
    const ranked *first = a, *second = b;
    if (first->rank != second->rank)
        return first->rank < second->rank ? -1 : 1;
    return (first->index > second->index) - (first->index < second->index);
}

void ser_turns_choose(ser_turns *turns, const ser_run *run, const uint32_t *blocks, size_t count)
{
    ranked *list = ser_alloc(count ? count : 1, sizeof *list);
    ser_pairmap seen = {0};
    for (size_t i = 0; i < count; i++)
        list[i] = (ranked){rank_of(&seen, run, blocks[i]), (uint32_t)i};
    qsort(list, count, sizeof *list, by_rank);
    for (size_t i = 0; i < count; i++)
        ser_vector_push(turns, list[i].index);
    ser_pairmap_fini(&seen);
    free(list);
}
