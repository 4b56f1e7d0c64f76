/* SPDX-License-Identifier: MIT */
#include "explore/reversal.h"

#include "base/pairmap.h"

/* Where the first thread must stop: before it takes a lock that both hold. */
static uint32_t stop_before(const ser_run *run, uint32_t first, uint32_t second)
{
    uint32_t stop = first;
    for (uint32_t a = ser_run_held(run, first); a; a = ser_run_next_held(run, first, a))
        for (uint32_t b = ser_run_held(run, second); b; b = ser_run_next_held(run, second, b)) {
            uint32_t acquire = run->holds.items[a].acquire;
            if (run->events[acquire].object == run->events[run->holds.items[b].acquire].object &&
                acquire < stop)
                stop = acquire;
        }
    return stop;
}

void ser_reversal_make(const ser_run *run, uint32_t first, uint32_t second, ser_event_list *order)
{
    uint32_t stop = stop_before(run, first, second);
    uint32_t thread = run->events[second].thread;
    for (uint32_t i = 1; i <= second; i++)
        if (ser_op_takes_part((ser_op)run->events[i].op) &&
            (i < stop || run->events[i].thread == thread))
            ser_vector_push(order, i);
}

/* Has the thread made an access of the block that `write` is in before it must stop? */
static bool stops_within_block(const ser_run *run, uint32_t write, uint32_t read)
{
    uint32_t block = run->block_of[write];
    uint32_t stop = stop_before(run, write, read);
    for (uint32_t i = ser_run_previous(run, stop); block && i && run->block_of[i] == block;
         i = ser_run_previous(run, i))
        if (ser_op_is_access((ser_op)run->events[i].op))
            return true;
    return false;
}

static uint32_t site_of_block(const ser_run *run, uint32_t event)
{
    uint32_t block = run->block_of[event];
    return block ? run->events[run->blocks.items[block - 1].begin].site : SER_NO_SITE;
}

static bool is_of_same_code(const ser_run *run, const ser_reversal *reversal)
{
    uint32_t site = site_of_block(run, reversal->write);
    return site != SER_NO_SITE && site == site_of_block(run, reversal->read);
}

/* Those of the same code, or the others. */
static void add_some(const ser_run *run, bool same_code, ser_pairmap *known,
                     ser_reversal_list *list)
{
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        const ser_reversal reversal = {run->couple[i], i};
        if (!ser_op_reads((ser_op)event->op) || !reversal.write ||
            run->events[reversal.write].thread == event->thread ||
            is_of_same_code(run, &reversal) != same_code)
            continue;
        uint32_t *seen = ser_pairmap_add(known, run->events[reversal.write].site, event->site, 0);
        if (*seen || !stops_within_block(run, reversal.write, i))
            continue;
        *seen = 1;
        ser_vector_push(list, reversal);
    }
}

void ser_reversals_find(const ser_run *run, ser_reversal_list *list)
{
    ser_pairmap known = {0};
    add_some(run, true, &known, list);
    add_some(run, false, &known, list);
    ser_pairmap_fini(&known);
}
