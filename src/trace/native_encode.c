/* SPDX-License-Identifier: MIT */
/*
 * Encoding: each event is compared with what the tables predict, and only the
 * differences go into columns; the control byte says which. Where a thread goes
 * through a loop again, all that is left is a row of equal control bytes.
 * O(1) an event, but for the search of a point that was not predicted, which
 * walks through the points of its site (rarely more than two).
 */
#include "trace/native_events.h"

/* Bytes of a column that one event may take. Definitions of points are longer
 * (op, flags, space, site). */
enum { MOST_BYTES_AN_EVENT = SER_NATIVE_ESCAPE_SIZE };

typedef struct byte_column {
    uint8_t *bytes;
    size_t size;
} byte_column;

#define NO_POINT UINT32_MAX

struct ser_native_encoder {
    byte_column columns[SER_COLUMN_COUNT];
    uint32_t events; /* in the current block */
    uint32_t thread; /* of the last event */
    SER_VECTOR(ser_native_point) points;
    SER_VECTOR(uint32_t) same_site; /* for each point another one of its site, or NO_POINT */
    SER_VECTOR(uint32_t) by_site;   /* first point of site - 1, plus one; [0]: of no site */
    SER_VECTOR(ser_native_thread) threads;
    SER_VECTOR(uint64_t) values; /* last value of each variable */
    uint32_t last_site;          /* of the last point that was defined */
};

ser_native_encoder *ser_native_encoder_create(void)
{
    ser_native_encoder *encoder = ser_alloc(1, sizeof *encoder);
    for (int i = 0; i < SER_COLUMN_COUNT; i++)
        encoder->columns[i].bytes = ser_resize(NULL, SER_NATIVE_BLOCK_EVENTS, MOST_BYTES_AN_EVENT);
    return encoder;
}

void ser_native_encoder_destroy(ser_native_encoder *encoder)
{
    for (int i = 0; i < SER_COLUMN_COUNT; i++)
        free(encoder->columns[i].bytes);
    ser_vector_free(&encoder->points);
    ser_vector_free(&encoder->same_site);
    ser_vector_free(&encoder->by_site);
    ser_vector_free(&encoder->threads);
    ser_vector_free(&encoder->values);
    free(encoder);
}

uint32_t ser_native_encoder_pending(const ser_native_encoder *encoder)
{
    return encoder->events;
}

static inline void put(ser_native_encoder *encoder, ser_native_column which, uint32_t byte)
{
    byte_column *column = &encoder->columns[which];
    column->bytes[column->size++] = (uint8_t)byte;
}

static void put_number(ser_native_encoder *encoder, ser_native_column which, uint64_t number,
                       int bytes)
{
    byte_column *column = &encoder->columns[which];
    ser_store(column->bytes + column->size, number, bytes);
    column->size += (size_t)bytes;
}

/* --- points ----------------------------------------------------------------- */

static uint8_t point_flags(const ser_event *event)
{
    return event->flags & SER_EVENT_HAS_VALUE ? SER_POINT_HAS_VALUE : 0;
}

static inline bool is_point_of(const ser_native_point *point, const ser_event *event)
{
    return point->site == event->site && point->op == event->op &&
           point->flags == point_flags(event);
}

/* Sites of new points mostly rise one by one. */
static void define_point(ser_native_encoder *encoder, const ser_native_point *point)
{
    byte_column *column = &encoder->columns[SER_COLUMN_POINTS];
    put(encoder, SER_COLUMN_POINTS, point->op);
    put(encoder, SER_COLUMN_POINTS, point->flags);
    put(encoder, SER_COLUMN_POINTS, point->space);
    uint32_t rise = point->site - encoder->last_site;
    column->size += ser_store_varint(column->bytes + column->size,
                                     ser_zigzag((uint64_t)(int64_t)(int32_t)rise));
    encoder->last_site = point->site;
}

static uint32_t add_point(ser_native_encoder *encoder, const ser_event *event)
{
    uint32_t number = (uint32_t)encoder->points.count;
    ser_native_point point = {
        .site = event->site,
        .op = event->op,
        .flags = point_flags(event),
        .space = (uint8_t)ser_op_space((ser_op)event->op),
    };
    uint32_t *first = &encoder->by_site.items[event->site + 1];
    ser_vector_push(&encoder->points, point);
    ser_vector_push(&encoder->same_site, *first - 1);
    *first = number + 1;
    define_point(encoder, &point);
    return number;
}

