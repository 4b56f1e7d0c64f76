/* SPDX-License-Identifier: MIT */
/*
 * Encoding: events are taken apart as they come; when the block is full they
 * are brought into the orders of its columns by two counting sorts. O(1)
 * per event. The point of an event is mostly the one that was found for its site, operation
 * and flags before; else the points of its site are walked through.
 *
 * This is an inner loop of recording. Its cache misses are the last values of variables, which are
 * therefore prefetched some events ahead.
 */
#include "trace/native/native_encoder.h"

enum { FETCHED_AHEAD = 16 }; /* events */

ser_native_encoder *ser_native_encoder_create(void)
{
    return ser_alloc(1, sizeof(ser_native_encoder));
}

void ser_native_encoder_destroy(ser_native_encoder *encoder)
{
    ser_vector_free(&encoder->thread_places);
    ser_vector_free(&encoder->definitions);
    ser_vector_free(&encoder->thread_list);
    ser_vector_free(&encoder->point_list);
    ser_vector_free(&encoder->flows);
    ser_vector_free(&encoder->known);
    ser_vector_free(&encoder->by_site);
    ser_vector_free(&encoder->last_values);
    free(encoder);
}

uint32_t ser_native_encoder_pending(const ser_native_encoder *encoder)
{
    return encoder->events;
}

/* --- points ----------------------------------------------------------------- */

/* The new point's number plus one. Sites of new points mostly rise one by one. */
static uint32_t add_point(ser_native_encoder *encoder, const ser_event *event, uint32_t same_site)
{
    ser_check(event->op < SER_OP_COUNT);
    ser_space space = ser_op_space((ser_op)event->op);
    encoder_point point = {
        .op = event->op,
        .flags = event->flags & KEPT_FLAGS,
        .flow = event->flow & KEPT_FLOW,
        .site = event->site,
        .is_of_variable = space == SER_SPACE_VARIABLE,
        .same_site = same_site,
    };
    byte_column *column = &encoder->definitions;
    ser_vector_push(column, point.op);
    ser_vector_push(column, ser_native_point_flags(point.flags));
    ser_vector_push(column, (uint8_t)space);
    ser_column_put(column, ser_zigzag32(event->site - encoder->last_site));
    encoder->last_site = event->site;
    if (point.flow) {
        ser_column_put(&encoder->flows, encoder->known.count);
        ser_column_put(&encoder->flows, point.flow);
    }
    ser_vector_push(&encoder->known, point);
    return (uint32_t)encoder->known.count;
}

/* The number of the event's point, plus one. */
static uint32_t search_point(ser_native_encoder *encoder, const ser_event *event)
{
    uint32_t *latest = event->site == SER_NO_SITE ? &encoder->latest_without_site
                                                  : ser_vector_slot(&encoder->by_site, event->site);
    for (uint32_t number = *latest; number > 0;) {
        const encoder_point *point = &encoder->known.items[number - 1];
        if (point->op == event->op && point->flags == (event->flags & KEPT_FLAGS) &&
            point->flow == (event->flow & KEPT_FLOW))
            return number;
        number = point->same_site;
    }
    *latest = add_point(encoder, event, *latest);
    return *latest;
}

static inline uint32_t find_point(ser_native_encoder *encoder, const ser_event *event)
{
    static const uint64_t filled = UINT64_C(1) << 63;
    uint8_t flags = event->flags & KEPT_FLAGS;
    uint64_t key = filled | (uint64_t)(event->flow & KEPT_FLOW) << 46 | (uint64_t)flags << 38 |
                   (uint64_t)event->op << 32 | event->site;
    found_point *found =
        &encoder
             ->found[(event->site * 8 + event->op + flags / SER_EVENT_JOINED + 4u * event->flow) %
                     FOUND_POINTS];
    if (found->key != key)
        *found = (found_point){key, search_point(encoder, event) - 1};
    return found->number;
}

/* --- values ----------------------------------------------------------------- */

/* Without a loop: how long it would run differs from value to value. */
static inline uint32_t bytes_of(uint64_t number)
{
    return number ? (71 - (uint32_t)__builtin_clzll(number)) / 8 : 0;
}

static void fetch_value(const ser_native_encoder *encoder, const ser_event *event)
{
    if (event->object < encoder->last_values.count)
        __builtin_prefetch(&encoder->last_values.items[event->object], 1);
}

/* A read mostly sees what was written last, and a place in the program mostly makes
 * similar values. Without branches, since they would be unpredictable. */
static inline void encode_value(ser_native_encoder *encoder, const ser_event *event,
                                encoder_point *point)
{
    uint64_t none = 0, *variable = &none;
    if (point->is_of_variable && event->object != SER_NO_OBJECT)
        variable = ser_vector_slot(&encoder->last_values, event->object);
    uint64_t from_variable = ser_zigzag(event->value - *variable);
    uint64_t from_point = ser_zigzag(event->value - point->value);
    uint32_t variable_bytes = bytes_of(from_variable), point_bytes = bytes_of(from_point);
    bool is_from_point = point_bytes < variable_bytes;
    uint32_t bytes = is_from_point ? point_bytes : variable_bytes;
    encoder->shapes[encoder->shape_count++] =
        (uint8_t)(bytes | (is_from_point ? SER_VALUE_FROM_POINT : 0));
    ser_store64(encoder->values + encoder->value_bytes,
                is_from_point ? from_point : from_variable); /* the rest is overwritten */
    encoder->value_bytes += bytes;
    *variable = point->value = event->value;
}

/* --- events ----------------------------------------------------------------- */

/* The place of a number in a list, to which it is added if it is new in the block. */
static inline uint16_t list_number(block_list *list, uint32_t number, block_place *block,
                                   uint32_t times)
{
    if (block->times == 0) {
        list->numbers[list->count] = number;
        block->place = list->count++;
    }
    block->times += times;
    return (uint16_t)block->place;
}

static inline void encode_event(ser_native_encoder *encoder, const ser_event *event, size_t at)
{
    uint32_t number = find_point(encoder, event);
    encoder_point *point = &encoder->known.items[number];
    encoder->point_of[at] = list_number(&encoder->points, number, &point->block, 1);
    encoder->object_of[at] = event->object + 1;
    if (event->flags & SER_EVENT_HAS_VALUE)
        encode_value(encoder, event, point);
}

/* Threads mostly make many events in a row; how many of them there are. */
static size_t encode_thread(ser_native_encoder *encoder, const ser_event *events, size_t count,
                            size_t at)
{
    uint32_t thread = events[0].thread;
    size_t length = 1;
    while (length < count && events[length].thread == thread)
        length++;
    uint16_t place =
        list_number(&encoder->threads, thread, ser_vector_slot(&encoder->thread_places, thread),
                    (uint32_t)length);
    for (size_t i = 0; i < length; i++)
        encoder->thread_of[at + i] = place;
    return length;
}

size_t ser_native_encode(ser_native_encoder *encoder, const ser_event *events, size_t count)
{
    size_t at = encoder->events, room = SER_NATIVE_BLOCK_EVENTS - at;
    if (count > room)
        count = room;
    for (size_t i = 0; i < count;)
        i += encode_thread(encoder, events + i, count - i, at + i);
    for (size_t i = 0; i < count; i++) {
        if (i + FETCHED_AHEAD < count)
            fetch_value(encoder, &events[i + FETCHED_AHEAD]);
        encode_event(encoder, &events[i], at + i);
    }
    encoder->events = (uint32_t)(at + count);
    return count;
}
