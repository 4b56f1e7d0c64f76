/* SPDX-License-Identifier: MIT */
#include "trace/native/native_ahead.h"

#include "base/host.h"
#include "base/memory.h"
#include "base/relay.h"

enum {
    BLOCKS = 4,
    LARGE = 4 << 20, /* bytes; room for blocks of such a size is not kept */
};

/* A block as it was found, and where the thread was then. */
typedef struct unpacked {
    ser_native_unpacker at; /* with the payload; input and decompressor are not its own */
    ser_native_block block;
    ser_native_found found;
    ser_error error;
} unpacked;

struct ser_native_ahead {
    ser_native_unpacker unpacker; /* the thread's */
    ser_relay relay;
    unpacked blocks[BLOCKS];
};

static void swap_payloads(ser_native_unpacker *a, ser_native_unpacker *b)
{
    ser_native_unpacker kept = *a;
    a->bytes = b->bytes;
    a->size = b->size;
    a->capacity = b->capacity;
    b->bytes = kept.bytes;
    b->size = kept.size;
    b->capacity = kept.capacity;
}

/* A place keeps its room for a payload. */
static bool unpack_into(ser_native_unpacker *unpacker, unpacked *to)
{
    to->error = (ser_error){.status = SER_OK};
    to->error.status = ser_native_unpack(unpacker, &to->block, &to->found, &to->error);
    swap_payloads(unpacker, &to->at);
    to->at.blocks = unpacker->blocks;
    to->at.events = unpacker->events;
    to->at.end = unpacker->end;
    return to->error.status == SER_OK && to->found == SER_NATIVE_WHOLE &&
           to->block.kind != SER_NATIVE_TRAILER;
}

static void *unpack_all(void *context)
{
    ser_native_ahead *ahead = context;
    uint32_t next;
    bool more = true;
    while (more && (next = ser_relay_to_fill(&ahead->relay)) != SER_RELAY_NONE) {
        more = unpack_into(&ahead->unpacker, &ahead->blocks[next]);
        ser_relay_filled(&ahead->relay);
    }
    ser_relay_close(&ahead->relay);
    return NULL;
}

ser_native_ahead *ser_native_ahead_start(const ser_native_unpacker *unpacker)
{
    if (ser_host_cores() < 2)
        return NULL;
    ser_native_ahead *ahead = ser_alloc(1, sizeof *ahead);
    ahead->unpacker = *unpacker;
    ahead->unpacker.bytes = NULL;
    ahead->unpacker.size = ahead->unpacker.capacity = 0;
    ser_relay_init(&ahead->relay, BLOCKS);
    if (ser_relay_start(&ahead->relay, unpack_all, ahead))
        return ahead;
    ser_relay_fini(&ahead->relay);
    free(ahead);
    return NULL;
}

ser_status ser_native_ahead_next(ser_native_ahead *ahead, ser_native_unpacker *unpacker,
                                 ser_native_block *block, ser_native_found *found, ser_error *error)
{
    uint32_t next = ser_relay_to_empty(&ahead->relay);
    ser_check(next != SER_RELAY_NONE);
    unpacked *from = &ahead->blocks[next];
    ser_status status = from->error.status;
    swap_payloads(unpacker, &from->at);
    unpacker->blocks = from->at.blocks;
    unpacker->events = from->at.events;
    unpacker->end = from->at.end;
    *block = from->block;
    *found = from->found;
    if (status != SER_OK && error)
        *error = from->error;
    if (from->at.capacity > LARGE) {
        free(from->at.bytes);
        from->at.bytes = NULL;
        from->at.size = from->at.capacity = 0;
    }
    ser_relay_emptied(&ahead->relay);
    return status;
}

void ser_native_ahead_stop(ser_native_ahead *ahead)
{
    if (!ahead)
        return;
    ser_relay_fini(&ahead->relay);
    for (int i = 0; i < BLOCKS; i++)
        free(ahead->blocks[i].at.bytes);
    free(ahead->unpacker.bytes);
    free(ahead);
}
