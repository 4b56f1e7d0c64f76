/* SPDX-License-Identifier: MIT */
/*
 * Encoding: events are taken apart as they come; when the block is full they
 * are brought into the orders of its columns by two counting sorts. O(1) an
 * event, but for the search of a point, which walks through the points of its
 * site (rarely more than two; a table by operation serves events without site).
 */
#include "trace/native_events.h"

enum { FLAG_SETS = SER_POINT_FLAGS + 1 };

typedef struct encoder_point {
    uint8_t op, flags;
    uint32_t same_site; /* another point of the site, plus one; 0 for none */
    uint64_t value;     /* the last one */
} encoder_point;

/* The numbers that occur in a block, in order of appearance. */
typedef struct block_list {
    uint32_t numbers[SER_NATIVE_BLOCK_EVENTS];
    uint32_t times[SER_NATIVE_BLOCK_EVENTS]; /* how often each occurs */
    uint32_t count;
    SER_VECTOR(uint32_t) index; /* of a number: its place in the list, plus one */
} block_list;

typedef SER_VECTOR(uint8_t) byte_column;

struct ser_native_encoder {
    uint32_t events; /* in the current block */
    block_list threads, points;
    uint16_t thread_of[SER_NATIVE_BLOCK_EVENTS]; /* place in the list, for each event */
    uint16_t point_of[SER_NATIVE_BLOCK_EVENTS];
    uint32_t object_of[SER_NATIVE_BLOCK_EVENTS]; /* plus one: 0 is none */
    uint16_t sorted_points[SER_NATIVE_BLOCK_EVENTS];
    uint32_t sorted_objects[SER_NATIVE_BLOCK_EVENTS];
    uint8_t planes[SER_COLUMN_COUNT][SER_NATIVE_BLOCK_EVENTS];
    byte_column definitions, thread_list, point_list, shapes, values;

    SER_VECTOR(encoder_point) known;
    SER_VECTOR(uint32_t) by_site;                   /* the latest point of a site, plus one */
    uint32_t without_site[SER_OP_COUNT][FLAG_SETS]; /* the point, plus one */
    uint32_t last_site;                             /* of the last definition */
    SER_VECTOR(uint64_t) last_values;               /* of variables */
};

ser_native_encoder *ser_native_encoder_create(void)
{
    return ser_alloc(1, sizeof(ser_native_encoder));
}

void ser_native_encoder_destroy(ser_native_encoder *encoder)
{
    ser_vector_free(&encoder->threads.index);
    ser_vector_free(&encoder->points.index);
    ser_vector_free(&encoder->definitions);
    ser_vector_free(&encoder->thread_list);
    ser_vector_free(&encoder->point_list);
    ser_vector_free(&encoder->shapes);
    ser_vector_free(&encoder->values);
    ser_vector_free(&encoder->known);
    ser_vector_free(&encoder->by_site);
    ser_vector_free(&encoder->last_values);
    free(encoder);
}

uint32_t ser_native_encoder_pending(const ser_native_encoder *encoder)
{
    return encoder->events;
}

static void put_varint(byte_column *column, uint64_t number)
{
    ser_vector_reserve(column, column->count + SER_VARINT_SIZE);
    column->count += ser_store_varint(column->items + column->count, number);
}

/* --- points ----------------------------------------------------------------- */

static uint8_t point_flags(const ser_event *event)
{
    return (uint8_t)((event->flags & SER_EVENT_HAS_VALUE ? SER_POINT_HAS_VALUE : 0) |
                     (event->flags & SER_EVENT_JOINED ? SER_POINT_JOINED : 0) |
                     (event->flags & SER_EVENT_CONTINUES ? SER_POINT_CONTINUES : 0) |
                     (event->flags & SER_EVENT_LATE ? SER_POINT_LATE : 0));
}

/* The new point's number plus one. Sites of new points mostly rise one by one. */
static uint32_t add_point(ser_native_encoder *encoder, const ser_event *event, uint32_t same_site)
{
    encoder_point point = {event->op, point_flags(event), same_site, 0};
    byte_column *column = &encoder->definitions;
    ser_check(event->op < SER_OP_COUNT);
    ser_vector_push(column, point.op);
    ser_vector_push(column, point.flags);
    ser_vector_push(column, (uint8_t)ser_op_space((ser_op)point.op));
    put_varint(column, ser_zigzag32(event->site - encoder->last_site));
    encoder->last_site = event->site;
    ser_vector_push(&encoder->known, point);
    return (uint32_t)encoder->known.count;
}

