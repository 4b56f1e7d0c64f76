/* SPDX-License-Identifier: MIT */
/*
 * The native side of reader.h: takes block after block, hands names to the
 * symbols, decodes events on demand straight into the caller's batch, and
 * compares the trailer with what was read. A file that ends before its trailer
 * is readable up to its last whole block, with a note.
 */
#include "trace/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace/native/native_ahead.h"
#include "trace/native/native_bytes.h"
#include "trace/native/native_checkpoint.h"
#include "trace/native/native_events.h"

/* Events of a file after which a second thread pays off. */
enum { AHEAD_FROM = 4 * SER_NATIVE_BLOCK_EVENTS };

typedef struct native_reader {
    ser_native_unpacker unpacker;
    ser_native_ahead *ahead; /* reads on; NULL: nobody does */
    bool was_alone;          /* there is none to be had */
    ser_native_names_in names;
    ser_native_decoder *decoder;
    bool ended;
} native_reader;

/* The start of the magic is enough: a file may be cut even there. */
static ser_recognition recognise_native(const uint8_t *head, size_t length, bool more)
{
    size_t known = length < SER_NATIVE_MAGIC_SIZE ? length : SER_NATIVE_MAGIC_SIZE;
    if (known == 0 || memcmp(head, SER_NATIVE_MAGIC, known) != 0)
        return SER_FORMAT_NO;
    return known < SER_NATIVE_MAGIC_SIZE && more ? SER_FORMAT_PERHAPS : SER_FORMAT_YES;
}

static void note_cut(native_reader *reader, ser_format_context *context)
{
    reader->ended = true;
    snprintf(context->note, sizeof context->note,
             "the file is cut short after event %" PRIu64
             " (its writer did not finish); read up to there",
             reader->unpacker.events);
}

static void close_native(void *state)
{
    native_reader *reader = state;
    ser_native_ahead_stop(reader->ahead);
    ser_native_decoder_destroy(reader->decoder);
    ser_native_names_in_fini(&reader->names);
    ser_native_unpacker_fini(&reader->unpacker);
    free(reader);
}

static ser_status open_native(void **state, ser_format_context *context, ser_error *error)
{
    native_reader *reader = ser_alloc(1, sizeof *reader);
    ser_native_found found;
    ser_native_unpacker_init(&reader->unpacker, context->input);
    reader->unpacker.wanted = SER_NATIVE_FLOWS;
    ser_native_names_in_init(&reader->names, context->symbols, context->skip_sites);
    reader->decoder = ser_native_decoder_create(&reader->names);
    ser_status status = ser_native_unpack_header(&reader->unpacker, &found, error);
    if (status != SER_OK) {
        close_native(reader);
        return status;
    }
    if (found == SER_NATIVE_CUT)
        note_cut(reader, context);
    *state = reader;
    return SER_OK;
}

/* --- trailer ------------------------------------------------------------------ */

/* What a total should be; `said` for totals of later versions. */
static uint64_t actual_total(const native_reader *reader, uint64_t key, uint64_t said)
{
    if (key == SER_NATIVE_TOTAL_EVENTS)
        return reader->unpacker.events;
    if (key >= SER_NATIVE_TOTAL_NAMES && key < SER_NATIVE_TOTAL_NAMES + SER_NATIVE_TABLES)
        return reader->names.count[key - SER_NATIVE_TOTAL_NAMES];
    return said;
}

static const char *check_totals(const native_reader *reader)
{
    const ser_native_unpacker *unpacker = &reader->unpacker;
    ser_native_bytes totals = {unpacker->bytes, unpacker->bytes + unpacker->size, false};
    while (totals.at < totals.end) {
        uint64_t key = ser_native_bytes_varint(&totals);
        uint64_t said = ser_native_bytes_varint(&totals);
        if (totals.bad)
            return "its totals are cut";
        if (actual_total(reader, key, said) != said)
            return "its totals are not those of the file; a block is missing";
    }
    return NULL;
}

static ser_status check_end(native_reader *reader, ser_error *error)
{
    ser_input *input = reader->unpacker.input;
    size_t have;
    ser_native_ahead_stop(reader->ahead);
    reader->ahead = NULL;
    ser_input_peek(input, 1, &have);
    if (have > 0)
        return ser_fail(error, SER_INPUT,
                        "%s, byte %" PRIu64 ": there is more data after the end of the trace "
                        "(event %" PRIu64 ")",
                        ser_input_name(input), ser_input_offset(input), reader->unpacker.events);
    reader->ended = true;
    return ser_reader_name_place(ser_input_status(input, error), reader->unpacker.events, error);
}

/* --- blocks ------------------------------------------------------------------- */

static const char *take_block(native_reader *reader, const ser_native_block *block)
{
    const ser_native_unpacker *unpacker = &reader->unpacker;
    if (block->kind == SER_NATIVE_NAMES)
        return ser_native_names_unpack(&reader->names, unpacker->bytes, unpacker->size);
    if (block->kind == SER_NATIVE_TRAILER)
        return check_totals(reader);
    if (block->kind == SER_NATIVE_FLOWS)
        return ser_native_decoder_take_flows(reader->decoder, unpacker->bytes, unpacker->size);
    return ser_native_decoder_load(reader->decoder, unpacker->bytes, unpacker->size, block->events);
}

