/* SPDX-License-Identifier: MIT */
/* A counting sort by object, of all parts in the same passes. */
#include "order/index.h"

/* Of the event's object: where it belongs; NULL for events that are in no part. */
static ser_index_part *part_of(ser_index *index, const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    if (ser_op_is_access(op))
        return &index->accesses;
    if (ser_op_acquires(op))
        return event->flags & SER_EVENT_INNER ? NULL : &index->acquires;
    return ser_op_space(op) == SER_SPACE_CONDITION ? &index->conditions : NULL;
}

/* How many events each object has, at first[object + 2]. */
static void count_events(ser_index *index, const ser_run *run)
{
    for (uint32_t i = 1; i <= run->count; i++) {
        ser_index_part *part = part_of(index, &run->events[i]);
        if (!part)
            continue;
        ++*ser_vector_slot(&part->first, (size_t)run->events[i].object + 2);
    }
}

static void make_room(ser_index_part *part)
{
    ser_vector_extend(&part->first, 2);
    part->objects = (uint32_t)part->first.count - 2;
    for (size_t i = 2; i < part->first.count; i++)
        part->first.items[i] += part->first.items[i - 1];
    part->events = ser_alloc(part->first.items[part->first.count - 1], sizeof *part->events);
}

static void place_events(ser_index *index, const ser_run *run)
{
    for (uint32_t i = 1; i <= run->count; i++) {
        ser_index_part *part = part_of(index, &run->events[i]);
        if (part)
            part->events[part->first.items[run->events[i].object + 1]++] = i;
    }
}

ser_index *ser_index_create(const ser_run *run)
{
    ser_index *index = ser_alloc(1, sizeof *index);
    count_events(index, run);
    make_room(&index->accesses);
    make_room(&index->acquires);
    make_room(&index->conditions);
    place_events(index, run);
    return index;
}

void ser_index_destroy(ser_index *index)
{
    if (!index)
        return;
    ser_index_part *parts[] = {&index->accesses, &index->acquires, &index->conditions};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        ser_vector_free(&parts[i]->first);
        free(parts[i]->events);
    }
    free(index);
}

ser_event_span ser_index_events(const ser_index_part *part, uint32_t object)
{
    if (object >= part->objects)
        return (ser_event_span){NULL, 0};
    uint32_t first = part->first.items[object];
    return (ser_event_span){part->events + first, part->first.items[object + 1] - first};
}

size_t ser_event_span_before(ser_event_span span, uint32_t event)
{
    size_t low = 0, high = span.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (span.items[middle] < event)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

ser_event_span ser_index_between(const ser_index_part *part, uint32_t object, uint32_t after,
                                 uint32_t before)
{
    ser_event_span span = ser_index_events(part, object);
    size_t from = ser_event_span_before(span, after + 1), to = ser_event_span_before(span, before);
    return from < to ? (ser_event_span){span.items + from, to - from} : (ser_event_span){NULL, 0};
}
