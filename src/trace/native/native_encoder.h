/* SPDX-License-Identifier: MIT */
/*
 * native_encoder.h - inside of the encoder: the events of a block, taken apart, and what is kept
 * from block to block. native_encode.c fills it, native_encode_columns.c makes columns of it.
 */
#ifndef SER_TRACE_NATIVE_ENCODER_H
#define SER_TRACE_NATIVE_ENCODER_H

#include "trace/native/native_events.h"

enum {
    KEPT_FLAGS = SER_EVENT_HAS_VALUE | SER_EVENT_JOINED | SER_EVENT_CONTINUES | SER_EVENT_LATE,
    KEPT_FLOW = SER_FLOW_ALL | SER_GUARDS_MOST << SER_GUARDS_SHIFT,
    FOUND_POINTS = 1 << 12,
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
    uint32_t site;
    uint32_t same_site; /* another point of the site, plus one; 0 for none */
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

static inline void ser_column_put(byte_column *column, uint64_t number)
{
    ser_vector_reserve(column, column->count + SER_VARINT_SIZE);
    column->count += ser_store_varint(column->items + column->count, number);
}

#endif
