/* SPDX-License-Identifier: MIT */
/*
 * The frontiers of a block: of each thread, the events that are neither ordered before the block's
 * first access nor after its last one (N of tas.h).
 */
#include "predict/segment/tas.h"

ser_segment *ser_tas_frontiers(const ser_order *order, uint32_t block, ser_meter *meter)
{
    const ser_run *run = order->run;
    uint32_t first = ser_block_first_access(run, block), last = ser_block_last_access(run, block);
    uint32_t own = run->blocks.items[block].thread;
    ser_segment *segment = ser_segment_whole(run);
    for (uint32_t i = 0; i < segment->threads && !ser_meter_over(meter); i++) {
        segment->from[i] = ser_order_known(order, first, i) + 1;
        uint32_t after = ser_order_first_after(order, last, i, segment->from[i]);
        if (i != own && after < segment->to[i] &&
            ser_order_only_by_couple(order, last, ser_run_at(run, i, after)))
            after = run->eid[ser_run_step_last(run, ser_run_at(run, i, after))] + 1;
        segment->to[i] = after;
    }
    return segment;
}
