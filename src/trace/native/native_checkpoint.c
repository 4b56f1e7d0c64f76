/* SPDX-License-Identifier: MIT */
/*
 * A row of varints: points, variables, threads, events. docs/trace-format.md describes it.
 */
#include "trace/native/native_checkpoint.h"

#include "trace/native/native_decoder.h"
#include "trace/native/native_encoder.h"

/* --- writing ------------------------------------------------------------------- */

/* Threads mostly make many events in a row. */
static void count_events(ser_native_past *past, const ser_event *events, size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && events[end].thread == events[i].thread)
            end++;
        *ser_vector_slot(&past->eids, events[i].thread) += end - i;
        i = end;
    }
}

/* An inner loop of recording: most events are accesses. */
void ser_native_past_add(ser_native_past *past, const ser_event *events, size_t count)
{
    past->checkpoint.keeps_threads = true;
    count_events(past, events, count);
    for (size_t i = 0; i < count; i++) {
        const ser_event *event = &events[i];
        uint64_t number = ++past->events;
        if (ser_op_writes((ser_op)event->op)) {
            if (event->object >= past->last_writes.count)
                ser_vector_extend(&past->last_writes, (size_t)event->object + 1);
            past->last_writes.items[event->object] = number;
        }
        ser_checkpoint_take(&past->checkpoint, event, number);
    }
    if (count)
        past->is_joined = events[count - 1].flags & SER_EVENT_JOINED;
}

void ser_native_past_fini(ser_native_past *past)
{
    ser_checkpoint_fini(&past->checkpoint);
    ser_vector_free(&past->eids);
    ser_vector_free(&past->last_writes);
}

static void put_points(byte_column *column, const ser_native_encoder *encoder)
{
    ser_column_put(column, encoder->known.count);
    for (size_t i = 0; i < encoder->known.count; i++) {
        const encoder_point *point = &encoder->known.items[i];
        ser_vector_push(column, point->op);
        ser_vector_push(column, ser_native_point_flags(point->flags));
        ser_vector_push(column, (uint8_t)ser_op_space((ser_op)point->op));
        ser_column_put(column, point->site + 1);
        ser_column_put(column, point->flow);
        ser_column_put(column, point->value);
    }
}

static void put_variables(byte_column *column, const ser_native_encoder *encoder,
                          const ser_native_past *past)
{
    size_t values = encoder->last_values.count, writes = past->last_writes.count;
    size_t count = values > writes ? values : writes;
    ser_column_put(column, count);
    for (size_t i = 0; i < count; i++) {
        uint64_t number = i < writes ? past->last_writes.items[i] : 0;
        ser_column_put(column, i < values ? encoder->last_values.items[i] : 0);
        ser_column_put(column, number ? past->events + 1 - number : 0);
    }
}

static void put_threads(byte_column *column, const ser_native_past *past)
{
    ser_column_put(column, past->eids.count);
    for (size_t i = 0; i < past->eids.count; i++)
        ser_column_put(column, past->eids.items[i]);
}

static void put_events(byte_column *column, const ser_native_past *past)
{
    ser_past_events events = {0};
    uint64_t last = 0;
    ser_checkpoint_list(&past->checkpoint, &events);
    ser_column_put(column, events.count);
    for (size_t i = 0; i < events.count; i++) {
        const ser_past_event *one = &events.items[i];
        ser_column_put(column, one->number - last);
        ser_column_put(column, one->event.thread);
        ser_vector_push(column, one->event.op);
        ser_vector_push(column, ser_native_point_flags(one->event.flags & KEPT_FLAGS));
        ser_column_put(column, one->event.object + 1);
        ser_column_put(column, one->event.site + 1);
        ser_column_put(column, one->event.flow & KEPT_FLOW);
        ser_column_put(column, one->event.flags & SER_EVENT_HAS_VALUE ? one->event.value : 0);
        ser_column_put(column, one->times);
        ser_vector_push(column, one->ends_wait);
        last = one->number;
    }
    ser_vector_free(&events);
}

void ser_native_checkpoint_pack(const ser_native_encoder *encoder, const ser_native_past *past,
                                ser_native_packer *packer)
{
    byte_column column = {0};
    put_points(&column, encoder);
    put_variables(&column, encoder, past);
    put_threads(&column, past);
    put_events(&column, past);
    const ser_native_piece piece = {column.items, column.count};
    const ser_native_block block = {SER_NATIVE_CHECKPOINT, 0, past->events};
    if (piece.size <= SER_NATIVE_BLOCK_BYTES)
        ser_native_pack(packer, &block, &piece, 1);
    ser_vector_free(&column);
}

