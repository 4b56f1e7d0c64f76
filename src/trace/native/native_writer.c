/* SPDX-License-Identifier: MIT */
/*
 * The native side of writer.h: collects events into blocks and writes in front
 * of each block the names that are new in it, so that whatever is in the file
 * at any moment can be read.
 *
 * The caller's thread only copies: events, unless they are built in place, and at the end of a
 * block the new names, since the caller may add to the symbols at any time. A second thread
 * encodes, compresses and writes. It gets its work in loads, in order, so the bytes of the file do
 * not depend on timing. A trace that fits into one load needs no second thread.
 */
#include "trace/writer.h"

#include "base/relay.h"
#include "trace/native/native_events.h"

enum {
    LOAD_EVENTS = 1 << 12,
    LOAD_BYTES = 1 << 20, /* of other blocks; about */
    LOADS = 16, /* some milliseconds of work: the other thread may have to wait for a core */
};

/* To be done in the order of the members. */
typedef struct load {
    ser_native_kept kept;
    size_t count;
    ser_event events[LOAD_EVENTS];
    bool ends_block;
    uint64_t first; /* events before the block, if it ends */
} load;

typedef struct native_writer {
    ser_native_names_out names;
    uint64_t events;  /* in the file, or on the way there as whole blocks */
    uint32_t pending; /* of the block that has not ended */
    load *filling;

    ser_native_packer packer; /* these two: the second thread's, once it has started */
    ser_native_encoder *encoder;

    ser_relay relay;
    load loads[LOADS];
} native_writer;

static void *open_native(ser_output *output, const ser_symbols *symbols)
{
    native_writer *writer = ser_alloc(1, sizeof *writer);
    ser_native_packer_init(&writer->packer, output);
    ser_native_names_out_init(&writer->names, symbols);
    writer->encoder = ser_native_encoder_create();
    ser_relay_init(&writer->relay, LOADS);
    writer->filling = writer->loads;
    ser_native_pack_header(&writer->packer);
    return writer;
}

static void carry(native_writer *writer, load *work)
{
    ser_native_pack_kept(&writer->packer, &work->kept);
    if (work->kept.bytes.capacity > LOAD_BYTES)
        ser_native_kept_fini(&work->kept); /* rather than to have so much room in each load */
    size_t taken = ser_native_encode(writer->encoder, work->events, work->count);
    ser_check(taken == work->count); /* no load goes beyond the end of a block */
    if (work->ends_block && ser_native_encoder_pending(writer->encoder) > 0)
        ser_native_encoder_pack(writer->encoder, &writer->packer, work->first);
    work->count = 0;
    work->ends_block = false;
}

static void *carry_all(void *context)
{
    native_writer *writer = context;
    uint32_t next;
    while ((next = ser_relay_to_empty(&writer->relay)) != SER_RELAY_NONE) {
        carry(writer, &writer->loads[next]);
        ser_relay_emptied(&writer->relay);
    }
    return NULL;
}

static bool has_thread(native_writer *writer)
{
    return writer->relay.started || (writer->filling->count == LOAD_EVENTS &&
                                     ser_relay_start(&writer->relay, carry_all, writer));
}

static void hand_over(native_writer *writer)
{
    if (!has_thread(writer)) {
        carry(writer, writer->filling);
        return;
    }
    ser_relay_filled(&writer->relay);
    writer->filling = &writer->loads[ser_relay_to_fill(&writer->relay)];
}

static void end_block(native_writer *writer)
{
    ser_native_names_keep(&writer->names, &writer->filling->kept, writer->events);
    writer->filling->ends_block = true;
    writer->filling->first = writer->events;
    writer->events += writer->pending;
    writer->pending = 0;
    hand_over(writer);
}

/* How many more events fit into both the load and the block. */
static size_t room_of(const native_writer *writer)
{
    size_t load_room = LOAD_EVENTS - writer->filling->count;
    size_t block_room = SER_NATIVE_BLOCK_EVENTS - writer->pending;
    return load_room < block_room ? load_room : block_room;
}

static ser_event *give_room(void *state, size_t *count)
{
    native_writer *writer = state;
    *count = room_of(writer);
    return writer->filling->events + writer->filling->count;
}

static void put_native(void *state, const ser_event *events, size_t count)
{
    native_writer *writer = state;
    while (count > 0) {
        load *filling = writer->filling;
        size_t room = room_of(writer), part = count < room ? count : room;
        if (events != filling->events + filling->count)
            memcpy(filling->events + filling->count, events, part * sizeof *events);
        filling->count += part;
        writer->pending += (uint32_t)part;
        events += part;
        count -= part;
        if (writer->pending == SER_NATIVE_BLOCK_EVENTS)
            end_block(writer);
        else if (filling->count == LOAD_EVENTS)
            hand_over(writer);
    }
}

static void put_aside(void *state, uint8_t kind, const void *bytes, size_t size)
{
    native_writer *writer = state;
    ser_native_block block = {kind, 0, writer->events};
    ser_native_keep(&writer->filling->kept, &block, &(ser_native_piece){bytes, size}, 1);
    if (writer->filling->kept.bytes.count >= LOAD_BYTES)
        hand_over(writer);
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
    end_block(writer);
    size_t size = ser_store_varint(totals, SER_NATIVE_TOTAL_EVENTS);
    size += ser_store_varint(totals + size, writer->events);
    for (unsigned table = 0; table < SER_NATIVE_TABLES; table++) {
        size += ser_store_varint(totals + size, SER_NATIVE_TOTAL_NAMES + table);
        size += ser_store_varint(totals + size, writer->names.count[table]);
    }
    ser_native_block block = {SER_NATIVE_TRAILER, 0, writer->events};
    ser_native_keep(&writer->filling->kept, &block, &(ser_native_piece){totals, size}, 1);
    hand_over(writer);
    ser_relay_join(&writer->relay);
}

static void close_native(void *state)
{
    native_writer *writer = state;
    ser_relay_fini(&writer->relay);
    for (int i = 0; i < LOADS; i++)
        ser_native_kept_fini(&writer->loads[i].kept);
    ser_native_encoder_destroy(writer->encoder);
    ser_native_names_out_fini(&writer->names);
    ser_native_packer_fini(&writer->packer);
    free(writer);
}

const ser_encoder ser_encoder_native = {
    .open = open_native,
    .put = put_native,
    .room = give_room,
    .put_aside = put_aside,
    .names = count_names,
    .finish = finish_native,
    .close = close_native,
};
