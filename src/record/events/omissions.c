/* SPDX-License-Identifier: MIT */
#include "record/events/omissions.h"

void ser_omissions_add(ser_event_maker *maker, uint16_t thread, uint64_t operations)
{
    ser_left_out *left_out = &maker->left_out[thread];
    uint64_t known = operations < left_out->ahead ? operations : left_out->ahead;
    left_out->ahead -= known;
    left_out->operations += operations - known;
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
    maker->left_out[thread].made += operations;
    maker->result->left_out += operations;
}

/* A call whose record has no place is placed at its function. */
static void push_call(ser_event_maker *maker, const ser_record *record, uint64_t before)
{
    uint32_t function = ser_batch_function(maker, record->object);
    ser_event *event = ser_batch_push(maker, record, (ser_op)record->op, function);
    if (before > 0) {
        event->flags = SER_EVENT_HAS_VALUE;
        event->value = before;
        maker->left_out[record->thread].made += before;
        maker->result->left_out += before;
    }
    ser_omissions_count(maker, record->thread, event);
    if (record->site == 0)
        event->site = ser_batch_site(maker, (uint32_t)record->object);
}

static void tell_calls(ser_event_maker *maker, ser_left_out *left_out)
{
    for (size_t i = 0; i < left_out->calls.count; i++) {
        const ser_held_call *held = &left_out->calls.items[i];
        push_call(maker, &held->record, held->before);
    }
    left_out->calls.count = 0;
}

void ser_omissions_tell_all(ser_event_maker *maker, uint16_t thread)
{
    ser_left_out *left_out = &maker->left_out[thread];
    tell_calls(maker, left_out);
    push_count(maker, thread, left_out->operations);
    left_out->operations = 0;
}

/* A call is held back until something happens in it, or it returns. */
static void hold_call(ser_left_out *left_out, const ser_record *record)
{
    ser_held_call held = {*record, left_out->operations};
    ser_vector_push(&left_out->calls, held);
    left_out->operations = 0;
}

static void drop_call(ser_left_out *left_out)
{
    enum { CALL_AND_RETURN = 2 };
    left_out->operations += left_out->calls.items[--left_out->calls.count].before + CALL_AND_RETURN;
}

void ser_omissions_add_call(ser_event_maker *maker, const ser_record *record)
{
    ser_left_out *left_out = &maker->left_out[record->thread];
    if (record->value > 0)
        ser_omissions_add(maker, record->thread, record->value);
    if (maker->shared && ser_op_opens((ser_op)record->op) && left_out->ahead == 0) {
        hold_call(left_out, record);
    } else if (!ser_op_opens((ser_op)record->op) && left_out->calls.count > 0) {
        drop_call(left_out);
    } else {
        tell_calls(maker, left_out);
        push_call(maker, record, left_out->operations);
        left_out->operations = 0;
    }
}

/* An event that stands for elided operations of a thread. */
static void push_anchor(ser_event_maker *maker, uint16_t thread)
{
    const ser_record record = {.thread = thread};
    uint32_t *anchor = &maker->left_out[thread].anchor;
    if (*anchor == 0)
        *anchor = 1 + ser_labels_anchor(maker->labels, thread);
    ser_batch_push(maker, &record, SER_OP_READ, *anchor - 1)->flags = SER_EVENT_CONTINUES;
}

/* The next access of a thread must come after so many operations of another, whose records so
 * far may have fewer. */
void ser_omissions_add_order(ser_event_maker *maker, const ser_record *record)
{
    uint16_t other = (uint16_t)record->object;
    maker->left_out[record->thread].late = other != record->thread;
    ser_left_out *left_out = &maker->left_out[other];
    if (left_out->made >= record->value)
        return;
    ser_omissions_tell(maker, other);
    uint64_t missing = record->value > left_out->made ? record->value - left_out->made : 0;
    push_count(maker, other, missing);
    left_out->ahead += missing;
    push_anchor(maker, other);
}
