/* SPDX-License-Identifier: MIT */
/*
 * native_change.h - a native trace that is wrong in one place: taken apart into blocks, changed,
 * and put together again with right checksums.
 */
#ifndef SER_TESTS_UNIT_TRACE_NATIVE_CHANGE_H
#define SER_TESTS_UNIT_TRACE_NATIVE_CHANGE_H

#include "native_samples.h"
#include "trace/native/native_block.h"

/* A change of one block's payload, which holds size bytes and may grow to 4096.
 * Returns the new size. */
typedef size_t payload_change(ser_native_block *block, uint8_t *payload, size_t size);

/* Where the columns of a block of a small sample begin: a count, sizes of one
 * byte each. */
enum { COLUMNS_AT = 1 + SER_COLUMN_COUNT, ROOM = 4096 };

/* Bytes and what owns them. */
typedef struct made_file {
    ser_output *output;
    const uint8_t *bytes;
    size_t length;
} made_file;

static inline made_file file_of(ser_output *output)
{
    made_file file = {.output = output};
    file.bytes = ser_output_bytes(output, &file.length);
    return file;
}

static inline void pack_changed(ser_native_packer *packer, ser_native_block block,
                                payload_change *change, const ser_native_unpacker *unpacker)
{
    uint8_t payload[ROOM];
    assert_true(unpacker->size <= ROOM / 2);
    memcpy(payload, unpacker->bytes, unpacker->size);
    size_t size = change(&block, payload, unpacker->size);
    ser_native_pack(packer, &block, &(ser_native_piece){payload, size}, 1);
}

/* The sample's file, with every block of that kind changed. */
static inline made_file change_blocks(const native_sample *sample, uint8_t kind,
                                      payload_change *change)
{
    made_file good = file_of(write_sample(sample));
    ser_input *input = ser_input_open_memory(good.bytes, good.length, "good");
    ser_output *output = ser_output_open_memory();
    ser_native_unpacker unpacker;
    ser_native_packer packer;
    ser_native_block block;
    ser_native_found found;
    ser_error error;
    ser_native_packer_init(&packer, output);
    ser_native_unpacker_init(&unpacker, input);
    ser_native_pack_header(&packer);
    assert_int_equal(ser_native_unpack_header(&unpacker, &found, &error), SER_OK);
    while (ser_native_unpack(&unpacker, &block, &found, &error) == SER_OK &&
           found == SER_NATIVE_WHOLE) {
        if (block.kind == kind)
            pack_changed(&packer, block, change, &unpacker);
        else
            ser_native_pack(&packer, &block, &(ser_native_piece){unpacker.bytes, unpacker.size}, 1);
    }
    ser_native_unpacker_fini(&unpacker);
    ser_native_packer_fini(&packer);
    ser_input_close(input);
    ser_output_close(good.output);
    return file_of(output);
}

/* One thread reads x, then y, then x: small enough to know every byte of. */
static inline native_sample tiny_sample(void)
{
    native_sample sample = {.symbols = ser_symbols_create()};
    ser_symbols_add(sample.symbols, SER_SPACE_THREAD, "T", 1);
    ser_symbols_add(sample.symbols, SER_SPACE_VARIABLE, "x", 1);
    ser_symbols_add(sample.symbols, SER_SPACE_VARIABLE, "y", 1);
    for (uint32_t i = 0; i < 3; i++) {
        ser_event event = {.op = SER_OP_READ, .object = i % 2, .site = SER_NO_SITE};
        event.flags = i == 1 ? SER_EVENT_HAS_VALUE : 0;
        event.value = i == 1 ? 300 : 0;
        ser_vector_push(&sample.events, event);
    }
    return sample;
}

#endif