static uint32_t find_point_without_site(ser_native_encoder *encoder, const ser_event *event)
{
    ser_check(event->op < SER_OP_COUNT);
    uint32_t *point = &encoder->without_site[event->op][point_flags(event)];
    if (*point == 0)
        *point = add_point(encoder, event, 0);
    return *point - 1;
}

static uint32_t find_point(ser_native_encoder *encoder, const ser_event *event)
{
    if (event->site == SER_NO_SITE)
        return find_point_without_site(encoder, event);
    uint32_t *latest = ser_vector_slot(&encoder->by_site, event->site);
    for (uint32_t number = *latest; number > 0;) {
        const encoder_point *point = &encoder->known.items[number - 1];
        if (point->op == event->op && point->flags == point_flags(event))
            return number - 1;
        number = point->same_site;
    }
    *latest = add_point(encoder, event, *latest);
    return *latest - 1;
}

/* --- values ----------------------------------------------------------------- */

/* Without a loop: how long it would run differs from value to value. */
static uint32_t bytes_of(uint64_t number)
{
    return number ? (71 - (uint32_t)__builtin_clzll(number)) / 8 : 0;
}

static void put_value(ser_native_encoder *encoder, uint64_t difference, uint32_t base)
{
    uint32_t bytes = bytes_of(difference);
    byte_column *column = &encoder->values;
    ser_vector_push(&encoder->shapes, (uint8_t)(bytes | base));
    ser_vector_reserve(column, column->count + 8);
    ser_store(column->items + column->count, difference, 8); /* the rest is overwritten */
    column->count += bytes;
}

/* A read mostly sees what was written last, and a place in the program
 * mostly makes similar values. */
static void encode_value(ser_native_encoder *encoder, const ser_event *event, encoder_point *point)
{
    uint64_t none = 0, *variable = &none;
    if (ser_op_space((ser_op)event->op) == SER_SPACE_VARIABLE && event->object != SER_NO_OBJECT)
        variable = ser_vector_slot(&encoder->last_values, event->object);
    uint64_t from_variable = ser_zigzag(event->value - *variable);
    uint64_t from_point = ser_zigzag(event->value - point->value);
    if (bytes_of(from_point) < bytes_of(from_variable))
        put_value(encoder, from_point, SER_VALUE_FROM_POINT);
    else
        put_value(encoder, from_variable, 0);
    *variable = point->value = event->value;
}

/* --- events ----------------------------------------------------------------- */

/* The place of a number in a list, to which it is added if it is new. */
static uint16_t list_number(block_list *list, uint32_t number)
{
    uint32_t *index = ser_vector_slot(&list->index, number);
    if (*index == 0) {
        list->numbers[list->count] = number;
        list->times[list->count] = 0;
        *index = ++list->count;
    }
    list->times[*index - 1]++;
    return (uint16_t)(*index - 1);
}

size_t ser_native_encode(ser_native_encoder *encoder, const ser_event *events, size_t count)
{
    size_t at = encoder->events, room = SER_NATIVE_BLOCK_EVENTS - at;
    if (count > room)
        count = room;
    for (size_t i = 0; i < count; i++, at++) {
        uint32_t point = find_point(encoder, &events[i]);
        encoder->thread_of[at] = list_number(&encoder->threads, events[i].thread);
        encoder->point_of[at] = list_number(&encoder->points, point);
        encoder->object_of[at] = events[i].object + 1;
        if (events[i].flags & SER_EVENT_HAS_VALUE)
            encode_value(encoder, &events[i], &encoder->known.items[point]);
    }
    encoder->events = (uint32_t)at;
    return count;
}

/* Stores a list as differences, and forgets it. */
static void flush_list(block_list *list, byte_column *column)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        put_varint(column, ser_zigzag32(list->numbers[i] - before));
        before = list->numbers[i];
        list->index.items[before] = 0;
    }
    list->count = 0;
}

static void sort_by_thread(ser_native_encoder *encoder)
{
    uint32_t *next = encoder->threads.times;
    ser_native_first_places(next, encoder->threads.count);
    for (uint32_t i = 0; i < encoder->events; i++) {
        uint32_t place = next[encoder->thread_of[i]]++;
        encoder->sorted_points[place] = encoder->point_of[i];
        encoder->sorted_objects[place] = encoder->object_of[i];
    }
}

