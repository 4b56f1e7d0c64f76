/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a native trace, once as they are and once with right checksums
 * and consistent sizes: no mutation would get past the checksums otherwise. Then from
 * its checkpoints on, if it has some.
 */
#include <zlib.h>

#include "fuzz.h"
#include "round_trip.h"
#include "trace/native/native_format.h"

static void store32(uint8_t *to, size_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

/* Layout: see native_block.c. Returns the size of the block. */
static size_t repair_block(uint8_t *block, size_t left, uint64_t *events)
{
    size_t room = left - SER_NATIVE_BLOCK_HEADER_SIZE;
    size_t stored = ser_load32(block + 20);
    stored = stored < room ? stored : room;
    store32(block + 20, stored);
    if (block[1] == SER_NATIVE_STORED)
        store32(block + 16, stored);
    store32(block + 8, (uint32_t)*events);
    store32(block + 12, *events >> 32);
    store32(block + 24, crc32(0, block + SER_NATIVE_BLOCK_HEADER_SIZE, (uInt)stored));
    store32(block + 28, crc32(0, block, 28));
    if (block[0] == SER_NATIVE_EVENTS)
        *events += ser_load32(block + 4);
    return SER_NATIVE_BLOCK_HEADER_SIZE + stored;
}

static void repair(uint8_t *bytes, size_t size)
{
    uint64_t events = 0;
    if (size < SER_NATIVE_HEADER_SIZE)
        return;
    memcpy(bytes, SER_NATIVE_MAGIC, SER_NATIVE_MAGIC_SIZE);
    store32(bytes + 12, crc32(0, bytes, 12));
    for (size_t at = SER_NATIVE_HEADER_SIZE; size - at >= SER_NATIVE_BLOCK_HEADER_SIZE;)
        at += repair_block(bytes + at, size - at, &events);
}

/* Whatever a checkpoint says, reading goes on behind it, or complains. */
static void read_from_checkpoint(const uint8_t *bytes, size_t size, uint64_t most)
{
    ser_reader *reader;
    ser_past_events past = {0};
    ser_event batch[64];
    size_t count = 0;
    bool went;
    if (ser_reader_open_memory(&reader, bytes, size, "bytes", NULL) != SER_OK)
        return;
    ser_status status = ser_reader_seek(reader, 0, most, &went, &past, NULL);
    do
        status = status ? status : ser_reader_next(reader, batch, 64, &count, NULL);
    while (status == SER_OK && count > 0);
    ser_vector_free(&past);
    ser_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = ser_resize(NULL, size + 1, 1);
    memcpy(copy, data, size);
    check_bytes(&ser_format_native, data, size);
    repair(copy, size);
    check_bytes(&ser_format_native, copy, size);
    read_from_checkpoint(copy, size, UINT64_MAX);
    read_from_checkpoint(copy, size, 50);
    free(copy);
    return 0;
}
