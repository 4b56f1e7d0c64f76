/* SPDX-License-Identifier: MIT */
/*
 * The columns of a block that is full: its events are sorted by thread and then by point, in two
 * counting sorts, and numbers are split into planes of bytes. Main function:
 * ser_native_encoder_pack.
 */
#include "trace/native/native_encoder.h"

/* Stores a list as differences. */
static void put_list(const block_list *list, byte_column *column)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        ser_column_put(column, ser_zigzag32(list->numbers[i] - before));
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

/* Before sorting, which empties the lists. */
static void count_threads(const ser_native_encoder *encoder, ser_native_thread_counts *counts)
{
    const block_list *threads = &encoder->threads;
    ser_native_thread_counts_begin(counts, threads->count);
    for (uint32_t i = 0; i < threads->count; i++)
        ser_native_thread_counts_add(counts, threads->numbers[i],
                                     encoder->thread_places.items[threads->numbers[i]].times);
}

void ser_native_encoder_pack(ser_native_encoder *encoder, ser_native_packer *packer, uint64_t first,
                             ser_native_thread_counts *counts)
{
    pack_flows(encoder, packer, first);
    count_threads(encoder, counts);
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
