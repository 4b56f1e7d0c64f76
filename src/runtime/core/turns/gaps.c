/* SPDX-License-Identifier: MIT */
#include "runtime/core/turns/gaps.h"

static ser_runtime_world *const world = &ser_the_world;

static struct {
    const ser_gap *items;
    uint32_t next[SER_THREADS]; /* by thread: 1 + index of the first that is not over; 0: all are */
} gaps;

void ser_gaps_find(void)
{
    ser_channel_part part = world->channel->gaps;
    if (part.size < sizeof(ser_gap) || world->channel->step_limit)
        return;
    gaps.items = ser_channel_at(world->channel, part);
    for (size_t i = part.size / sizeof(ser_gap); i > 0; i--)
        if (gaps.items[i - 1].thread < SER_THREADS)
            gaps.next[gaps.items[i - 1].thread] = (uint32_t)i;
}

uint64_t ser_gaps_end(uint32_t thread, uint64_t steps)
{
    uint32_t *next = &gaps.next[thread];
    while (*next && gaps.items[*next - 1].end <= steps)
        *next = gaps.items[*next - 1].following;
    return *next && gaps.items[*next - 1].before <= steps ? gaps.items[*next - 1].end : 0;
}

uint64_t ser_gaps_next(uint32_t thread, uint64_t steps)
{
    uint32_t next = gaps.next[thread];
    uint64_t before = next ? gaps.items[next - 1].before : UINT64_MAX;
    return before > steps ? before - steps : 1;
}
