/* SPDX-License-Identifier: MIT */
/*
 * native_format.h - the layout of seriatim's own trace files.
 *
 * A file is a header and a row of blocks, each with a checksum of its own:
 * blocks of names, blocks of events, at last a trailer with totals. Events are stored in columns,
 * sorted so that similar values are adjacent. docs/trace-format.md is the full description; this
 * header is what reader and writer share. All numbers are little-endian, whatever the host.
 */
#ifndef SER_TRACE_NATIVE_NATIVE_FORMAT_H
#define SER_TRACE_NATIVE_NATIVE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "trace/event.h"

/* --- the file's header: magic, major, minor, CRC-32 of these 12 bytes --- */

/* As in PNG: a byte that no text has, and line ends that a transfer in text mode would change. */
#define SER_NATIVE_MAGIC "\x89SER\r\n\x1a\n"

enum {
    SER_NATIVE_MAGIC_SIZE = 8,
    SER_NATIVE_HEADER_SIZE = 16,
    SER_NATIVE_MAJOR = 1, /* changes when old readers cannot read new files */
    SER_NATIVE_MINOR = 5, /* changes when they can, and miss something */
};

/* --- blocks ------------------------------------------------------------- */

enum {
    SER_NATIVE_BLOCK_HEADER_SIZE = 32,
    SER_NATIVE_BLOCK_EVENTS = 1 << 16, /* events in a block, at most */
    SER_NATIVE_BLOCK_BYTES = 1 << 26,  /* bytes of a block before compression, at most */
    SER_NATIVE_STORED_BYTES = SER_NATIVE_BLOCK_BYTES + (1 << 20), /* and after */
    SER_NATIVE_CHECKPOINT_EVENTS = 1 << 24, /* from one checkpoint to the next, at least */
};

enum {
    SER_NATIVE_NAMES = 1,
    SER_NATIVE_EVENTS = 2,
    SER_NATIVE_TRAILER = 3,
    SER_NATIVE_MAY_SKIP = 0x80, /* a reader that does not know such a kind goes on */
    SER_NATIVE_INPUTS = 0x80,   /* nondeterministic inputs of the program; for replay */
    SER_NATIVE_FLOWS = 0x81,    /* of points that the next block of events defines (from 1.3 on) */
    SER_NATIVE_INDEX = 0x82,    /* of the file (from 1.5 on) */
    SER_NATIVE_CHECKPOINT = 0x83, /* what of the events before it still matters (from 1.5 on) */
};

enum { SER_NATIVE_STORED = 0, SER_NATIVE_ZSTD = 1 };

/* --- tables of names ---------------------------------------------------- */

/* Table 0 holds sites, table 1 + s the names of space s, the next one notes (from 1.1 on), the last
 * one guards of reads (from 1.4 on). */
enum {
    SER_NATIVE_SITES = 0,
    SER_NATIVE_NOTES = 1 + SER_SPACE_COUNT,
    SER_NATIVE_GUARDS,
    SER_NATIVE_TABLES,
};

static inline unsigned ser_native_table(ser_space space)
{
    return 1u + (unsigned)space;
}

/* --- trailer: pairs of a key and a value ---------------------------------- */

/* SER_NATIVE_TOTAL_NAMES + t is the number of names in table t; SER_NATIVE_INDEX_AT the offset of
 * the index in the file, where there is one. */
enum { SER_NATIVE_TOTAL_EVENTS = 0, SER_NATIVE_INDEX_AT = 1, SER_NATIVE_TOTAL_NAMES = 16 };

/* --- events --------------------------------------------------------------- */

/*
 * A point is a place in the program that produces events: a site, an operation, and whether there
 * are values. Threads pass through the same sequences of points again and again, and the objects of
 * one thread at one point change little from one time to the next. So a block holds the threads of
 * its events in their order; the points ordered by thread; and the objects ordered by thread, then
 * by point, each as its difference from the one before at the same point. zstd finds the
 * repetitions, and no prediction from event to event is needed.
 *
 * A block lists the threads and the points that occur in it, and events refer
 * to these lists. Their order is the order in which the columns are sorted.
 */

/* Columns of a block of events, in the order in which they are stored. Numbers
 * of events are split into planes of bytes, low ones first; a plane of zeros is
 * left out. */