/* Of a file: what a pipe delivers is wanted as soon as it is there. */
static ser_status next_block(native_reader *reader, ser_native_block *block,
                             ser_native_found *found, ser_error *error)
{
    ser_native_unpacker *unpacker = &reader->unpacker;
    if (!reader->ahead && !reader->was_alone && unpacker->events >= AHEAD_FROM &&
        ser_input_is_file(unpacker->input)) {
        reader->ahead = ser_native_ahead_start(unpacker);
        reader->was_alone = !reader->ahead;
    }
    return reader->ahead ? ser_native_ahead_next(reader->ahead, unpacker, block, found, error)
                         : ser_native_unpack(unpacker, block, found, error);
}

/* Reads blocks until there are events, or the end. */
static ser_status find_events(native_reader *reader, ser_format_context *context, ser_error *error)
{
    while (!reader->ended && ser_native_decoder_left(reader->decoder) == 0) {
        ser_native_block block;
        ser_native_found found;
        ser_status status = next_block(reader, &block, &found, error);
        if (status != SER_OK)
            return status;
        if (found == SER_NATIVE_CUT) {
            note_cut(reader, context);
            return SER_OK;
        }
        const char *fault = take_block(reader, &block);
        if (fault)
            return ser_native_complain(&reader->unpacker, block.first + 1, fault, error);
        if (block.kind == SER_NATIVE_TRAILER)
            return check_end(reader, error);
    }
    return SER_OK;
}

static ser_status next_native(void *state, ser_format_context *context, ser_event *batch,
                              size_t capacity, size_t *count, ser_error *error)
{
    native_reader *reader = state;
    const char *fault;
    *count = 0;
    ser_status status = find_events(reader, context, error);
    if (status != SER_OK || reader->ended)
        return status;
    *count = ser_native_decode(reader->decoder, batch, capacity, &fault);
    return fault ? ser_native_complain(&reader->unpacker, context->events + 1, fault, error)
                 : SER_OK;
}

/* --- later in the file --------------------------------------------------------- */

/* The last checkpoint after no more than so many events; NULL: there is none. */
static const ser_native_entry *choose_checkpoint(const ser_native_entries *entries, uint64_t most)
{
    const ser_native_entry *chosen = NULL;
    for (size_t i = 0; i < entries->count; i++)
        if (entries->items[i].kind == SER_NATIVE_CHECKPOINT && entries->items[i].first <= most)
            chosen = &entries->items[i];
    return chosen;
}

/* All names of the file before that block. */
static const char *take_names_before(native_reader *reader, const ser_native_entries *entries,
                                     const ser_native_entry *end)
{
    const char *fault = NULL;
    for (const ser_native_entry *entry = entries->items; entry < end && !fault; entry++) {
        ser_native_frame frame;
        if (entry->kind != SER_NATIVE_NAMES)
            continue;
        uint8_t *payload =
            ser_native_read_at(reader->unpacker.input, entry->offset, SER_NATIVE_NAMES, &frame);
        fault = payload ? ser_native_names_unpack(&reader->names, payload, frame.raw)
                        : "names that the index knows are not there";
        free(payload);
    }
    return fault;
}

static ser_status go_to(native_reader *reader, ser_format_context *context,
                        const ser_native_entries *entries, const ser_native_entry *checkpoint,
                        ser_past_events *past, ser_error *error)
{
    ser_native_unpacker *unpacker = &reader->unpacker;
    ser_native_frame frame;
    const char *fault = take_names_before(reader, entries, checkpoint);
    uint8_t *payload =
        ser_native_read_at(unpacker->input, checkpoint->offset, SER_NATIVE_CHECKPOINT, &frame);
    if (!fault && (!payload || frame.block.first != checkpoint->first))
        fault = "a checkpoint that the index knows is not there";
    if (!fault)
        fault = ser_native_checkpoint_unpack(reader->decoder, payload, frame.raw, checkpoint->first,
                                             past);
    free(payload);
    if (fault)
        return ser_fail(error, SER_INPUT, "%s, byte %" PRIu64 ": %s",
                        ser_input_name(unpacker->input), checkpoint->offset, fault);
    unpacker->events = context->events = checkpoint->first;
    return ser_input_seek(unpacker->input,
                          checkpoint->offset + SER_NATIVE_BLOCK_HEADER_SIZE + frame.stored, error);
}

static uint64_t find_checkpoint(void *state, uint64_t most)
{
    const native_reader *reader = state;
    ser_native_entries entries = {0};
    if (!ser_input_can_seek(reader->unpacker.input))
        return 0;
    ser_native_index_find(reader->unpacker.input, &entries);
    const ser_native_entry *found = choose_checkpoint(&entries, most);
    uint64_t events = found ? found->first : 0;
    ser_vector_free(&entries);
    return events;
}

static ser_status seek_native(void *state, ser_format_context *context, uint64_t most,
                              ser_past_events *past, ser_error *error)
{
    native_reader *reader = state;
    ser_native_entries entries = {0};
    ser_status status = SER_OK;
    ser_native_index_find(reader->unpacker.input, &entries);
    const ser_native_entry *checkpoint = choose_checkpoint(&entries, most);
    if (checkpoint)
        status = go_to(reader, context, &entries, checkpoint, past, error);
    ser_vector_free(&entries);
    return status;
}

const ser_format ser_format_native = {
    .name = "native",
    .recognise = recognise_native,
    .open = open_native,
    .next = next_native,
    .close = close_native,
    .find = find_checkpoint,
    .seek = seek_native,
};
