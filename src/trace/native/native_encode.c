/* SPDX-License-Identifier: MIT */
/*
 * Encoding: events are taken apart as they come; when the block is full they
 * are brought into the orders of its columns by two counting sorts. O(1) an
 * event. The point of an event is mostly the one that was found for its site, operation
 * and flags before; else the points of its site are walked through.
 *
 * This is an inner loop of recording. Its cache misses are the last values of variables, which are
 * therefore prefetched some events ahead.
 */
#include "trace/native/native_events.h"

enum {
    KEPT_FLAGS = SER_EVENT_HAS_VALUE | SER_EVENT_JOINED | SER_EVENT_CONTINUES | SER_EVENT_LATE,
    KEPT_FLOW = SER_FLOW_ALL | SER_GUARDS_MOST << SER_GUARDS_SHIFT,
    FOUND_POINTS = 1 << 12,
    FETCHED_AHEAD = 16, /* events */
};

/* Where a thread or a point is in the list of those that occur in the block. */
typedef struct block_place {
    uint32_t place; /* if times is not 0 */
    uint32_t times; /* in the block */
} block_place;

typedef struct encoder_point {
    uint8_t op, flags; /* flags of the event, KEPT_FLAGS of them */
    uint16_t flow;
    bool is_of_variable; /* rather than of a lock, say */
    uint32_t same_site;  /* another point of the site, plus one; 0 for none */
    block_place block;
    uint64_t value; /* the last one */
} encoder_point;

static_assert(SER_OP_COUNT <= 1 << 6, "the key of a found point has six bits for it");

typedef struct found_point {
    uint64_t key;    /* site, operation, flags, flow; 0: nothing was found yet */
    uint32_t number; /* of the point */
} found_point;

/* The numbers that occur in a block, in order of appearance. */
typedef struct block_list {
    uint32_t numbers[SER_NATIVE_BLOCK_EVENTS];
    uint32_t next[SER_NATIVE_BLOCK_EVENTS]; /* for sorting: where the next of each goes */
    uint32_t count;
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
    byte_column definitions, thread_list, point_list;
    byte_column flows; /* of the points defined in the block: a block of its own */
    uint32_t shape_count, value_bytes;
    uint8_t shapes[SER_NATIVE_BLOCK_EVENTS];
    uint8_t values[(SER_NATIVE_BLOCK_EVENTS + 1) * sizeof(uint64_t)];

    SER_VECTOR(block_place) thread_places; /* by thread */
    SER_VECTOR(encoder_point) known;
    found_point found[FOUND_POINTS];  /* by site, operation and flags */
    SER_VECTOR(uint32_t) by_site;     /* the latest point of a site, plus one */
    uint32_t latest_without_site;     /* the same of those without, plus one */
    uint32_t last_site;               /* of the last definition */
    SER_VECTOR(uint64_t) last_values; /* of variables */
};

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

static void put_varint(byte_column *column, uint64_t number)
{
    ser_vector_reserve(column, column->count + SER_VARINT_SIZE);
    column->count += ser_store_varint(column->items + column->count, number);
}

/* --- points ----------------------------------------------------------------- */

static uint8_t point_flags(uint8_t event_flags)
{
    return (uint8_t)((event_flags & SER_EVENT_HAS_VALUE ? SER_POINT_HAS_VALUE : 0) |
                     (event_flags & SER_EVENT_JOINED ? SER_POINT_JOINED : 0) |
                     (event_flags & SER_EVENT_CONTINUES ? SER_POINT_CONTINUES : 0) |
                     (event_flags & SER_EVENT_LATE ? SER_POINT_LATE : 0));
}

/* The new point's number plus one. Sites of new points mostly rise one by one. */
static uint32_t add_point(ser_native_encoder *encoder, const ser_event *event, uint32_t same_site)
{
    ser_check(event->op < SER_OP_COUNT);
    ser_space space = ser_op_space((ser_op)event->op);
    encoder_point point = {
        .op = event->op,
        .flags = event->flags & KEPT_FLAGS,
        .flow = event->flow & KEPT_FLOW,
        .is_of_variable = space == SER_SPACE_VARIABLE,
        .same_site = same_site,
    };
    byte_column *column = &encoder->definitions;
    ser_vector_push(column, point.op);
    ser_vector_push(column, point_flags(point.flags));
    ser_vector_push(column, (uint8_t)space);
    put_varint(column, ser_zigzag32(event->site - encoder->last_site));
    encoder->last_site = event->site;
    if (point.flow) {
        put_varint(&encoder->flows, encoder->known.count);
        put_varint(&encoder->flows, point.flow);
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

/* Stores a list as differences. */
static void put_list(const block_list *list, byte_column *column)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        put_varint(column, ser_zigzag32(list->numbers[i] - before));
        before = list->numbers[i];
    }
}

/* The next block has not met the thread or point yet; how often this one did. */
static uint32_t take_times(block_place *block)
{
    uint32_t times = block->times;
    block->times = 0;
    return times;
}

