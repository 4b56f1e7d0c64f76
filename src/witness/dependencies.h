/* SPDX-License-Identifier: MIT */
/*
 * dependencies.h - which events of an order depend on which before them.
 *
 * Memory: the caller frees with ser_dependencies_fini. Not thread-safe. Cost: O(order * log).
 */
#ifndef SER_WITNESS_DEPENDENCIES_H
#define SER_WITNESS_DEPENDENCIES_H

#include "order/run.h"

/* Edges into one place of the order: sources.items[first .. next place's first). The first place of
 * a multi-variable access has the edges of all of its events. */
typedef struct ser_dependencies {
    SER_VECTOR(uint32_t) first;
    SER_VECTOR(uint32_t) sources;
} ser_dependencies;

/* All that has its place before an event: any order that keeps these is the same execution. */
void ser_dependencies_find(ser_dependencies *edges, const ser_run *run,
                           const ser_event_list *order);

/* Only what an event needs in order to happen as it does. With `spares_changes` changed reads do
 * not need the writes that changed them. */
void ser_dependencies_find_needs(ser_dependencies *edges, const ser_run *run,
                                 const ser_event_list *order, bool spares_changes);

void ser_dependencies_fini(ser_dependencies *edges);

/* Is the event at this place part of the same operation as the one at the next place? */
static inline bool ser_is_joined_at(const ser_run *run, const ser_event_list *order, size_t place)
{
    return run->events[order->items[place]].flags & SER_EVENT_JOINED;
}

#endif
