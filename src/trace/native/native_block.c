/* SPDX-License-Identifier: MIT */
/*
 * Frames: 32 bytes of header, then the payload, compressed by zstd.
 *
 *     kind 1, encoding 1, zero 2, events 4, events before 8,
 *     raw size 4, stored size 4, CRC of the payload 4, CRC of the header 4
 *
 * Each piece of a payload is a zstd frame: every column of events has its own Huffman tables, and
 * zstd reads it in place. As blocks of one frame, for which zstd copies its input, columns of real
 * traces were between 0.6% larger and 2% smaller. A block goes to the output in one write.
 */
#include "trace/native/native_block.h"

#include <inttypes.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "trace/reader.h"

enum { ZSTD_LEVEL = 1, CRC_AT = 28, PAYLOAD_CRC_AT = 24 };

static uint32_t checksum(const uint8_t *bytes, size_t size)
{
    return (uint32_t)crc32(0, bytes, (uInt)size);
}

/* --- writing ---------------------------------------------------------------- */

void ser_native_packer_init(ser_native_packer *packer, ser_output *output)
{
    *packer = (ser_native_packer){.output = output, .zstd = ZSTD_createCCtx()};
    if (!packer->zstd)
        ser_out_of_memory(0);
    ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
}

void ser_native_packer_fini(ser_native_packer *packer)
{
    ZSTD_freeCCtx(packer->zstd);
    free(packer->packed);
    ser_vector_free(&packer->written);
}

void ser_native_pack_header(ser_native_packer *packer)
{
    uint8_t header[SER_NATIVE_HEADER_SIZE] = SER_NATIVE_MAGIC;
    ser_store(header + 8, SER_NATIVE_MAJOR, 2);
    ser_store(header + 10, SER_NATIVE_MINOR, 2);
    ser_store(header + 12, checksum(header, 12), 4);
    ser_output_write(packer->output, header, sizeof header);
    packer->offset = sizeof header;
}

static void reserve(uint8_t **bytes, size_t *capacity, size_t wanted)
{
    if (wanted <= *capacity)
        return;
    free(*bytes); /* nothing in it is needed any more */
    *capacity = ser_grown_capacity(*capacity, wanted);
    *bytes = ser_resize(NULL, *capacity, 1);
}

/* Space for the pieces even if zstd does not make them smaller. */
static size_t most_packed_bytes(const ser_native_piece *pieces, size_t count)
{
    size_t size = SER_NATIVE_BLOCK_HEADER_SIZE + ZSTD_compressBound(0);
    for (size_t i = 0; i < count; i++)
        size += ZSTD_compressBound(pieces[i].size);
    return size;
}

/* Compresses to behind the space for the header; returns the size including it. Each piece is a
 * frame, since zstd reads a whole frame in place but would copy pieces of one. */
static size_t compress_pieces(ser_native_packer *packer, const ser_native_piece *pieces,
                              size_t count)
{
    size_t most = most_packed_bytes(pieces, count), used = SER_NATIVE_BLOCK_HEADER_SIZE;
    reserve(&packer->packed, &packer->capacity, most);
    for (size_t i = 0; i < count; i++) {
        if (pieces[i].size == 0)
            continue;
        size_t size = ZSTD_compress2(packer->zstd, packer->packed + used, most - used,
                                     pieces[i].bytes, pieces[i].size);
        ser_check(!ZSTD_isError(size));
        used += size;
    }
    return used;
}

void ser_native_pack(ser_native_packer *packer, const ser_native_block *block,
                     const ser_native_piece *pieces, size_t count)
{
    size_t raw = 0;
    for (size_t i = 0; i < count; i++)
        raw += pieces[i].size;
    size_t size = compress_pieces(packer, pieces, count);
    size_t stored = size - SER_NATIVE_BLOCK_HEADER_SIZE;
    ser_check(raw <= SER_NATIVE_BLOCK_BYTES && stored <= SER_NATIVE_STORED_BYTES);

    uint8_t *header = packer->packed;
    ser_store(header, block->kind, 1);
    ser_store(header + 1, SER_NATIVE_ZSTD, 3);
    ser_store(header + 4, block->events, 4);
    ser_store(header + 8, block->first, 8);
    ser_store(header + 16, raw, 4);
    ser_store(header + 20, stored, 4);
    ser_store(header + PAYLOAD_CRC_AT, checksum(header + SER_NATIVE_BLOCK_HEADER_SIZE, stored), 4);
    ser_store(header + CRC_AT, checksum(header, CRC_AT), 4);
    ser_output_write(packer->output, packer->packed, size);
    ser_vector_push(&packer->written,
                    ((ser_native_entry){block->kind, packer->offset, block->first}));
    packer->offset += size;
}

void ser_native_keep(ser_native_kept *kept, const ser_native_block *block,
                     const ser_native_piece *pieces, size_t count)
{
    ser_check(count <= SER_NATIVE_KEPT_PIECES);
    ser_native_kept_block added = {.block = *block};
    for (size_t i = 0; i < count; i++) {
        added.sizes[i] = pieces[i].size;
        ser_vector_reserve(&kept->bytes, kept->bytes.count + pieces[i].size);
        if (pieces[i].size > 0)
            memcpy(kept->bytes.items + kept->bytes.count, pieces[i].bytes, pieces[i].size);
        kept->bytes.count += pieces[i].size;
    }
    ser_vector_push(&kept->blocks, added);
}

