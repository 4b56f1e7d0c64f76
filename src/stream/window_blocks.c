/* SPDX-License-Identifier: MIT */
#include "stream/window_blocks.h"

void ser_window_blocks_fini(ser_window_blocks *blocks)
{
    for (size_t i = 0; i < blocks->list.count; i++)
        ser_block_actions_fini(&blocks->list.items[i].actions);
    ser_vector_free(&blocks->list);
    ser_vector_free(&blocks->open);
}

ser_window_block *ser_window_blocks_find(ser_window_blocks *blocks, uint64_t begin)
{
    size_t low = 0, high = blocks->list.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (blocks->list.items[middle].begin < begin)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < blocks->list.count && blocks->list.items[low].begin == begin;
    return found ? &blocks->list.items[low] : NULL;
}

static bool is_bound(const ser_event *event, uint8_t flag)
{
    return (event->flags & flag) && !(event->flags & SER_EVENT_STEP);
}

bool ser_window_blocks_opens(const ser_event *event)
{
    return is_bound(event, SER_EVENT_OPENS);
}

void ser_window_blocks_begin(ser_window_blocks *blocks, const ser_facts *facts,
                             const ser_event *event, uint64_t number)
{
    ser_window_block fresh = {.begin = number, .first = *event};
    ser_block_actions_begin(&fresh.actions, facts, event->thread);
    *ser_vector_slot(&blocks->open, event->thread) = (ser_open_block){number, blocks->list.count};
    ser_vector_push(&blocks->list, fresh);
}

/* NULL: the thread is in none, or in one that was not asked for. */
static ser_window_block *find_open(ser_window_blocks *blocks, ser_open_block *open)
{
    if (!open->begin)
        return NULL;
    bool is_there =
        open->place < blocks->list.count && blocks->list.items[open->place].begin == open->begin;
    if (is_there)
        return &blocks->list.items[open->place];
    ser_window_block *found = ser_window_blocks_find(blocks, open->begin);
    if (found)
        open->place = (size_t)(found - blocks->list.items);
    return found;
}

void ser_window_blocks_add(ser_window_blocks *blocks, const ser_event *event, uint64_t number)
{
    ser_open_block *open = ser_vector_slot(&blocks->open, event->thread);
    ser_window_block *block = find_open(blocks, open);
    bool closes = is_bound(event, SER_EVENT_CLOSES);
    if (block) {
        block->events += ser_op_takes_part((ser_op)event->op);
        ser_block_actions_add(&block->actions, event);
        if (closes)
            block->end = number;
    }
    if (closes)
        open->begin = 0;
}

bool ser_window_block_is_due(const ser_window_block *block, uint64_t latest)
{
    return latest == UINT64_MAX || (block->end && block->end <= latest);
}

const ser_window_block *ser_window_blocks_first_due(const ser_window_blocks *blocks, uint64_t first,
                                                    uint64_t latest)
{
    for (size_t i = 0; i < blocks->list.count; i++) {
        const ser_window_block *block = &blocks->list.items[i];
        if (ser_window_block_is_due(block, latest) && block->begin >= first)
            return block;
    }
    return NULL;
}

void ser_window_blocks_drop_told(ser_window_blocks *blocks)
{
    size_t kept = 0;
    for (size_t i = 0; i < blocks->list.count; i++) {
        ser_window_block block = blocks->list.items[i];
        if (block.is_told)
            ser_block_actions_fini(&block.actions);
        else
            blocks->list.items[kept++] = block;
    }
    blocks->list.count = kept;
}
