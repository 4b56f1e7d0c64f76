/* SPDX-License-Identifier: MIT */
/*
 * The native side of writer.h: collects events into blocks and writes in front
 * of each block the names that are new in it, so that whatever is in the file
 * at any moment can be read.
 */
#include "trace/writer.h"

#include "trace/native_events.h"

typedef struct native_writer {
    ser_native_packer packer;
    ser_native_names_out names;
    ser_native_encoder *encoder;
    uint64_t events; /* in the file */
} native_writer;

static void *open_native(ser_output *output, const ser_symbols *symbols)
{
    native_writer *writer = ser_alloc(1, sizeof *writer);
    ser_native_packer_init(&writer->packer, output);
    ser_native_names_out_init(&writer->names, symbols);
    writer->encoder = ser_native_encoder_create();
    ser_native_pack_header(&writer->packer);
    return writer;
}

static void flush_block(native_writer *writer)
{
    uint32_t count = ser_native_encoder_pending(writer->encoder);
    ser_native_names_pack(&writer->names, &writer->packer, writer->events);
    if (count > 0)
        ser_native_encoder_pack(writer->encoder, &writer->packer, writer->events);
    writer->events += count;
}

static void put_native(void *state, const ser_event *events, size_t count)
{
    native_writer *writer = state;
    while (count > 0) {
        size_t taken = ser_native_encode(writer->encoder, events, count);
        events += taken;
        count -= taken;
        if (ser_native_encoder_pending(writer->encoder) == SER_NATIVE_BLOCK_EVENTS)
            flush_block(writer);
    }
}

static void put_aside(void *state, uint8_t kind, const void *bytes, size_t size)
{
    native_writer *writer = state;
    ser_native_block block = {kind, 0, writer->events};
    ser_native_pack(&writer->packer, &block, &(ser_native_piece){bytes, size}, 1);
}

static uint32_t count_names(const void *state, ser_space space)
{
    const native_writer *writer = state;
    return writer->names.count[ser_native_table(space)];
}

static void finish_native(void *state)
{
    native_writer *writer = state;
    uint8_t totals[2 * SER_VARINT_SIZE * (1 + SER_NATIVE_TABLES)];
    flush_block(writer);
    size_t size = ser_store_varint(totals, SER_NATIVE_TOTAL_EVENTS);
    size += ser_store_varint(totals + size, writer->events);
    for (unsigned table = 0; table < SER_NATIVE_TABLES; table++) {
        size += ser_store_varint(totals + size, SER_NATIVE_TOTAL_NAMES + table);
        size += ser_store_varint(totals + size, writer->names.count[table]);
    }
    ser_native_block block = {SER_NATIVE_TRAILER, 0, writer->events};
    ser_native_pack(&writer->packer, &block, &(ser_native_piece){totals, size}, 1);
}

static void close_native(void *state)
{
    native_writer *writer = state;
    ser_native_encoder_destroy(writer->encoder);
    ser_native_names_out_fini(&writer->names);
    ser_native_packer_fini(&writer->packer);
    free(writer);
}

const ser_encoder ser_encoder_native = {
    .open = open_native,
    .put = put_native,
    .put_aside = put_aside,
    .names = count_names,
    .finish = finish_native,
    .close = close_native,
};
