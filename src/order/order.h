/* SPDX-License-Identifier: MIT */
/*
 * order.h - the partial order graph: what must happen before what.
 *
 * Edges: program order; a write and the reads that read from it; fork and the
 * child's first event, the child's last event and join; a wait and its notify, the
 * notify and the waiter's next event; a barrier's arrivals and departures; a post
 * and the take it served; an acquire and the failed tries that saw it; all events and the
 * ordered-last ones (SER_EVENT_LATE) that follow them in the trace. Where reads may change, a write
 * has an edge to what demands it instead of the read (demands.h). Locks give no edges. The events
 * of a multi-variable access (SER_EVENT_JOINED) have all edges of each of them. Each event has a
 * vector clock (equation 1 of Sinha et al.): how many events of each thread must come before it.
 *
 * Clocks share their common parts (clock_tree.h), also between threads: thousands of threads that
 * were forked by the same thread, or left the same barrier, cost a few nodes each. Questions are
 * answered in O(log threads), first_after in that times O(log events) at most. Read-only once
 * created, so threads may share it.
 */
#ifndef SER_ORDER_ORDER_H
#define SER_ORDER_ORDER_H

#include "base/meter.h"
#include "order/clock_tree.h"
#include "order/demands.h"
#include "order/run.h"

typedef struct ser_order {
    const ser_run *run;
    uint32_t *clock_of; /* of each event; the counter of its own thread is not maintained */
    ser_clock_trees clocks;
    ser_demands demands;
    uint64_t cross_edges; /* between different threads, for the coupling strength */
} ser_order;

/* NULL if the meter, which may be NULL, has expired. */
ser_order *ser_order_create(const ser_run *run, ser_meter *meter);
void ser_order_destroy(ser_order *order);

size_t ser_order_bytes(const ser_order *order);

/* How many events of the thread must come before the event. */
static inline uint32_t ser_order_known(const ser_order *order, uint32_t event, uint32_t thread)
{
    if (order->run->events[event].thread == thread)
        return order->run->eid[event] - 1;
    return ser_clock_tree_get(&order->clocks, order->clock_of[event], thread);
}

/* Must a happen before b? */
static inline bool ser_order_before(const ser_order *order, uint32_t a, uint32_t b)
{
    return ser_order_known(order, b, order->run->events[a].thread) >= order->run->eid[a];
}

/* The eid of the thread's first event that must happen after the event; one more
 * than the thread has if there is none. The caller promises that none comes before `from`; the cost
 * is O(log n) if it is n events behind that. */
uint32_t ser_order_first_after(const ser_order *order, uint32_t event, uint32_t thread,
                               uint32_t from);

/* Is the read after the event only because of the write it is coupled with? It may
 * then happen earlier, broken. Of a joined step: because of the writes that its reads are
 * coupled with. */
bool ser_order_only_by_couple(const ser_order *order, uint32_t event, uint32_t read);

#endif
