/* SPDX-License-Identifier: MIT */
/* A counting sort by object, for each part. */
#include "order/index.h"

typedef bool (*selector)(const ser_event *event);

static bool is_access(const ser_event *event)
{
    return ser_op_is_access((ser_op)event->op);
}

static bool is_acquire(const ser_event *event)
{
    return (event->op == SER_OP_ACQUIRE || event->op == SER_OP_SHARED_ACQUIRE) &&
           !(event->flags & SER_EVENT_INNER);
}

static bool is_on_condition(const ser_event *event)
{
    return ser_op_space((ser_op)event->op) == SER_SPACE_CONDITION;
}

static void fill(ser_index_part *part, const ser_run *run, selector select)
{
    for (uint32_t i = 1; i <= run->count; i++)
        if (select(&run->events[i]) && run->events[i].object >= part->objects)
            part->objects = run->events[i].object + 1;
    part->first = ser_alloc((size_t)part->objects + 2, sizeof *part->first);
    for (uint32_t i = 1; i <= run->count; i++)
        if (select(&run->events[i]))
            part->first[run->events[i].object + 2]++;
    for (uint32_t i = 2; i < part->objects + 2; i++)
        part->first[i] += part->first[i - 1];
    part->events = ser_alloc(part->first[part->objects + 1], sizeof *part->events);
    for (uint32_t i = 1; i <= run->count; i++)
        if (select(&run->events[i]))
            part->events[part->first[run->events[i].object + 1]++] = i;
}

ser_index *ser_index_create(const ser_run *run)
{
    ser_index *index = ser_alloc(1, sizeof *index);
    fill(&index->accesses, run, is_access);
    fill(&index->acquires, run, is_acquire);
    fill(&index->conditions, run, is_on_condition);
    return index;
}

void ser_index_destroy(ser_index *index)
{
    if (!index)
        return;
    ser_index_part *parts[] = {&index->accesses, &index->acquires, &index->conditions};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        free(parts[i]->first);
        free(parts[i]->events);
    }
    free(index);
}

ser_event_span ser_index_events(const ser_index_part *part, uint32_t object)
{
    if (object >= part->objects)
        return (ser_event_span){NULL, 0};
    return (ser_event_span){part->events + part->first[object],
                            part->first[object + 1] - part->first[object]};
}

/* How many of a span come before an event. */
static size_t count_before(ser_event_span span, uint32_t event)
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
    size_t from = count_before(span, after + 1), to = count_before(span, before);
    return from < to ? (ser_event_span){span.items + from, to - from} : (ser_event_span){NULL, 0};
}
