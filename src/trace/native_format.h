/* SPDX-License-Identifier: MIT */
/*
 * native_format.h - the layout of seriatim's own trace files.
 *
 * A file is a header and a row of blocks, each with a checksum of its own:
 * blocks of names, blocks of events, at last a trailer with totals. Events are
 * stored in columns, as differences from what a few small tables predict.
 * docs/trace-format.md tells it in full; this header is what reader and writer
 * share. All numbers are little-endian, whatever the host.
 */
#ifndef SER_TRACE_NATIVE_FORMAT_H
#define SER_TRACE_NATIVE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/event.h"

/* --- the file's header: magic, major, minor, CRC-32 of these 12 bytes --- */

/* Like PNG's: a byte that no text has, and line ends that a transfer in text
 * mode would break. */
#define SER_NATIVE_MAGIC "\x89SER\r\n\x1a\n"

enum {
    SER_NATIVE_MAGIC_SIZE = 8,
    SER_NATIVE_HEADER_SIZE = 16,
    SER_NATIVE_MAJOR = 1, /* changes when old readers cannot read new files */
    SER_NATIVE_MINOR = 0, /* changes when they can, and miss something */
};

/* --- blocks ------------------------------------------------------------- */

enum {
    SER_NATIVE_BLOCK_HEADER_SIZE = 32,
    SER_NATIVE_BLOCK_EVENTS = 1 << 16, /* events in a block, at most */
    SER_NATIVE_BLOCK_BYTES = 1 << 26,  /* bytes of a block before compression, at most */
    SER_NATIVE_STORED_BYTES = SER_NATIVE_BLOCK_BYTES + (1 << 20), /* and after */
};

enum {
    SER_NATIVE_NAMES = 1,
    SER_NATIVE_EVENTS = 2,
    SER_NATIVE_TRAILER = 3,
    SER_NATIVE_MAY_SKIP = 0x80, /* a reader that does not know such a kind goes on */
};

enum { SER_NATIVE_STORED = 0, SER_NATIVE_ZSTD = 1 };

/* --- tables of names ---------------------------------------------------- */

/* Table 0 holds sites, table 1 + s the names of space s. */
enum { SER_NATIVE_SITES = 0, SER_NATIVE_TABLES = 1 + SER_SPACE_COUNT };

static inline unsigned ser_native_table(ser_space space)
{
    return 1u + (unsigned)space;
}

/* --- trailer: pairs of a key and a value ---------------------------------- */

/* SER_NATIVE_TOTAL_NAMES + t is the number of names in table t. */
enum { SER_NATIVE_TOTAL_EVENTS = 0, SER_NATIVE_TOTAL_NAMES = 16 };

/* --- events --------------------------------------------------------------- */

/* Columns of a block of events, in the order in which they are stored. */
typedef enum ser_native_column {
    SER_COLUMN_POINTS,     /* points that are new in this block */
    SER_COLUMN_CONTROL,    /* one byte an event, SER_CONTROL_* */
    SER_COLUMN_THREAD_LOW, /* bytes of threads that were not predicted */
    SER_COLUMN_THREAD_HIGH,
    SER_COLUMN_POINT_LOW, /* the same of points */
    SER_COLUMN_POINT_HIGH,
    SER_COLUMN_NEAR,     /* differences of objects, plus 128 */
    SER_COLUMN_OBJECT_0, /* bytes 0, 1, 2 of objects that were not predicted */
    SER_COLUMN_OBJECT_1,
    SER_COLUMN_OBJECT_2,
    SER_COLUMN_ESCAPES,      /* thread, point, object: 4 bytes each */
    SER_COLUMN_VALUE_SHAPES, /* one byte a value, SER_VALUE_* */
    SER_COLUMN_VALUES,
    SER_COLUMN_EXTRAS, /* for later versions: readers of this one skip it */
    SER_COLUMN_COUNT
} ser_native_column;

