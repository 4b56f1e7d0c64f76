/* SPDX-License-Identifier: MIT */
/*
 * native_checkpoint.h - points of a native file from which it can be read without what is before
 * them, but for names: what the encoder and the decoder keep from block to block, and what of the
 * events so far still matters (trace/checkpoint.h).
 *
 * Cost of writing: O(1) per event; a checkpoint O(points + variables + threads + what is held).
 */
#ifndef SER_TRACE_NATIVE_CHECKPOINT_H
#define SER_TRACE_NATIVE_CHECKPOINT_H

#include "trace/checkpoint.h"
#include "trace/native/native_events.h"

/* Writing: what is known of the events so far. All zero: there was none. */
typedef struct ser_native_past {
    ser_checkpoint checkpoint;
    uint64_t events;
    SER_VECTOR(uint64_t) eids;        /* events of each thread */
    SER_VECTOR(uint64_t) last_writes; /* by variable: the number of the event; 0: none */
    bool is_joined;                   /* the last event to the next one: no checkpoint here */
} ser_native_past;

void ser_native_past_add(ser_native_past *past, const ser_event *events, size_t count);
void ser_native_past_fini(ser_native_past *past);

/* Writes a block, between blocks of events; nothing, if it would be too large for one. */
void ser_native_checkpoint_pack(const ser_native_encoder *encoder, const ser_native_past *past,
                                ser_native_packer *packer);

/* Reading, with a decoder that knows nothing but the names of the file so far: what such a block of
 * a file holds. `past` gets the events that still matter, `number` is that of the last event before
 * the checkpoint. NULL, or what is wrong with it. */
const char *ser_native_checkpoint_unpack(ser_native_decoder *decoder, const uint8_t *bytes,
                                         size_t size, uint64_t number, ser_past_events *past);

#endif
