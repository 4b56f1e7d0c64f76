/* SPDX-License-Identifier: MIT */
#include "record/events/streams.h"

#include "record/events/elisions.h"

void ser_message_streams_fini(ser_message_streams *streams)
{
    for (size_t i = 0; i < streams->list.count; i++)
        ser_vector_free(&streams->list.items[i].starts);
    ser_vector_free(&streams->list);
    ser_pairmap_fini(&streams->numbers);
    ser_outside_fini(&streams->outside);
}

static ser_message_stream *find(ser_message_streams *streams, uint64_t identity)
{
    uint32_t *number = ser_pairmap_add(&streams->numbers, identity, 0, 0);
    if (*number == 0) {
        const ser_message_stream fresh = {.is_outside = identity >> 56 == SER_STREAM_OUTSIDE};
        ser_vector_push(&streams->list, fresh);
        *number = (uint32_t)streams->list.count;
    }
    return &streams->list.items[*number - 1];
}

static bool sends(uint8_t use)
{
    return use == SER_STREAM_SENT || use == SER_STREAM_SENT_LATE;
}

static bool is_in_system(const ser_record *record)
{
    uint64_t kind = record->object >> 56;
    return kind == SER_STREAM_SEMAPHORE || kind == SER_STREAM_MAILBOX;
}

static bool only_says_when(const ser_record *record)
{
    return record->size == SER_STREAM_BEGINS || record->size == SER_STREAM_ENDS;
}

/* Is it more than one token that the program's threads pass on? Then which of them was received is
 * not known. */
static bool is_no_token(ser_message_stream *stream, const ser_record *record)
{
    int64_t there = (int64_t)(stream->surveyed_sent - stream->surveyed_received);
    stream->most = there > stream->most ? there : stream->most;
    stream->least = there < stream->least ? there : stream->least;
    return stream->most - stream->least > 1 || (only_says_when(record) && record->value > 0);
}

/* Was more received than the program has sent itself? A child process may have the same pipe. What
 * an eventfd or a semaphore began with is no such thing. */
static bool is_from_others(ser_message_stream *stream, const ser_record *record)
{
    if (sends(record->size))
        stream->surveyed_sent += record->value;
    else if (record->size == SER_STREAM_RECEIVED)
        stream->surveyed_received += record->value;
    if (is_in_system(record)) {
        stream->is_outside |= is_no_token(stream, record);
        return false;
    }
    return record->size == SER_STREAM_RECEIVED && record->object >> 56 != SER_STREAM_COUNTER &&
           stream->surveyed_received > stream->surveyed_sent;
}

void ser_message_streams_survey(ser_message_streams *streams, const ser_record *record)
{
    ser_message_stream *stream = find(streams, record->object);
    stream->is_sent |= sends(record->size) && record->value > 0;
    stream->is_received |= !sends(record->size) && !only_says_when(record);
    ser_outside_survey(&streams->outside, (uint32_t)(stream - streams->list.items), record,
                       is_from_others(stream, record));
}

/* --- second pass ------------------------------------------------------------------ */

/* One operation of the stream; its events are made one after the other. The event that may have
 * to wait comes first, since a replay starts the operation at its first event. */
typedef struct operation {
    ser_event_maker *maker;
    const ser_record *record;
    ser_message_stream *stream;
    bool begun;
} operation;

static uint32_t semaphore(const operation *made, int part)
{
    uint32_t *name = &made->stream->name[part];
    if (*name == 0)
        *name = 1 + ser_labels_stream(made->maker->labels, made->record->object, part);
    return *name - 1;
}

static void add(operation *made, ser_op op, int part)
{
    uint16_t thread = made->record->thread;
    uint32_t object = semaphore(made, part);
    if (!made->begun)
        ser_elisions_write(made->maker, thread);
    ser_event *event = ser_batch_push(made->maker, made->record, op, object);
    if (made->begun)
        event->flags = SER_EVENT_CONTINUES;
    else
        ser_elisions_count(made->maker, thread, event);
    if (part != SER_STREAM_MESSAGES)
        event->flow = SER_FLOW_CHAIN;
    made->begun = true;
}

/* After the last operation of the chain, before its next. */
static void pass(operation *made, int chain)
{
    add(made, SER_OP_TAKE, chain);
    add(made, SER_OP_POST, chain);
}

static void send(operation *made)
{
    ser_message_stream *stream = made->stream;
    pass(made, SER_STREAM_SENDERS);
    if (made->record->size == SER_STREAM_SENT_LATE)
        pass(made, SER_STREAM_RECEIVERS);
    add(made, SER_OP_POST, SER_STREAM_MESSAGES);
    ser_vector_push(&stream->starts, stream->sent);
    stream->sent += made->record->value;
}

/* Takes the messages that begin before that byte. */
static void take_until(operation *made, uint64_t end)
{
    ser_message_stream *stream = made->stream;
    while (stream->taken < stream->starts.count && stream->starts.items[stream->taken] < end) {
        add(made, SER_OP_TAKE, SER_STREAM_MESSAGES);
        stream->taken++;
    }
    size_t left = stream->starts.count - stream->taken;
    if (stream->taken > left) {
        memmove(stream->starts.items, stream->starts.items + stream->taken,
                left * sizeof *stream->starts.items);
        stream->starts.count = left;
        stream->taken = 0;
    }
}

static void receive(operation *made)
{
    bool ends = made->record->value == 0;
    made->stream->received += made->record->value;
    take_until(made, ends ? UINT64_MAX : made->stream->received);
    pass(made, SER_STREAM_RECEIVERS);
}

static void make(operation *made)
{
    switch (made->record->size) {
    case SER_STREAM_RECEIVED:
        receive(made);
        return;
    case SER_STREAM_READY:
        take_until(made, made->stream->received + 1);
        pass(made, SER_STREAM_RECEIVERS);
        return;
    case SER_STREAM_BEGINS:
    case SER_STREAM_ENDS:
        ser_elisions_add(made->maker, made->record->thread, 1);
        return;
    case SER_STREAM_WATCHED: /* before the first look that finds something */
        pass(made, SER_STREAM_RECEIVERS);
        return;
    case SER_STREAM_EMPTY:
        pass(made, SER_STREAM_RECEIVERS);
        pass(made, SER_STREAM_SENDERS);
        return;
    default:
        send(made);
    }
}

void ser_message_streams_add(ser_event_maker *maker, const ser_record *record)
{
    ser_message_stream *stream = find(&maker->survey->streams, record->object);
    operation made = {maker, record, stream, false};
    if (ser_message_stream_is_inside(stream)) {
        make(&made);
        ser_outside_add_to(maker, record);
    } else {
        ser_outside_add(maker, record);
    }
}

void ser_message_streams_take_back(ser_event_maker *maker, const ser_record *record)
{
    ser_message_stream *stream = find(&maker->survey->streams, record->object);
    stream->sent -= record->value < stream->sent ? record->value : stream->sent;
}
