/* SPDX-License-Identifier: MIT */
#include "predict/segment/segment.h"

static ser_segment *new_segment(const ser_run *run)
{
    ser_segment *segment = ser_alloc(1, sizeof *segment);
    segment->threads = (uint32_t)run->threads.count;
    segment->from = ser_alloc(segment->threads, sizeof *segment->from);
    segment->to = ser_alloc(segment->threads, sizeof *segment->to);
    return segment;
}

ser_segment *ser_segment_whole(const ser_run *run)
{
    ser_segment *segment = new_segment(run);
    for (uint32_t i = 0; i < segment->threads; i++) {
        segment->from[i] = 1;
        segment->to[i] = (uint32_t)run->threads.items[i].events.count + 1;
    }
    return segment;
}

void ser_segment_destroy(ser_segment *segment)
{
    if (!segment)
        return;
    free(segment->from);
    free(segment->to);
    free(segment);
}

uint64_t ser_segment_size(const ser_segment *segment)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < segment->threads; i++)
        size += segment->to[i] - segment->from[i];
    return size;
}

void ser_segment_start(const ser_segment *segment, const ser_run *run, ser_event_list *start)
{
    uint64_t left = 0;
    for (uint32_t i = 0; i < segment->threads; i++)
        left += segment->from[i] - 1;
    for (uint32_t event = 1; left > 0; event++) {
        if (!run->eid[event] || !ser_segment_starts_with(segment, run, event))
            continue;
        ser_vector_push(start, event);
        left--;
    }
}

/* The eids of a block: first .. last. */
static uint32_t last_eid(const ser_run *run, const ser_run_block *block)
{
    return block->end ? run->eid[block->end]
                      : (uint32_t)run->threads.items[block->thread].events.count;
}

uint32_t ser_block_first_access(const ser_run *run, uint32_t index)
{
    const ser_run_block *block = &run->blocks.items[index];
    for (uint32_t eid = run->eid[block->begin]; eid <= last_eid(run, block); eid++) {
        uint32_t event = ser_run_at(run, block->thread, eid);
        if (ser_op_is_access((ser_op)run->events[event].op))
            return event;
    }
    return 0;
}

uint32_t ser_block_last_access(const ser_run *run, uint32_t index)
{
    const ser_run_block *block = &run->blocks.items[index];
    for (uint32_t eid = last_eid(run, block); eid >= run->eid[block->begin]; eid--) {
        uint32_t event = ser_run_at(run, block->thread, eid);
        if (ser_op_is_access((ser_op)run->events[event].op))
            return event;
    }
    return 0;
}
