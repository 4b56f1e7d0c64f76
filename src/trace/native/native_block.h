/* SPDX-License-Identifier: MIT */
/*
 * native_block.h - frames around what a native file holds.
 *
 * A frame's header and its payload have a checksum each. So a file that ends inside a frame (its
 * writer died) can be distinguished from a damaged one: the length of a frame is used only after
 * the checksum of its header was verified.
 */
#ifndef SER_TRACE_NATIVE_NATIVE_BLOCK_H
#define SER_TRACE_NATIVE_NATIVE_BLOCK_H

#include <zstd.h>

#include "base/status.h"
#include "base/vector.h"
#include "trace/io/input.h"
#include "trace/native/native_format.h"
#include "trace/writer.h"

/* A range of bytes that is compressed separately. */
typedef struct ser_native_piece {
    const uint8_t *bytes;
    size_t size;
} ser_native_piece;

/* What the header of a block says. */
typedef struct ser_native_block {
    uint8_t kind;
    uint32_t events; /* events in it */
    uint64_t first;  /* events before it */
} ser_native_block;

/* Where a block is in its file. */
typedef struct ser_native_entry {
    uint8_t kind;
    uint64_t offset; /* in bytes */
    uint64_t first;  /* events before it */
} ser_native_entry;

typedef SER_VECTOR(ser_native_entry) ser_native_entries;

/* Writing. The pieces, in a row, are the payload. */
typedef struct ser_native_packer {
    ser_output *output;
    uint64_t offset;            /* bytes written */
    ser_native_entries written; /* blocks */
    ZSTD_CCtx *zstd;
    uint8_t *packed; /* header and compressed payload */
    size_t capacity;
} ser_native_packer;

void ser_native_packer_init(ser_native_packer *packer, ser_output *output);
void ser_native_packer_fini(ser_native_packer *packer);
void ser_native_pack_header(ser_native_packer *packer);
void ser_native_pack(ser_native_packer *packer, const ser_native_block *block,
                     const ser_native_piece *pieces, size_t count);

/* Blocks that are packed later, by another thread perhaps: copies of their pieces. An all-zero
 * one is empty and valid. */
enum { SER_NATIVE_KEPT_PIECES = 3 };

typedef struct ser_native_kept_block {
    ser_native_block block;
    size_t sizes[SER_NATIVE_KEPT_PIECES];
} ser_native_kept_block;

typedef struct ser_native_kept {
    SER_VECTOR(ser_native_kept_block) blocks;
    SER_VECTOR(uint8_t) bytes;
} ser_native_kept;

void ser_native_keep(ser_native_kept *kept, const ser_native_block *block,
                     const ser_native_piece *pieces, size_t count);

/* Packs them in the order in which they were kept; none is left. */
void ser_native_pack_kept(ser_native_packer *packer, ser_native_kept *kept);
void ser_native_kept_fini(ser_native_kept *kept);

/* Reading. */

/* A frame's header. */
typedef struct ser_native_frame {
    ser_native_block block;
    uint8_t encoding;
    uint32_t raw, stored, crc;
} ser_native_frame;

/* False if the checksum is wrong. */
bool ser_native_frame_parse(ser_native_frame *frame, const uint8_t *header);

/* The payload of a frame of such a kind at a place of the file, if it is there and good; else NULL.
 * To be freed. */
uint8_t *ser_native_read_at(const ser_input *input, uint64_t offset, uint8_t kind,
                            ser_native_frame *frame);

typedef struct ser_native_unpacker {
    ser_input *input;
    ZSTD_DCtx *zstd;
    uint64_t blocks; /* read so far */
    uint64_t events; /* in them */
    uint64_t end;    /* of the last one, in bytes */
    uint8_t wanted;  /* a kind that may be skipped and is not; 0: none */
    uint8_t *bytes;  /* payload of the last block */
    size_t size, capacity;
} ser_native_unpacker;

void ser_native_unpacker_init(ser_native_unpacker *unpacker, ser_input *input);
void ser_native_unpacker_fini(ser_native_unpacker *unpacker);

/* The result of unpacking, unless it is an error. */
typedef enum ser_native_found {
    SER_NATIVE_WHOLE, /* a header or a block */
    SER_NATIVE_CUT,   /* the data ends, perhaps inside a block */
} ser_native_found;

ser_status ser_native_unpack_header(ser_native_unpacker *unpacker, ser_native_found *found,
                                    ser_error *error);

/* The next block that this version can read; others are passed over where they
 * allow it. A damaged block stays the next one. */
ser_status ser_native_unpack(ser_native_unpacker *unpacker, ser_native_block *block,
                             ser_native_found *found, ser_error *error);

/* Reports an error inside the last block, at that event. */
ser_status ser_native_complain(const ser_native_unpacker *unpacker, uint64_t event,
                               const char *reason, ser_error *error);

#endif
