/* SPDX-License-Identifier: MIT */
/*
 * The payload: the number of blocks; for each its kind, and by how much its offset and the number
 * of events before it exceed those of the block before; then the thread counts. Varints.
 *
 * The trailer says where the index is, and ends the file. It is found by its frame, whose checksum
 * is right and whose size leads to the end.
 */
#include "trace/native/native_index.h"

#include <stdlib.h>

#include "trace/native/native_bytes.h"

enum { MOST_TRAILER = 4096 }; /* bytes */

/* --- writing --------------------------------------------------------------------- */

static void put(ser_native_thread_counts *counts, uint64_t number)
{
    ser_vector_reserve(&counts->bytes, counts->bytes.count + SER_VARINT_SIZE);
    counts->bytes.count += ser_store_varint(counts->bytes.items + counts->bytes.count, number);
}

void ser_native_thread_counts_begin(ser_native_thread_counts *counts, uint32_t threads)
{
    put(counts, threads);
}

void ser_native_thread_counts_add(ser_native_thread_counts *counts, uint32_t thread,
                                  uint32_t events)
{
    put(counts, thread);
    put(counts, events);
}

uint64_t ser_native_index_pack(ser_native_packer *packer, const ser_native_thread_counts *counts)
{
    ser_native_thread_counts entries = {0};
    uint64_t offset = 0, first = 0, at = packer->offset;
    put(&entries, packer->written.count);
    for (size_t i = 0; i < packer->written.count; i++) {
        const ser_native_entry *entry = &packer->written.items[i];
        put(&entries, entry->kind);
        put(&entries, entry->offset - offset);
        put(&entries, entry->first - first);
        offset = entry->offset;
        first = entry->first;
    }
    const ser_native_piece pieces[] = {{entries.bytes.items, entries.bytes.count},
                                       {counts->bytes.items, counts->bytes.count}};
    uint64_t size = (uint64_t)pieces[0].size + pieces[1].size;
    if (size <= SER_NATIVE_BLOCK_BYTES)
        ser_native_pack(packer, &(ser_native_block){SER_NATIVE_INDEX, 0, first}, pieces, 2);
    ser_vector_free(&entries.bytes);
    return size <= SER_NATIVE_BLOCK_BYTES ? at : 0;
}

/* --- reading ----------------------------------------------------------------------- */

/* The offset of the index by the trailer's payload; 0: there is none. */
static uint64_t offset_of_index(const uint8_t *payload, size_t size)
{
    ser_native_bytes totals = {payload, payload + size, false};
    while (totals.at < totals.end && !totals.bad) {
        uint64_t key = ser_native_bytes_varint(&totals), said = ser_native_bytes_varint(&totals);
        if (key == SER_NATIVE_INDEX_AT && !totals.bad)
            return said;
    }
    return 0;
}

static uint64_t find_index(const ser_input *input, uint64_t size)
{
    uint8_t tail[MOST_TRAILER];
    size_t have = size < sizeof tail ? (size_t)size : sizeof tail;
    if (!ser_input_read_at(input, size - have, tail, have))
        return 0;
    for (size_t length = SER_NATIVE_BLOCK_HEADER_SIZE; length <= have; length++) {
        ser_native_frame frame;
        if (!ser_native_frame_parse(&frame, tail + have - length) ||
            frame.block.kind != SER_NATIVE_TRAILER ||
            SER_NATIVE_BLOCK_HEADER_SIZE + (uint64_t)frame.stored != length)
            continue;
        uint8_t *payload = ser_native_read_at(input, size - length, SER_NATIVE_TRAILER, &frame);
        uint64_t offset = payload ? offset_of_index(payload, frame.raw) : 0;
        free(payload);
        return offset;
    }
    return 0;
}

static bool take_entries(ser_native_bytes bytes, ser_native_entries *entries)
{
    uint64_t offset = 0, first = 0;
    for (uint64_t left = ser_native_bytes_varint(&bytes); left > 0 && !bytes.bad; left--) {
        uint64_t kind = ser_native_bytes_varint(&bytes);
        offset += ser_native_bytes_varint(&bytes);
        first += ser_native_bytes_varint(&bytes);
        ser_vector_push(entries, ((ser_native_entry){(uint8_t)kind, offset, first}));
    }
    return !bytes.bad;
}

static bool read_index(const ser_input *input, uint64_t size, ser_native_entries *entries)
{
    ser_native_frame frame;
    uint64_t offset = find_index(input, size);
    uint8_t *payload = offset ? ser_native_read_at(input, offset, SER_NATIVE_INDEX, &frame) : NULL;
    bool good =
        payload && take_entries((ser_native_bytes){payload, payload + frame.raw, false}, entries);
    free(payload);
    return good;
}

static void hop(const ser_input *input, uint64_t size, ser_native_entries *entries)
{
    uint64_t offset = SER_NATIVE_HEADER_SIZE;
    uint8_t header[SER_NATIVE_BLOCK_HEADER_SIZE];
    ser_native_frame frame;
    entries->count = 0;
    while (offset + sizeof header <= size &&
           ser_input_read_at(input, offset, header, sizeof header) &&
           ser_native_frame_parse(&frame, header)) {
        uint64_t end = offset + sizeof header + frame.stored;
        if (end > size)
            return;
        ser_vector_push(entries, ((ser_native_entry){frame.block.kind, offset, frame.block.first}));
        offset = end;
    }
}

void ser_native_index_find(const ser_input *input, ser_native_entries *entries)
{
    uint64_t done, size;
    ser_input_progress(input, &done, &size);
    if (!read_index(input, size, entries))
        hop(input, size, entries);
}