enum { SER_NATIVE_MOST_COLUMNS = 64, SER_NATIVE_ESCAPE_SIZE = 12 };

/* The control byte of an event. Every bit that makes a column longer by a byte
 * stands alone, so that the decoder can add bits to cursors without branches. */
enum {
    SER_CONTROL_THREAD = 1 << 0,      /* another thread than before: THREAD_LOW */
    SER_CONTROL_THREAD_HIGH = 1 << 6, /* ... and THREAD_HIGH */

    SER_CONTROL_POINT_SHIFT = 1, /* two bits */
    SER_POINT_LAST = 0,          /* what followed last time */
    SER_POINT_BEFORE = 1,        /* what followed before that */
    SER_POINT_LOW = 2,           /* POINT_LOW */
    SER_POINT_BOTH = 3,          /* POINT_LOW and POINT_HIGH */

    SER_CONTROL_OBJECT_SHIFT = 3, /* three bits */
    SER_OBJECT_SAME = 0,          /* as at this point last time */
    SER_OBJECT_NEAR = 1,          /* ... plus a small difference: NEAR */
    SER_OBJECT_THREAD = 2,        /* as this thread's last object of the space */
    SER_OBJECT_STEP = 3,          /* ... plus the difference of last time */
    SER_OBJECT_TWO = 4,           /* OBJECT_0 and OBJECT_1 */
    SER_OBJECT_THREE = 5,         /* OBJECT_0 to OBJECT_2 */

    SER_CONTROL_ESCAPE = 1 << 7, /* no other bit: everything is in ESCAPES */
};

/* The shape of a value: how many bytes its difference takes, and from what. */
enum { SER_VALUE_LENGTH = 15, SER_VALUE_FROM_POINT = 16 };

/* Flags of a point. */
enum {
    SER_POINT_HAS_VALUE = 1,
    SER_POINT_HAS_EXTRA = 2, /* later versions: something in EXTRAS */
    SER_POINT_FLAGS = 3,     /* all of them */
};

/*
 * What predicts. A point is a place in the program that makes events: a site
 * with an operation and a flag for values. It knows which two points came after
 * it last, and which object it touched last. A thread knows its last point and
 * its last object in every space. Objects are one more than in ser_event, so
 * that "none" is 0, which is also what every table starts with.
 */
enum { SER_NATIVE_SPACES = 15 }; /* room: with them a thread fills a cache line */

typedef struct ser_native_point {
    uint32_t site;    /* SER_NO_SITE for none */
    uint32_t last;    /* object of the last event of this point */
    uint32_t step;    /* what it was beyond the thread's object before it */
    uint32_t next[2]; /* points that followed, the later one first */
    uint8_t op, flags, space;
    uint8_t bound;  /* decoder: index of the check of objects */
    uint64_t value; /* the last one of this point */
} ser_native_point;

typedef struct ser_native_thread {
    uint32_t point;
    uint32_t last[SER_NATIVE_SPACES];
} ser_native_thread;

static_assert(sizeof(ser_native_point) == 32, "a point is half a cache line");
static_assert(sizeof(ser_native_thread) == 64, "a thread is a cache line");
static_assert((int)SER_SPACE_COUNT <= (int)SER_NATIVE_SPACES, "every space needs a last object");

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

/* Seven bits a byte, low ones first, the top bit says that more follow. */
static inline size_t ser_store_varint(uint8_t *at, uint64_t number)
{
    size_t size = 0;
    for (; number >= 0x80; number >>= 7)
        at[size++] = (uint8_t)(number | 0x80);
    at[size++] = (uint8_t)number;
    return size;
}

/* Small numbers of either sign become small numbers: 0, -1, 1, -2, ... */
static inline uint64_t ser_zigzag(uint64_t number)
{
    return number << 1 ^ (0 - (number >> 63));
}

static inline uint64_t ser_unzigzag(uint64_t number)
{
    return number >> 1 ^ (0 - (number & 1));
}

#endif