static uint32_t find_point(ser_native_encoder *encoder, const ser_event *event)
{
    ser_check(event->op < SER_OP_COUNT);
    ser_vector_extend(&encoder->by_site, (size_t)(uint32_t)(event->site + 1) + 1);
    uint32_t point = encoder->by_site.items[event->site + 1] - 1;
    while (point != NO_POINT && !is_point_of(&encoder->points.items[point], event))
        point = encoder->same_site.items[point];
    return point != NO_POINT ? point : add_point(encoder, event);
}

/* --- events ----------------------------------------------------------------- */

/* What is to be said of one event: numbers, and the control byte so far. */
typedef struct event_step {
    uint32_t control, point, object;
} event_step;

static void encode_thread(ser_native_encoder *encoder, uint32_t thread, event_step *step)
{
    if (thread == encoder->thread)
        return;
    encoder->thread = thread;
    ser_vector_extend(&encoder->threads, (size_t)thread + 1);
    step->control |= SER_CONTROL_THREAD;
    if (thread >= 1 << 8)
        step->control |= SER_CONTROL_THREAD_HIGH;
    if (thread >= 1 << 16)
        step->control |= SER_CONTROL_ESCAPE;
}

static void encode_point(ser_native_encoder *encoder, const ser_event *event, event_step *step)
{
    uint32_t *before = &encoder->threads.items[encoder->thread].point;
    const ser_native_point *points = encoder->points.items;
    unsigned code = SER_POINT_LAST;
    if (points && is_point_of(&points[points[*before].next[0]], event)) {
        step->point = points[*before].next[0];
    } else if (points && is_point_of(&points[points[*before].next[1]], event)) {
        step->point = points[*before].next[1];
        code = SER_POINT_BEFORE;
    } else {
        step->point = find_point(encoder, event);
        code = step->point < 1 << 8 ? SER_POINT_LOW : SER_POINT_BOTH;
        if (step->point >= 1 << 16)
            step->control |= SER_CONTROL_ESCAPE;
    }
    uint32_t *next = encoder->points.items[*before].next;
    if (next[0] != step->point) {
        next[1] = next[0];
        next[0] = step->point;
    }
    *before = step->point;
    step->control |= code << SER_CONTROL_POINT_SHIFT;
}

static unsigned object_code(const ser_native_point *point, uint32_t object, uint32_t of_thread)
{
    if (object == point->last)
        return SER_OBJECT_SAME;
    if (object == of_thread + point->step)
        return SER_OBJECT_STEP;
    if (object == of_thread)
        return SER_OBJECT_THREAD;
    if (object - point->last + 128 < 256)
        return SER_OBJECT_NEAR;
    return object < 1 << 16 ? SER_OBJECT_TWO : SER_OBJECT_THREE;
}

/* Leaves in step->object what the columns must say. */
static void encode_object(ser_native_encoder *encoder, uint32_t object, event_step *step)
{
    ser_native_point *point = &encoder->points.items[step->point];
    uint32_t *of_thread = &encoder->threads.items[encoder->thread].last[point->space];
    unsigned code = object_code(point, object, *of_thread);
    step->object = code == SER_OBJECT_NEAR ? object - point->last + 128 : object;
    step->control |= code << SER_CONTROL_OBJECT_SHIFT;
    if (code == SER_OBJECT_THREE && object >= 1 << 24)
        step->control |= SER_CONTROL_ESCAPE;
    if (step->control & SER_CONTROL_ESCAPE)
        step->object = object;
    point->step = object - *of_thread;
    point->last = *of_thread = object;
}

static int bytes_of(uint64_t number)
{
    int bytes = 0;
    for (; number > 0; number >>= 8)
        bytes++;
    return bytes;
}

/* A read mostly sees what was written last, and a place in the program
 * mostly makes similar values. */
