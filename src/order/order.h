/* SPDX-License-Identifier: MIT */
/*
 * order.h - the partial order graph: what must happen before what.
 *
 * Edges: program order; a write and the reads coupled with it; fork and the
 * child's first event, the child's last event and join; a wait and its notify, the
 * notify and the waiter's next event; a barrier's arrivals and departures; a post
 * and the take it served; an acquire and the failed tries that saw it; all events and
 * the late ones (SER_EVENT_LATE) that the trace has after them. Locks are no
 * edges. The events of a joined step are as one: what must come before one of them must
 * come before all, and what must come after one, after all. Each event has a vector of clocks
 * (equation 1 of Sinha et al.): how many events of each thread must come before it.
 *
 * A vector is stored only where it differs from the one of the event before it in
 * its thread. Questions are answered in O(1), first_after in O(log events) at most.
 * Read-only once created, so threads may share it.
 */
#ifndef SER_ORDER_ORDER_H
#define SER_ORDER_ORDER_H

#include "order/run.h"

typedef struct ser_order {
    const ser_run *run;
    uint32_t width;               /* threads */
    uint32_t *vector_of;          /* of each event: its place among the vectors */
    SER_VECTOR(uint32_t) vectors; /* width counters each; the own one is not kept up */
    uint64_t cross_edges;         /* between different threads, for the coupling strength */
} ser_order;

ser_order *ser_order_create(const ser_run *run);
void ser_order_destroy(ser_order *order);

/* How many events of the thread must come before the event. */
static inline uint32_t ser_order_known(const ser_order *order, uint32_t event, uint32_t thread)
{
    if (order->run->events[event].thread == thread)
        return order->run->eid[event] - 1;
    return order->vectors.items[(size_t)order->vector_of[event] * order->width + thread];
}

/* Must a happen before b? */
static inline bool ser_order_before(const ser_order *order, uint32_t a, uint32_t b)
{
    return ser_order_known(order, b, order->run->events[a].thread) >= order->run->eid[a];
}

/* The eid of the thread's first event that must happen after the event; one more
 * than the thread has if there is none. No event before `from` may be one; the cost is
 * O(log n) if it is n events from there. */
uint32_t ser_order_first_after(const ser_order *order, uint32_t event, uint32_t thread,
                               uint32_t from);

/* Is the read after the event only because of the write it is coupled with? It may
 * then happen earlier, broken. Of a joined step: because of the writes that its reads are
 * coupled with. */
bool ser_order_only_by_couple(const ser_order *order, uint32_t event, uint32_t read);

#endif