/* Needs what sort_by_thread leaves. Objects end up where they came from. */
static void sort_objects_by_point(ser_native_encoder *encoder)
{
    uint32_t *next = encoder->points.times;
    ser_native_first_places(next, encoder->points.count);
    for (uint32_t i = 0; i < encoder->events; i++)
        encoder->object_of[next[encoder->sorted_points[i]]++] = encoder->sorted_objects[i];
}

/* Needs what sort_objects_by_point leaves: objects, and the end of each point's. */
static void take_differences(ser_native_encoder *encoder)
{
    uint32_t *objects = encoder->object_of, at = 0;
    for (uint32_t point = 0; point < encoder->points.count; point++)
        for (uint32_t before = 0; at < encoder->points.times[point]; at++) {
            uint32_t object = objects[at];
            objects[at] = ser_zigzag32(object - before);
            before = object;
        }
}

/* Byte number `plane` of each number; nothing if all are zero. */
static ser_native_piece plane_of_index(const uint16_t *numbers, uint32_t count, int plane,
                                       uint8_t *bytes)
{
    uint8_t all = 0;
    for (uint32_t i = 0; i < count; i++)
        all |= bytes[i] = (uint8_t)(numbers[i] >> 8 * plane);
    return (ser_native_piece){bytes, all ? count : 0};
}

static ser_native_piece plane_of_objects(const uint32_t *numbers, uint32_t count, int plane,
                                         uint8_t *bytes)
{
    uint8_t all = 0;
    for (uint32_t i = 0; i < count; i++)
        all |= bytes[i] = (uint8_t)(numbers[i] >> 8 * plane);
    return (ser_native_piece){bytes, all ? count : 0};
}

static void split_numbers(ser_native_encoder *encoder, ser_native_piece columns[SER_COLUMN_COUNT])
{
    for (int plane = 0; plane < SER_INDEX_PLANES; plane++) {
        int thread = SER_COLUMN_THREAD + plane, point = SER_COLUMN_POINT + plane;
        columns[thread] =
            plane_of_index(encoder->thread_of, encoder->events, plane, encoder->planes[thread]);
        columns[point] =
            plane_of_index(encoder->sorted_points, encoder->events, plane, encoder->planes[point]);
    }
    for (int plane = 0; plane < SER_OBJECT_PLANES; plane++) {
        int object = SER_COLUMN_OBJECT + plane;
        columns[object] =
            plane_of_objects(encoder->object_of, encoder->events, plane, encoder->planes[object]);
    }
}

static ser_native_piece piece_of(const byte_column *column)
{
    return (ser_native_piece){column->items, column->count};
}

static void sort_columns(ser_native_encoder *encoder, ser_native_piece columns[SER_COLUMN_COUNT])
{
    sort_by_thread(encoder);
    sort_objects_by_point(encoder);
    take_differences(encoder);
    flush_list(&encoder->threads, &encoder->thread_list);
    flush_list(&encoder->points, &encoder->point_list);
    split_numbers(encoder, columns);
    columns[SER_COLUMN_DEFINITIONS] = piece_of(&encoder->definitions);
    columns[SER_COLUMN_THREADS] = piece_of(&encoder->thread_list);
    columns[SER_COLUMN_POINTS] = piece_of(&encoder->point_list);
    columns[SER_COLUMN_SHAPES] = piece_of(&encoder->shapes);
    columns[SER_COLUMN_VALUES] = piece_of(&encoder->values);
}

void ser_native_encoder_pack(ser_native_encoder *encoder, ser_native_packer *packer, uint64_t first)
{
    uint8_t sizes[1 + SER_COLUMN_COUNT * SER_VARINT_SIZE] = {SER_COLUMN_COUNT};
    ser_native_piece pieces[1 + SER_COLUMN_COUNT] = {{sizes, 1}};
    sort_columns(encoder, pieces + 1);
    for (int i = 0; i < SER_COLUMN_COUNT; i++)
        pieces[0].size += ser_store_varint(sizes + pieces[0].size, pieces[1 + i].size);

    ser_native_block block = {SER_NATIVE_EVENTS, encoder->events, first};
    ser_native_pack(packer, &block, pieces, 1 + SER_COLUMN_COUNT);
    encoder->events = 0;
    encoder->definitions.count = encoder->thread_list.count = encoder->point_list.count = 0;
    encoder->shapes.count = encoder->values.count = 0;
}
