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
#include "trace/native/native_checkpoint.h"
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
    size_t total_bytes;
    uint8_t totals[2 * SER_VARINT_SIZE * (2 + SER_NATIVE_TABLES)]; /* if the file ends */
} load;

typedef struct native_writer {
    ser_native_names_out names;
    uint64_t events;       /* in the file, or on the way there as whole blocks */
    uint32_t pending;      /* of the block that has not ended */
    uint32_t block_events; /* that a block may have */
    load *filling;

    ser_native_packer packer; /* all of these: the second thread's, once it has started */
    ser_native_encoder *encoder;
    ser_native_past past;
    uint64_t checkpoint;        /* events before the last one */
    uint64_t checkpoint_events; /* from one to the next */
    bool has_checkpoints;
    ser_native_thread_counts counts;

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
    writer->block_events = SER_NATIVE_BLOCK_EVENTS;
    writer->checkpoint_events = SER_NATIVE_CHECKPOINT_EVENTS;
    ser_native_pack_header(&writer->packer);
    return writer;
}

static void pack_events(native_writer *writer, uint64_t first)
{
    const ser_native_past *past = &writer->past;
    ser_native_encoder_pack(writer->encoder, &writer->packer, first, &writer->counts);
    if (past->events - writer->checkpoint < writer->checkpoint_events || past->is_joined)
        return;
    ser_native_checkpoint_pack(writer->encoder, past, &writer->packer);
    writer->checkpoint = past->events;
    writer->has_checkpoints = true;
}

static void pack_end(native_writer *writer, load *work)
{
    uint64_t index =
        writer->has_checkpoints ? ser_native_index_pack(&writer->packer, &writer->counts) : 0;
    if (index) {
        work->total_bytes +=
            ser_store_varint(work->totals + work->total_bytes, SER_NATIVE_INDEX_AT);
        work->total_bytes += ser_store_varint(work->totals + work->total_bytes, index);
    }
    const ser_native_block block = {SER_NATIVE_TRAILER, 0, writer->past.events};
    ser_native_pack(&writer->packer, &block, &(ser_native_piece){work->totals, work->total_bytes},
                    1);
}

static void carry(native_writer *writer, load *work)
{
    ser_native_pack_kept(&writer->packer, &work->kept);
    if (work->kept.bytes.capacity > LOAD_BYTES)
        ser_native_kept_fini(&work->kept); /* rather than to have so much room in each load */
    size_t taken = ser_native_encode(writer->encoder, work->events, work->count);
    ser_check(taken == work->count); /* no load goes beyond the end of a block */
    ser_native_past_add(&writer->past, work->events, work->count);
    if (work->ends_block && ser_native_encoder_pending(writer->encoder) > 0)
        pack_events(writer, work->first);
    if (work->total_bytes)
        pack_end(writer, work);
    work->count = work->total_bytes = 0;
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
    size_t block_room = writer->block_events - writer->pending;
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
        if (writer->pending == writer->block_events)
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

/* There are none within a block. */
static void set_checkpoints(void *state, uint64_t events)
{
    native_writer *writer = state;
    writer->checkpoint_events = events;
    if (events < writer->block_events)
        writer->block_events = (uint32_t)events;
}

static uint32_t count_names(const void *state, ser_space space)
{
    const native_writer *writer = state;
    return writer->names.count[ser_native_table(space)];
}

static void finish_native(void *state)
{
    native_writer *writer = state;
    end_block(writer);
    uint8_t *totals = writer->filling->totals;
    size_t size = ser_store_varint(totals, SER_NATIVE_TOTAL_EVENTS);
    size += ser_store_varint(totals + size, writer->events);
    for (unsigned table = 0; table < SER_NATIVE_TABLES; table++) {
        size += ser_store_varint(totals + size, SER_NATIVE_TOTAL_NAMES + table);
        size += ser_store_varint(totals + size, writer->names.count[table]);
    }
    writer->filling->total_bytes = size;
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
    ser_native_past_fini(&writer->past);
    ser_vector_free(&writer->counts.bytes);
    free(writer);
}

const ser_encoder ser_encoder_native = {
    .open = open_native,
    .put = put_native,
    .room = give_room,
    .put_aside = put_aside,
    .set_checkpoints = set_checkpoints,
    .names = count_names,
    .finish = finish_native,
    .close = close_native,
};