void ser_native_pack_kept(ser_native_packer *packer, ser_native_kept *kept)
{
    const uint8_t *bytes = kept->bytes.items;
    for (size_t i = 0; i < kept->blocks.count; i++) {
        const ser_native_kept_block *block = &kept->blocks.items[i];
        ser_native_piece pieces[SER_NATIVE_KEPT_PIECES];
        for (int piece = 0; piece < SER_NATIVE_KEPT_PIECES; piece++) {
            pieces[piece] = (ser_native_piece){bytes, block->sizes[piece]};
            bytes += block->sizes[piece];
        }
        ser_native_pack(packer, &block->block, pieces, SER_NATIVE_KEPT_PIECES);
    }
    kept->blocks.count = kept->bytes.count = 0;
}

void ser_native_kept_fini(ser_native_kept *kept)
{
    ser_vector_free(&kept->blocks);
    ser_vector_free(&kept->bytes);
}

/* --- reading ---------------------------------------------------------------- */

void ser_native_unpacker_init(ser_native_unpacker *unpacker, ser_input *input)
{
    *unpacker = (ser_native_unpacker){.input = input, .zstd = ZSTD_createDCtx()};
    if (!unpacker->zstd)
        ser_out_of_memory(0);
}

void ser_native_unpacker_fini(ser_native_unpacker *unpacker)
{
    ZSTD_freeDCtx(unpacker->zstd);
    free(unpacker->bytes);
}

/* An input that ended because of an error is not truncated but unreadable. */
static ser_status cut_or_broken(const ser_native_unpacker *unpacker, ser_native_found *found,
                                ser_error *error)
{
    *found = SER_NATIVE_CUT;
    return ser_reader_name_place(ser_input_status(unpacker->input, error), unpacker->events, error);
}

ser_status ser_native_unpack_header(ser_native_unpacker *unpacker, ser_native_found *found,
                                    ser_error *error)
{
    ser_input *input = unpacker->input;
    size_t have;
    const uint8_t *header = ser_input_peek(input, SER_NATIVE_HEADER_SIZE, &have);
    if (have < SER_NATIVE_HEADER_SIZE)
        return cut_or_broken(unpacker, found, error);
    if (checksum(header, 12) != ser_load32(header + 12))
        return ser_fail(error, SER_INPUT, "%s, byte 0: the file's header is damaged",
                        ser_input_name(input));
    unsigned major = ser_load16(header + 8), minor = ser_load16(header + 10);
    if (major != SER_NATIVE_MAJOR)
        return ser_fail(error, SER_INPUT,
                        "%s is in version %u.%u of the native format, this seriatim reads version "
                        "%d: use the seriatim that wrote it, or a newer one",
                        ser_input_name(input), major, minor, SER_NATIVE_MAJOR);
    ser_input_consume(input, SER_NATIVE_HEADER_SIZE);
    *found = SER_NATIVE_WHOLE;
    return SER_OK;
}

/* About the block that comes next. */
static ser_status refuse(const ser_native_unpacker *unpacker, const char *reason, ser_error *error)
{
    return ser_fail(error, SER_INPUT,
                    "%s, byte %" PRIu64 ": cannot read block %" PRIu64 ", after event %" PRIu64
                    ": %s",
                    ser_input_name(unpacker->input), ser_input_offset(unpacker->input),
                    unpacker->blocks + 1, unpacker->events, reason);
}

ser_status ser_native_complain(const ser_native_unpacker *unpacker, uint64_t event,
                               const char *reason, ser_error *error)
{
    return ser_fail(
        error, SER_INPUT,
        "%s, event %" PRIu64 ": cannot read block %" PRIu64 ", which ends at byte %" PRIu64 ": %s",
        ser_input_name(unpacker->input), event, unpacker->blocks, unpacker->end, reason);
}

bool ser_native_frame_parse(ser_native_frame *frame, const uint8_t *header)
{
    *frame = (ser_native_frame){
        .block = {header[0], ser_load32(header + 4), ser_load64(header + 8)},
        .encoding = header[1],
        .raw = ser_load32(header + 16),
        .stored = ser_load32(header + 20),
        .crc = ser_load32(header + PAYLOAD_CRC_AT),
    };
    return checksum(header, CRC_AT) == ser_load32(header + CRC_AT);
}

static bool kind_is_known(const ser_native_unpacker *unpacker, uint8_t kind)
{
    return (kind & SER_NATIVE_MAY_SKIP && kind == unpacker->wanted) || kind == SER_NATIVE_NAMES ||
           kind == SER_NATIVE_EVENTS || kind == SER_NATIVE_TRAILER;
}

