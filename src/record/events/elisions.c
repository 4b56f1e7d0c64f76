/* SPDX-License-Identifier: MIT */
#include "record/events/elisions.h"

#include "contract/abi.h"

void ser_elisions_add(ser_event_maker *maker, uint16_t thread, uint64_t operations)
{
    ser_elisions *elided = &maker->elided[thread];
    uint64_t known = operations < elided->ahead ? operations : elided->ahead;
    elided->ahead -= known;
    elided->operations += operations - known;
}

/* Replays count operations, also those that are not in the trace. */
static void push_count(ser_event_maker *maker, uint16_t thread, uint64_t operations)
{
    const ser_record record = {.thread = thread};
    if (operations == 0)
        return;
    ser_event *event = ser_batch_push(maker, &record, SER_OP_SKIP, SER_NO_OBJECT);
    event->flags = SER_EVENT_HAS_VALUE;
    event->value = operations;
    maker->elided[thread].made += operations;
    maker->result->elided += operations;
}

/* What is known of a function, or of the place where it was called. */
static uint16_t flow_of_call(const ser_event_maker *maker, const ser_record *record)
{
    const ser_definitions *known = &maker->survey->definitions;
    if (ser_op_calls((ser_op)record->op)) {
        unsigned flags = ser_definitions_site_flags(known, (uint32_t)record->object);
        return (uint16_t)((flags & SER_ABI_SITE_LOOPS ? SER_FLOW_LOOPS : 0) |
                          (flags & SER_ABI_SITE_KEEPS ? SER_FLOW_KEEPS : 0) |
                          (flags & SER_ABI_SITE_SPINS ? SER_FLOW_SPINS : 0));
    }
    return ser_definitions_site_flags(known, record->site) & SER_ABI_SITE_DISPATCHES
               ? SER_FLOW_DISPATCHED
               : 0;
}

/* A call whose record has no place is placed at its function. */
static void push_call(ser_event_maker *maker, const ser_record *record, uint64_t before)
{
    uint32_t function = ser_batch_function(maker, record->object);
    ser_event *event = ser_batch_push(maker, record, (ser_op)record->op, function);
    if (before > 0) {
        event->flags = SER_EVENT_HAS_VALUE;
        event->value = before;
        maker->elided[record->thread].made += before;
        maker->result->elided += before;
    }
    ser_elisions_count(maker, record->thread, event);
    if (record->site == 0)
        event->site = ser_batch_site(maker, (uint32_t)record->object);
    event->flow = flow_of_call(maker, record);
}

static void push_calls(ser_event_maker *maker, ser_elisions *elided)
{
    for (size_t i = 0; i < elided->calls.count; i++) {
        const ser_held_call *held = &elided->calls.items[i];
        push_call(maker, &held->record, held->before);
    }
    elided->calls.count = 0;
}

void ser_elisions_write_all(ser_event_maker *maker, uint16_t thread)
{
    ser_elisions *elided = &maker->elided[thread];
    push_calls(maker, elided);
    push_count(maker, thread, elided->operations);
    elided->operations = 0;
}

/* A call is held back until something happens in it, or it returns. */
static void hold_call(ser_elisions *elided, const ser_record *record)
{
    ser_held_call held = {*record, elided->operations};
    ser_vector_push(&elided->calls, held);
    elided->operations = 0;
}

static void drop_call(ser_elisions *elided)
{
    enum { CALL_AND_RETURN = 2 };
    elided->operations += elided->calls.items[--elided->calls.count].before + CALL_AND_RETURN;
}

void ser_elisions_add_call(ser_event_maker *maker, const ser_record *record)
{
    ser_elisions *elided = &maker->elided[record->thread];
    if (record->value > 0)
        ser_elisions_add(maker, record->thread, record->value);
    if (maker->shared && ser_op_opens((ser_op)record->op) && elided->ahead == 0) {
        hold_call(elided, record);
    } else if (!ser_op_opens((ser_op)record->op) && elided->calls.count > 0) {
        drop_call(elided);
    } else {
        push_calls(maker, elided);
        push_call(maker, record, elided->operations);
        elided->operations = 0;
    }
}

/* An event that stands for elided operations of a thread. */
static void push_anchor(ser_event_maker *maker, uint16_t thread)
{
    const ser_record record = {.thread = thread};
    uint32_t *anchor = &maker->elided[thread].anchor;
    if (*anchor == 0)
        *anchor = 1 + ser_labels_anchor(maker->labels, thread);
    ser_batch_push(maker, &record, SER_OP_READ, *anchor - 1)->flags = SER_EVENT_CONTINUES;
}

/* The next access of a thread must come after so many operations of another, whose records so
 * far may have fewer. */
void ser_elisions_add_order(ser_event_maker *maker, const ser_record *record)
{
    uint16_t other = (uint16_t)record->object;
    maker->elided[record->thread].late = other != record->thread;
    ser_elisions *elided = &maker->elided[other];
    if (elided->made >= record->value)
        return;
    ser_elisions_write(maker, other);
    uint64_t missing = record->value > elided->made ? record->value - elided->made : 0;
    push_count(maker, other, missing);
    elided->ahead += missing;
    push_anchor(maker, other);
}
