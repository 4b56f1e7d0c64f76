/* SPDX-License-Identifier: MIT */
#include "witness/schedule.h"

static bool holds(const ser_event_list *list, uint32_t event)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == event)
            return true;
    return false;
}

bool ser_schedule_is_on_path(const ser_schedule *schedule, uint32_t event)
{
    return holds(&schedule->path, event);
}

bool ser_schedule_is_broken(const ser_schedule *schedule, uint32_t event)
{
    return holds(&schedule->broken, event);
}

static void append_all(ser_event_list *to, const uint32_t *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ser_vector_push(to, events[i]);
}

static uint32_t take_name(ser_schedule *schedule, const ser_symbols *symbols, ser_space space,
                          uint32_t number)
{
    if (number == SER_NO_OBJECT)
        return SER_NO_NAME;
    return ser_names_add(schedule->names, ser_symbols_name(symbols, space, number),
                         ser_symbols_name_length(symbols, space, number));
}

static uint32_t take_location(ser_schedule *schedule, const ser_symbols *symbols, uint32_t site)
{
    if (site == SER_NO_SITE)
        return SER_NO_NAME;
    return ser_names_add(schedule->names, ser_symbols_location(symbols, site),
                         ser_symbols_location_length(symbols, site));
}

static void add_run(ser_schedule *schedule, const ser_run *run, const uint32_t *events,
                    size_t count)
{
    const ser_event *last = &run->events[events[count - 1]];
    ser_schedule_run added = {
        .thread = take_name(schedule, run->symbols, SER_SPACE_THREAD, last->thread),
        .steps = (uint32_t)count,
        .first = events[0],
        .last = events[count - 1],
        .op = (ser_op)last->op,
        .operand = take_name(schedule, run->symbols, ser_op_space((ser_op)last->op), last->object),
        .location = take_location(schedule, run->symbols, last->site),
    };
    ser_vector_push(&schedule->runs, added);
}

static bool ends_run(const ser_schedule *schedule, const ser_run *run, uint32_t event,
                     uint32_t next)
{
    return run->events[event].thread != run->events[next].thread ||
           ser_schedule_is_on_path(schedule, event) || ser_schedule_is_broken(schedule, event);
}

void ser_schedule_make(ser_schedule *schedule, const ser_schedule_source *source)
{
    *schedule = (ser_schedule){.names = ser_names_create(),
                               .block = source->block,
                               .serializability = source->serializability};
    schedule->trace = ser_names_add(schedule->names, source->trace, strlen(source->trace));
    append_all(&schedule->path, source->facts->path.items, source->facts->path.count);
    append_all(&schedule->broken, source->facts->broken.items, source->facts->broken.count);
    const ser_event_list *order = source->order;
    for (size_t i = 0, start = 0; i < order->count; i++) {
        if (i + 1 < order->count &&
            !ends_run(schedule, source->run, order->items[i], order->items[i + 1]))
            continue;
        add_run(schedule, source->run, order->items + start, i + 1 - start);
        start = i + 1;
    }
}

void ser_schedule_fini(ser_schedule *schedule)
{
    ser_names_destroy(schedule->names);
    ser_vector_free(&schedule->path);
    ser_vector_free(&schedule->broken);
    ser_vector_free(&schedule->runs);
    *schedule = (ser_schedule){0};
}