typedef enum ser_native_column {
    SER_COLUMN_DEFINITIONS,                    /* points that are new in this file */
    SER_COLUMN_THREADS,                        /* threads in this block */
    SER_COLUMN_POINTS,                         /* points in this block */
    SER_COLUMN_THREAD,                         /* of each event: a place in THREADS; two planes */
    SER_COLUMN_POINT = SER_COLUMN_THREAD + 2,  /* a place in POINTS; two planes */
    SER_COLUMN_OBJECT = SER_COLUMN_POINT + 2,  /* a difference; four planes */
    SER_COLUMN_SHAPES = SER_COLUMN_OBJECT + 4, /* one byte per value, SER_VALUE_* */
    SER_COLUMN_VALUES,
    SER_COLUMN_EXTRAS, /* for later versions: readers of this one skip it */
    SER_COLUMN_COUNT
} ser_native_column;

enum { SER_INDEX_PLANES = 2, SER_OBJECT_PLANES = 4, SER_NATIVE_MOST_COLUMNS = 64 };

/* Counting sort: turns the counts of keys into the position of the first entry of each key. */
static inline void ser_native_first_places(uint32_t *counts, uint32_t keys)
{
    uint32_t place = 0;
    for (uint32_t key = 0; key < keys; key++) {
        uint32_t times = counts[key];
        counts[key] = place;
        place += times;
    }
}

/* The shape of a value: how many bytes its difference takes, and from what. */
enum { SER_VALUE_LENGTH = 15, SER_VALUE_FROM_POINT = 16 };

/* Flags of a point. */
enum {
    SER_POINT_HAS_VALUE = 1,
    SER_POINT_HAS_EXTRA = 2, /* later versions: something in EXTRAS */
    SER_POINT_JOINED = 4,    /* SER_EVENT_JOINED (from 1.1 on) */
    SER_POINT_CONTINUES = 8, /* SER_EVENT_CONTINUES (from 1.1 on) */
    SER_POINT_LATE = 16,     /* SER_EVENT_LATE (from 1.2 on) */
    SER_POINT_FLAGS = 31,    /* all of them */
};

/* Of an event's flags those that a point has, and back. */
static inline uint8_t ser_native_point_flags(uint8_t event_flags)
{
    return (uint8_t)((event_flags & SER_EVENT_HAS_VALUE ? SER_POINT_HAS_VALUE : 0) |
                     (event_flags & SER_EVENT_JOINED ? SER_POINT_JOINED : 0) |
                     (event_flags & SER_EVENT_CONTINUES ? SER_POINT_CONTINUES : 0) |
                     (event_flags & SER_EVENT_LATE ? SER_POINT_LATE : 0));
}

static inline uint8_t ser_native_event_flags(uint8_t point_flags)
{
    return (uint8_t)((point_flags & SER_POINT_HAS_VALUE ? SER_EVENT_HAS_VALUE : 0) |
                     (point_flags & SER_POINT_JOINED ? SER_EVENT_JOINED : 0) |
                     (point_flags & SER_POINT_CONTINUES ? SER_EVENT_CONTINUES : 0) |
                     (point_flags & SER_POINT_LATE ? SER_EVENT_LATE : 0));
}

/* --- bytes ------------------------------------------------------------------ */

enum { SER_VARINT_SIZE = 10 }; /* bytes of the longest one */

static inline uint32_t ser_load16(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8;
}

static inline uint32_t ser_load32(const uint8_t *at)
{
    return ser_load16(at) | ser_load16(at + 2) << 16;
}

static inline uint64_t ser_load64(const uint8_t *at)
{
    return ser_load32(at) | (uint64_t)ser_load32(at + 4) << 32;
}

static inline void ser_store(uint8_t *at, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(number >> 8 * i);
}

/* Eight bytes at once. */
static inline void ser_store64(uint8_t *at, uint64_t number)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    number = __builtin_bswap64(number);
#endif
    memcpy(at, &number, sizeof number);
}

/* Seven bits per byte, low ones first, the top bit says that more follow. */
static inline size_t ser_store_varint(uint8_t *at, uint64_t number)
{
    size_t size = 0;
    for (; number >= 0x80; number >>= 7)
        at[size++] = (uint8_t)(number | 0x80);
    at[size++] = (uint8_t)number;
    return size;
}

/* Small differences of either sign become small numbers: 0, -1, 1, -2, ... */
static inline uint64_t ser_zigzag(uint64_t number)
{
    return number << 1 ^ (0 - (number >> 63));
}

static inline uint64_t ser_unzigzag(uint64_t number)
{
    return number >> 1 ^ (0 - (number & 1));
}

static inline uint32_t ser_zigzag32(uint32_t number)
{
    return number << 1 ^ (0 - (number >> 31));
}

static inline uint32_t ser_unzigzag32(uint32_t number)
{
    return number >> 1 ^ (0 - (number & 1));
}

#endif
