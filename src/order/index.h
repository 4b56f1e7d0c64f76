/* SPDX-License-Identifier: MIT */
/*
 * index.h - the events of a run by what they act on.
 *
 * For each variable its accesses, for each lock its (outermost) acquires, for each
 * condition its waits and notifies, in observed order.
 * Memory: 4 bytes per event and object. Read-only once created.
 */
#ifndef SER_ORDER_INDEX_H
#define SER_ORDER_INDEX_H

#include "order/run.h"

typedef struct ser_index_part {
    uint32_t objects;
    SER_VECTOR(uint32_t) first; /* first[o] .. first[o + 1] are the places of object o's events */
    uint32_t *events;           /* in observed order for each object */
} ser_index_part;

typedef struct ser_index {
    ser_index_part accesses, acquires, conditions;
} ser_index;

typedef struct ser_event_span {
    const uint32_t *items;
    size_t count;
} ser_event_span;

ser_index *ser_index_create(const ser_run *run);
void ser_index_destroy(ser_index *index);

/* The events on an object; empty for one without any. */
ser_event_span ser_index_events(const ser_index_part *part, uint32_t object);

/* Those between two events, exclusive on both sides. */
ser_event_span ser_index_between(const ser_index_part *part, uint32_t object, uint32_t after,
                                 uint32_t before);

/* How many of a span come before an event. O(log). */
size_t ser_event_span_before(ser_event_span span, uint32_t event);

#endif
