/* SPDX-License-Identifier: MIT */
#include "trace/native/native_aside.h"

#include <string.h>

#include "trace/native/native_block.h"

static void append(ser_byte_list *list, const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return;
    ser_vector_reserve(list, list->count + size);
    memcpy(list->items + list->count, bytes, size);
    list->count += size;
}

/* A truncated file gives the blocks it has. */
static ser_status read_blocks(ser_native_unpacker *unpacker, ser_byte_list *bytes, ser_error *error)
{
    ser_native_found found;
    ser_native_block block = {0};
    ser_status status = ser_native_unpack_header(unpacker, &found, error);
    while (status == SER_OK && found == SER_NATIVE_WHOLE && block.kind != SER_NATIVE_TRAILER) {
        status = ser_native_unpack(unpacker, &block, &found, error);
        if (status == SER_OK && found == SER_NATIVE_WHOLE && block.kind == unpacker->wanted)
            append(bytes, unpacker->bytes, unpacker->size);
    }
    return status;
}

ser_status ser_native_read_aside(const char *path, uint8_t kind, ser_byte_list *bytes,
                                 ser_error *error)
{
    ser_input *input;
    ser_native_unpacker unpacker;
    size_t have;
    ser_status status = ser_input_open(&input, path, false, error);
    if (status != SER_OK)
        return status;
    const uint8_t *head = ser_input_peek(input, SER_NATIVE_MAGIC_SIZE, &have);
    ser_native_unpacker_init(&unpacker, input);
    unpacker.wanted = kind;
    if (have >= SER_NATIVE_MAGIC_SIZE && memcmp(head, SER_NATIVE_MAGIC, SER_NATIVE_MAGIC_SIZE) == 0)
        status = read_blocks(&unpacker, bytes, error);
    ser_native_unpacker_fini(&unpacker);
    ser_input_close(input);
    return status;
}
