/* SPDX-License-Identifier: MIT */
#include "predict/triples/fork_order.h"

typedef struct ordering {
    ser_fork_order *order;
    uint32_t threads;
} ordering;

/* What the thread's clock is now; NULL: nothing is before its events but its own. */
static const uint32_t *newest(const ser_fork_order *order, uint32_t thread)
{
    size_t count = order->clocks[thread].count;
    return count ? order->clocks[thread].items[count - 1].counts : NULL;
}

/* From `eid` on, the thread's clock includes the other thread's events up to `until`. */
static void learn(ordering *all, uint32_t thread, uint32_t eid, uint32_t other, uint32_t until)
{
    const uint32_t *own = newest(all->order, thread), *others = newest(all->order, other);
    ser_fork_clock fresh = {eid, ser_alloc(all->threads, sizeof *fresh.counts)};
    for (uint32_t i = 0; i < all->threads; i++) {
        uint32_t before = own ? own[i] : 0, there = others ? others[i] : 0;
        fresh.counts[i] = before > there ? before : there;
    }
    if (fresh.counts[other] < until)
        fresh.counts[other] = until;
    ser_vector_push(&all->order->clocks[thread], fresh);
}

void ser_fork_order_init(ser_fork_order *order, const ser_run *run)
{
    ordering all = {order, (uint32_t)run->threads.count};
    *order = (ser_fork_order){.run = run};
    order->clocks = ser_alloc((size_t)all.threads + 1, sizeof *order->clocks);
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (event->object >= all.threads)
            continue;
        if (ser_op_forks((ser_op)event->op))
            learn(&all, event->object, 1, event->thread, run->eid[i]);
        else if (ser_op_joins((ser_op)event->op))
            learn(&all, event->thread, run->eid[i], event->object,
                  (uint32_t)run->threads.items[event->object].events.count);
    }
}

void ser_fork_order_fini(ser_fork_order *order)
{
    for (size_t thread = 0; order->clocks && thread < order->run->threads.count; thread++) {
        for (size_t i = 0; i < order->clocks[thread].count; i++)
            free(order->clocks[thread].items[i].counts);
        ser_vector_free(&order->clocks[thread]);
    }
    free(order->clocks);
}

bool ser_fork_order_precedes(const ser_fork_order *order, uint32_t a, uint32_t b)
{
    const ser_run *run = order->run;
    uint32_t thread = run->events[b].thread;
    for (size_t i = order->clocks[thread].count; i-- > 0;) {
        const ser_fork_clock *clock = &order->clocks[thread].items[i];
        if (clock->eid <= run->eid[b])
            return clock->counts[run->events[a].thread] >= run->eid[a];
    }
    return false;
}