static void encode_value(ser_native_encoder *encoder, const ser_event *event,
                         ser_native_point *point)
{
    uint64_t *of_variable = NULL;
    if (point->space == SER_SPACE_VARIABLE && event->object != SER_NO_OBJECT) {
        ser_vector_extend(&encoder->values, (size_t)event->object + 1);
        of_variable = &encoder->values.items[event->object];
    }
    uint64_t near_variable = ser_zigzag(event->value - (of_variable ? *of_variable : 0));
    uint64_t near_point = ser_zigzag(event->value - point->value);
    bool from_point = bytes_of(near_point) < bytes_of(near_variable);
    uint64_t difference = from_point ? near_point : near_variable;
    int bytes = bytes_of(difference);
    put(encoder, SER_COLUMN_VALUE_SHAPES,
        (uint32_t)bytes | (from_point ? SER_VALUE_FROM_POINT : 0));
    put_number(encoder, SER_COLUMN_VALUES, difference, bytes);
    point->value = event->value;
    if (of_variable)
        *of_variable = event->value;
}

static void put_escape(ser_native_encoder *encoder, const event_step *step)
{
    put(encoder, SER_COLUMN_CONTROL, SER_CONTROL_ESCAPE);
    put_number(encoder, SER_COLUMN_ESCAPES, encoder->thread, 4);
    put_number(encoder, SER_COLUMN_ESCAPES, step->point, 4);
    put_number(encoder, SER_COLUMN_ESCAPES, step->object, 4);
}

static void put_object(ser_native_encoder *encoder, unsigned code, uint32_t object)
{
    if (code == SER_OBJECT_NEAR)
        put(encoder, SER_COLUMN_NEAR, object);
    if (code < SER_OBJECT_TWO)
        return;
    put(encoder, SER_COLUMN_OBJECT_0, object);
    put(encoder, SER_COLUMN_OBJECT_1, object >> 8);
    if (code == SER_OBJECT_THREE)
        put(encoder, SER_COLUMN_OBJECT_2, object >> 16);
}

static void put_step(ser_native_encoder *encoder, const event_step *step)
{
    unsigned point_code = step->control >> SER_CONTROL_POINT_SHIFT & 3;
    put(encoder, SER_COLUMN_CONTROL, step->control);
    if (step->control & SER_CONTROL_THREAD)
        put(encoder, SER_COLUMN_THREAD_LOW, encoder->thread);
    if (step->control & SER_CONTROL_THREAD_HIGH)
        put(encoder, SER_COLUMN_THREAD_HIGH, encoder->thread >> 8);
    if (point_code >= SER_POINT_LOW)
        put(encoder, SER_COLUMN_POINT_LOW, step->point);
    if (point_code == SER_POINT_BOTH)
        put(encoder, SER_COLUMN_POINT_HIGH, step->point >> 8);
    put_object(encoder, step->control >> SER_CONTROL_OBJECT_SHIFT & 7, step->object);
}

static void encode_event(ser_native_encoder *encoder, const ser_event *event)
{
    event_step step = {0};
    encode_thread(encoder, event->thread, &step);
    encode_point(encoder, event, &step);
    encode_object(encoder, event->object + 1, &step);
    if (step.control & SER_CONTROL_ESCAPE)
        put_escape(encoder, &step);
    else
        put_step(encoder, &step);
    if (event->flags & SER_EVENT_HAS_VALUE)
        encode_value(encoder, event, &encoder->points.items[step.point]);
}

size_t ser_native_encode(ser_native_encoder *encoder, const ser_event *events, size_t count)
{
    size_t room = SER_NATIVE_BLOCK_EVENTS - encoder->events;
    if (count > room)
        count = room;
    if (encoder->threads.count == 0)
        ser_vector_extend(&encoder->threads, 1);
    for (size_t i = 0; i < count; i++)
        encode_event(encoder, &events[i]);
    encoder->events += (uint32_t)count;
    return count;
}

void ser_native_encoder_pack(ser_native_encoder *encoder, ser_native_packer *packer, uint64_t first)
{
    uint8_t sizes[1 + SER_COLUMN_COUNT * SER_VARINT_SIZE] = {SER_COLUMN_COUNT};
    ser_native_piece pieces[1 + SER_COLUMN_COUNT] = {{sizes, 1}};
    for (int i = 0; i < SER_COLUMN_COUNT; i++) {
        byte_column *column = &encoder->columns[i];
        pieces[0].size += ser_store_varint(sizes + pieces[0].size, column->size);
        pieces[1 + i] = (ser_native_piece){column->bytes, column->size};
        column->size = 0;
    }
    ser_native_block block = {SER_NATIVE_EVENTS, encoder->events, first};
    ser_native_pack(packer, &block, pieces, 1 + SER_COLUMN_COUNT);
    encoder->events = 0;
}
