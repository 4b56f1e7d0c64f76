/* SPDX-License-Identifier: MIT */
#include "draw_values.h"

#include "random.h"

enum { VARIABLES = 64, VALUES = 3, MOST_WRITES = 64 };

static bool writes(const ser_event *event)
{
    return event->op == SER_OP_WRITE || event->op == SER_OP_RMW;
}

static bool has_value(const ser_event *event)
{
    return (writes(event) || event->op == SER_OP_READ) && event->flags & SER_EVENT_HAS_VALUE;
}

void draw_values(event_list *raw, uint64_t seed)
{
    random_source random = {seed ^ UINT64_C(0x76616c756573)};
    uint64_t last[VARIABLES] = {0};
    uint32_t torn = random_chance(&random, 25) ? 10 : 0;
    for (size_t i = 0; i < raw->count; i++) {
        ser_event *event = &raw->items[i];
        if (!writes(event) && event->op != SER_OP_READ)
            continue;
        uint64_t *held = &last[event->object % VARIABLES];
        if (writes(event) || random_chance(&random, torn))
            *held = random_below(&random, VALUES);
        if (random_chance(&random, 90)) {
            event->flags |= SER_EVENT_HAS_VALUE;
            event->value = *held;
        }
    }
}

bool has_drawn_values(const event_list *events)
{
    for (size_t i = 0; i < events->count; i++)
        if (has_value(&events->items[i]))
            return true;
    return false;
}

/* The last write before it; NULL: none. */
static const ser_event *source_of(const event_list *events, size_t read)
{
    for (size_t i = read; i-- > 0;)
        if (writes(&events->items[i]) && events->items[i].object == events->items[read].object)
            return &events->items[i];
    return NULL;
}

static bool is_read_of(const ser_event *event, uint32_t variable)
{
    return event->op == SER_OP_READ && has_value(event) && event->object == variable;
}

/* Two reads of the initial value differ, or a read and its write do. */
static bool is_torn(const event_list *events, uint32_t variable)
{
    const ser_event *initial = NULL;
    for (size_t i = 0; i < events->count; i++) {
        const ser_event *event = &events->items[i];
        if (!is_read_of(event, variable))
            continue;
        const ser_event *source = source_of(events, i);
        if (source ? has_value(source) && source->value != event->value
                   : initial && initial->value != event->value)
            return true;
        if (!source)
            initial = event;
    }
    return false;
}

static bool is_initial(const event_list *events, uint32_t variable, uint64_t value)
{
    for (size_t i = 0; i < events->count; i++)
        if (is_read_of(&events->items[i], variable) && !source_of(events, i))
            return events->items[i].value == value;
    return false;
}

void make_reads_by_value(ser_reads *reads, const event_list *events)
{
    ser_reads_init(reads, (uint32_t)events->count);
    for (size_t i = 0; i < events->count; i++) {
        const ser_event *read = &events->items[i];
        uint32_t accepted[MOST_WRITES + 1];
        size_t count = 0;
        if (!is_read_of(read, read->object) || is_torn(events, read->object))
            continue;
        if (is_initial(events, read->object, read->value))
            accepted[count++] = 0;
        for (size_t k = 0; k < events->count && count <= MOST_WRITES; k++)
            if (writes(&events->items[k]) && has_value(&events->items[k]) &&
                events->items[k].object == read->object && events->items[k].value == read->value)
                accepted[count++] = (uint32_t)k + 1;
        reads->rules.items[i + 1].accepts = ser_reads_add_set(reads, accepted, count);
    }
}