/* --- reading -------------------------------------------------------------------- */

static const char *take_points(ser_native_decoder *decoder, ser_native_bytes *bytes)
{
    const char *fault = NULL;
    for (uint64_t left = ser_native_bytes_varint(bytes); left > 0 && !bytes->bad && !fault;
         left--) {
        const uint8_t *head = ser_native_bytes_take(bytes, 3);
        uint32_t site = (uint32_t)ser_native_bytes_varint(bytes) - 1;
        uint64_t stored = ser_native_bytes_varint(bytes), value = ser_native_bytes_varint(bytes);
        uint16_t flow = 0;
        if (bytes->bad)
            break;
        fault = ser_native_decoder_read_flow(decoder, stored, &flow);
        if (!fault)
            fault = ser_native_decoder_add_point(decoder, head, site, flow, value);
    }
    return fault;
}

static const char *take_variables(ser_native_decoder *decoder, ser_native_bytes *bytes)
{
    uint64_t count = ser_native_bytes_varint(bytes);
    if (count > decoder->names->count[ser_native_table(SER_SPACE_VARIABLE)])
        return "it has a variable that was not named";
    for (uint64_t i = 0; i < count && !bytes->bad; i++) {
        *ser_vector_slot(&decoder->last_values, i) = ser_native_bytes_varint(bytes);
        ser_native_bytes_varint(bytes); /* its last write */
    }
    return NULL;
}

/* With the reader's numbers; false if the file has not named its thread or object. */
static bool translate(const ser_native_names_in *names, ser_event *event)
{
    unsigned threads = ser_native_table(SER_SPACE_THREAD);
    unsigned table = ser_native_table(ser_op_space((ser_op)event->op));
    if (event->thread >= names->count[threads])
        return false;
    event->thread = ser_native_number(names, threads, event->thread);
    if (event->site != SER_NO_SITE && event->site >= names->count[SER_NATIVE_SITES])
        return false;
    event->site = event->site == SER_NO_SITE || names->skip_sites
                      ? SER_NO_SITE
                      : ser_native_number(names, SER_NATIVE_SITES, event->site);
    if (event->object == SER_NO_OBJECT)
        return ser_op_may_lack_operand((ser_op)event->op);
    if (event->object >= names->count[table])
        return false;
    event->object = ser_native_number(names, table, event->object);
    return true;
}

/* Events of a later version's operations are none of ours. */
static const char *take_event(const ser_native_decoder *decoder, ser_native_bytes *bytes,
                              uint64_t *number, uint64_t last, ser_past_events *past)
{
    ser_past_event one = {0};
    *number += ser_native_bytes_varint(bytes);
    one.number = *number;
    one.event.thread = (uint32_t)ser_native_bytes_varint(bytes);
    const uint8_t *head = ser_native_bytes_take(bytes, 2);
    one.event.object = (uint32_t)ser_native_bytes_varint(bytes) - 1;
    one.event.site = (uint32_t)ser_native_bytes_varint(bytes) - 1;
    one.event.flow = (uint16_t)(ser_native_bytes_varint(bytes) & SER_FLOW_ALL);
    one.event.value = ser_native_bytes_varint(bytes);
    one.times = ser_native_bytes_varint(bytes);
    const uint8_t *ends_wait = ser_native_bytes_take(bytes, 1);
    if (bytes->bad || one.number == 0 || one.number > last)
        return "an event of it is cut, or comes later";
    if (head[0] >= SER_OP_COUNT)
        return NULL;
    one.event.op = head[0];
    one.event.flags = ser_native_event_flags(head[1]);
    one.ends_wait = *ends_wait;
    if (!translate(decoder->names, &one.event))
        return "an event of it has a thread, a site or an object that was not named";
    ser_vector_push(past, one);
    return NULL;
}

const char *ser_native_checkpoint_unpack(ser_native_decoder *decoder, const uint8_t *bytes,
                                         size_t size, uint64_t number, ser_past_events *past)
{
    ser_native_bytes rest = {bytes, bytes + size, false};
    uint64_t at = 0;
    const char *fault = take_points(decoder, &rest);
    if (!fault)
        fault = take_variables(decoder, &rest);
    for (uint64_t left = ser_native_bytes_varint(&rest); left > 0 && !rest.bad; left--)
        ser_native_bytes_varint(&rest); /* events of a thread */
    for (uint64_t left = ser_native_bytes_varint(&rest); left > 0 && !rest.bad && !fault; left--)
        fault = take_event(decoder, &rest, &at, number, past);
    return fault ? fault : rest.bad ? "it is cut" : NULL;
}