/* Stores both lists, and forgets them but for where sorting starts. */
static void flush_lists(ser_native_encoder *encoder)
{
    block_list *threads = &encoder->threads, *points = &encoder->points;
    put_list(threads, &encoder->thread_list);
    put_list(points, &encoder->point_list);
    for (uint32_t i = 0; i < threads->count; i++)
        threads->next[i] = take_times(&encoder->thread_places.items[threads->numbers[i]]);
    for (uint32_t i = 0; i < points->count; i++)
        points->next[i] = take_times(&encoder->known.items[points->numbers[i]].block);
    ser_native_first_places(threads->next, threads->count);
    ser_native_first_places(points->next, points->count);
}

/* Events of a thread mostly come in rows: the end of one that starts there. */
static uint32_t end_of_row(const ser_native_encoder *encoder, uint32_t start)
{
    uint32_t end = start + 1;
    while (end < encoder->events && encoder->thread_of[end] == encoder->thread_of[start])
        end++;
    return end;
}

static void sort_by_thread(ser_native_encoder *encoder)
{
    for (uint32_t start = 0, end; start < encoder->events; start = end) {
        end = end_of_row(encoder, start);
        uint32_t *next = &encoder->threads.next[encoder->thread_of[start]], length = end - start;
        memcpy(encoder->sorted_points + *next, encoder->point_of + start,
               length * sizeof *encoder->sorted_points);
        memcpy(encoder->sorted_objects + *next, encoder->object_of + start,
               length * sizeof *encoder->sorted_objects);
        *next += length;
    }
}

/* Needs what sort_by_thread leaves. Objects end up where they came from. */
static void sort_objects_by_point(ser_native_encoder *encoder)
{
    uint32_t *next = encoder->points.next;
    for (uint32_t i = 0; i < encoder->events; i++)
        encoder->object_of[next[encoder->sorted_points[i]]++] = encoder->sorted_objects[i];
}

/* Needs what sort_objects_by_point leaves: objects, and the end of each point's. The
 * differences go where the objects were before: from one array to another, the loop can be
 * made of vector instructions. */
static void take_differences(ser_native_encoder *encoder)
{
    const uint32_t *objects = encoder->object_of;
    uint32_t *differences = encoder->sorted_objects, first = 0;
    for (uint32_t i = 1; i < encoder->events; i++)
        differences[i] = ser_zigzag32(objects[i] - objects[i - 1]);
    for (uint32_t point = 0; point < encoder->points.count; point++) {
        differences[first] = ser_zigzag32(objects[first]);
        first = encoder->points.next[point];
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
        columns[object] = plane_of_objects(encoder->sorted_objects, encoder->events, plane,
                                           encoder->planes[object]);
    }
}

static ser_native_piece piece_of(const byte_column *column)
{
    return (ser_native_piece){column->items, column->count};
}

static void sort_columns(ser_native_encoder *encoder, ser_native_piece columns[SER_COLUMN_COUNT])
{
    flush_lists(encoder);
    sort_by_thread(encoder);
    sort_objects_by_point(encoder);
    take_differences(encoder);
    split_numbers(encoder, columns);
    columns[SER_COLUMN_DEFINITIONS] = piece_of(&encoder->definitions);
    columns[SER_COLUMN_THREADS] = piece_of(&encoder->thread_list);
    columns[SER_COLUMN_POINTS] = piece_of(&encoder->point_list);
    columns[SER_COLUMN_SHAPES] = (ser_native_piece){encoder->shapes, encoder->shape_count};
    columns[SER_COLUMN_VALUES] = (ser_native_piece){encoder->values, encoder->value_bytes};
}

/* Before the block that defines the points. */
static void pack_flows(ser_native_encoder *encoder, ser_native_packer *packer, uint64_t first)
{
    ser_native_piece piece = piece_of(&encoder->flows);
    if (piece.size > 0)
        ser_native_pack(packer, &(ser_native_block){SER_NATIVE_FLOWS, 0, first}, &piece, 1);
    encoder->flows.count = 0;
}

void ser_native_encoder_pack(ser_native_encoder *encoder, ser_native_packer *packer, uint64_t first)
{
    pack_flows(encoder, packer, first);
    uint8_t sizes[1 + SER_COLUMN_COUNT * SER_VARINT_SIZE] = {SER_COLUMN_COUNT};
    ser_native_piece pieces[1 + SER_COLUMN_COUNT] = {{sizes, 1}};
    sort_columns(encoder, pieces + 1);
    for (int i = 0; i < SER_COLUMN_COUNT; i++)
        pieces[0].size += ser_store_varint(sizes + pieces[0].size, pieces[1 + i].size);

    ser_native_block block = {SER_NATIVE_EVENTS, encoder->events, first};
    ser_native_pack(packer, &block, pieces, 1 + SER_COLUMN_COUNT);
    encoder->events = encoder->threads.count = encoder->points.count = 0;
    encoder->definitions.count = encoder->thread_list.count = encoder->point_list.count = 0;
    encoder->shape_count = encoder->value_bytes = 0;
}
