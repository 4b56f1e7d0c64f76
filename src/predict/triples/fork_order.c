/* SPDX-License-Identifier: MIT */
#include "predict/triples/fork_order.h"

/* What the thread's clock is now; 0: nothing is before its events but its own. */
static uint32_t newest(const ser_fork_order *order, uint32_t thread)
{
    size_t count = order->clocks[thread].count;
    return count ? order->clocks[thread].items[count - 1].clock : 0;
}

/* From `eid` on, the thread's clock includes the other thread's events up to `until`. */
static void learn(ser_fork_order *order, uint32_t thread, uint32_t eid, uint32_t other,
                  uint32_t until)
{
    ser_clock_trees *trees = &order->trees;
    ser_clock_trees_seal(trees);
    uint32_t clock = ser_clock_tree_join(trees, newest(order, thread), newest(order, other));
    if (ser_clock_tree_get(trees, clock, other) < until)
        clock = ser_clock_tree_set(trees, clock, other, until);
    ser_vector_push(&order->clocks[thread], ((ser_fork_clock){eid, clock}));
}

void ser_fork_order_init(ser_fork_order *order, const ser_run *run)
{
    uint32_t threads = (uint32_t)run->threads.count;
    *order = (ser_fork_order){.run = run};
    ser_clock_trees_init(&order->trees, threads);
    order->clocks = ser_alloc((size_t)threads + 1, sizeof *order->clocks);
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (event->object >= threads)
            continue;
        if (ser_op_forks((ser_op)event->op))
            learn(order, event->object, 1, event->thread, run->eid[i]);
        else if (ser_op_joins((ser_op)event->op))
            learn(order, event->thread, run->eid[i], event->object,
                  (uint32_t)run->threads.items[event->object].events.count);
    }
    ser_clock_trees_seal(&order->trees);
}

void ser_fork_order_fini(ser_fork_order *order)
{
    if (!order->clocks)
        return;
    for (size_t thread = 0; thread < order->run->threads.count; thread++)
        ser_vector_free(&order->clocks[thread]);
    free(order->clocks);
    ser_clock_trees_fini(&order->trees);
}

/* What comes before an event of the thread. */
static uint32_t clock_at(const ser_fork_order *order, uint32_t thread, uint32_t eid)
{
    size_t low = 0, high = order->clocks[thread].count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (order->clocks[thread].items[middle].eid <= eid)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? order->clocks[thread].items[low - 1].clock : 0;
}

bool ser_fork_order_precedes(const ser_fork_order *order, uint32_t a, uint32_t b)
{
    const ser_run *run = order->run;
    uint32_t clock = clock_at(order, run->events[b].thread, run->eid[b]);
    return ser_clock_tree_get(&order->trees, clock, run->events[a].thread) >= run->eid[a];
}
