/* SPDX-License-Identifier: MIT */
/*
 * The block's frontiers (predict/segment/tas.h): what must come before the block and what must come
 * after it lies outside, in every interleaving of the run.
 */
#include "predict/segment/tas.h"
#include "report/html/html.h"

/* Number of the thread's event with that eid; 0: it has none. */
static uint32_t event_at(const ser_run *run, uint32_t thread, uint32_t eid)
{
    const ser_event_list *events = &run->threads.items[thread].events;
    return eid >= 1 && eid <= events->count ? events->items[eid - 1] : 0;
}

static void write_ranges(ser_json *json, const ser_run *run, const ser_segment *between)
{
    for (uint32_t i = 0; i < between->threads; i++) {
        ser_json_open_array(json);
        ser_json_number(json, event_at(run, i, between->from[i]));
        ser_json_number(json, event_at(run, i, between->to[i]));
        ser_json_close_array(json);
    }
}

void ser_page_write_frontiers(const ser_picture *picture, ser_page_order *cache, ser_json *json)
{
    const ser_run *run = picture->run;
    bool wanted = picture->block != SER_NO_OBJECT && run->count <= SER_PAGE_MOST_EVENTS &&
                  ser_block_first_access(run, picture->block);
    if (wanted && cache->run != run) {
        ser_order_destroy(cache->order);
        *cache = (ser_page_order){run, ser_order_create(run, NULL)};
    }
    ser_json_key(json, "frontiers");
    ser_json_open_array(json);
    if (wanted) {
        ser_segment *between = ser_tas_frontiers(cache->order, picture->block, NULL);
        write_ranges(json, run, between);
        ser_segment_destroy(between);
    }
    ser_json_close_array(json);
}