/* What is wrong with a frame whose checksum is right; NULL for nothing. */
static const char *fault_of(const ser_native_unpacker *unpacker, const ser_native_frame *frame)
{
    if (frame->raw > SER_NATIVE_BLOCK_BYTES || frame->stored > SER_NATIVE_STORED_BYTES)
        return "it is too large";
    if (!kind_is_known(unpacker, frame->block.kind))
        return frame->block.kind & SER_NATIVE_MAY_SKIP
                   ? NULL
                   : "it is of a kind that this seriatim does not know; use a newer one";
    if (frame->encoding != SER_NATIVE_STORED && frame->encoding != SER_NATIVE_ZSTD)
        return "its compression is one that this seriatim does not know; use a newer one";
    if (frame->encoding == SER_NATIVE_STORED && frame->stored != frame->raw)
        return "its sizes contradict each other";
    if (frame->block.events > SER_NATIVE_BLOCK_EVENTS)
        return "it has too many events";
    if (frame->block.first != unpacker->events)
        return "it does not continue the block before it";
    return NULL;
}

static bool decompress(ser_native_unpacker *unpacker, const ser_native_frame *frame,
                       const uint8_t *payload)
{
    reserve(&unpacker->bytes, &unpacker->capacity, frame->raw + 1); /* never NULL */
    unpacker->size = frame->raw;
    if (frame->encoding == SER_NATIVE_STORED) {
        memcpy(unpacker->bytes, payload, frame->raw);
        return true;
    }
    return ZSTD_decompressDCtx(unpacker->zstd, unpacker->bytes, frame->raw, payload,
                               frame->stored) == frame->raw;
}

/* Reads the next frame, known or not. */
static ser_status unpack_frame(ser_native_unpacker *unpacker, ser_native_frame *frame,
                               ser_native_found *found, ser_error *error)
{
    ser_input *input = unpacker->input;
    size_t have;
    const uint8_t *header = ser_input_peek(input, SER_NATIVE_BLOCK_HEADER_SIZE, &have);
    if (have < SER_NATIVE_BLOCK_HEADER_SIZE)
        return cut_or_broken(unpacker, found, error);
    if (!ser_native_frame_parse(frame, header))
        return refuse(unpacker, "the checksum of its header is wrong, the file is damaged", error);
    if (fault_of(unpacker, frame))
        return refuse(unpacker, fault_of(unpacker, frame), error);

    size_t size = SER_NATIVE_BLOCK_HEADER_SIZE + (size_t)frame->stored;
    const uint8_t *payload = ser_input_peek(input, size, &have) + SER_NATIVE_BLOCK_HEADER_SIZE;
    if (have < size)
        return cut_or_broken(unpacker, found, error);
    if (checksum(payload, frame->stored) != frame->crc)
        return refuse(unpacker, "its checksum is wrong, the file is damaged", error);
    if (kind_is_known(unpacker, frame->block.kind) && !decompress(unpacker, frame, payload))
        return refuse(unpacker, "it cannot be decompressed", error);
    ser_input_consume(input, size);
    unpacker->end = ser_input_offset(input);
    unpacker->blocks++;
    if (frame->block.kind == SER_NATIVE_EVENTS)
        unpacker->events += frame->block.events;
    *found = SER_NATIVE_WHOLE;
    return SER_OK;
}

ser_status ser_native_unpack(ser_native_unpacker *unpacker, ser_native_block *block,
                             ser_native_found *found, ser_error *error)
{
    ser_native_frame frame = {0};
    ser_status status;
    do {
        status = unpack_frame(unpacker, &frame, found, error);
    } while (status == SER_OK && *found == SER_NATIVE_WHOLE &&
             !kind_is_known(unpacker, frame.block.kind));
    if (status == SER_OK && *found == SER_NATIVE_WHOLE)
        *block = frame.block;
    return status;
}

/* --- anywhere in a file ------------------------------------------------------ */

static bool is_readable(const ser_native_frame *frame, uint8_t kind)
{
    bool is_stored = frame->encoding == SER_NATIVE_STORED && frame->stored == frame->raw;
    return frame->block.kind == kind && (is_stored || frame->encoding == SER_NATIVE_ZSTD) &&
           frame->raw <= SER_NATIVE_BLOCK_BYTES && frame->stored <= SER_NATIVE_STORED_BYTES;
}

uint8_t *ser_native_read_at(const ser_input *input, uint64_t offset, uint8_t kind,
                            ser_native_frame *frame)
{
    uint8_t header[SER_NATIVE_BLOCK_HEADER_SIZE], *payload = NULL;
    if (!ser_input_read_at(input, offset, header, sizeof header) ||
        !ser_native_frame_parse(frame, header) || !is_readable(frame, kind))
        return NULL;
    uint8_t *stored = ser_resize(NULL, (size_t)frame->stored + 1, 1);
    bool good = ser_input_read_at(input, offset + sizeof header, stored, frame->stored) &&
                checksum(stored, frame->stored) == frame->crc;
    if (good && frame->encoding == SER_NATIVE_STORED)
        return stored;
    if (good) {
        payload = ser_resize(NULL, (size_t)frame->raw + 1, 1); /* never NULL */
        good = ZSTD_decompress(payload, frame->raw, stored, frame->stored) == frame->raw;
    }
    free(stored);
    if (good)
        return payload;
    free(payload);
    return NULL;
}
