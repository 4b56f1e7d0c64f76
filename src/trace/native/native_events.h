/* SPDX-License-Identifier: MIT */
/*
 * native_events.h - events into the columns of a block, and back.
 *
 * Between blocks both keep the points that were defined, and the last value of
 * each point and variable; native_format.h describes the columns.
 */
#ifndef SER_TRACE_NATIVE_NATIVE_EVENTS_H
#define SER_TRACE_NATIVE_NATIVE_EVENTS_H

#include "trace/native/native_block.h"
#include "trace/native/native_index.h"
#include "trace/native/native_names.h"

typedef struct ser_native_encoder ser_native_encoder;

ser_native_encoder *ser_native_encoder_create(void);
void ser_native_encoder_destroy(ser_native_encoder *encoder);

/* Adds events to the current block as far as it has room; how many. */
size_t ser_native_encode(ser_native_encoder *encoder, const ser_event *events, size_t count);

/* Events in the current block. */
uint32_t ser_native_encoder_pending(const ser_native_encoder *encoder);

/* Writes the current block; `first` events are in the file before it. All names
 * it uses must be there already. How many events each thread has in it is counted. */
void ser_native_encoder_pack(ser_native_encoder *encoder, ser_native_packer *packer, uint64_t first,
                             ser_native_thread_counts *counts);

typedef struct ser_native_decoder ser_native_decoder;

/* names must outlive the decoder. */
ser_native_decoder *ser_native_decoder_create(const ser_native_names_in *names);
void ser_native_decoder_destroy(ser_native_decoder *decoder);

/* A block of flows (SER_NATIVE_FLOWS). NULL, or what is wrong with it. */
const char *ser_native_decoder_take_flows(ser_native_decoder *decoder, const uint8_t *bytes,
                                          size_t size);

/* Starts a block of that many events. Its bytes must stay until its last event.
 * NULL, or what is wrong with it; then there are none. */
const char *ser_native_decoder_load(ser_native_decoder *decoder, const uint8_t *bytes, size_t size,
                                    uint32_t events);

/* The next events of the block, at most capacity. Fewer than there are only if
 * one is nonsense; then *fault says so once it is the first. */
size_t ser_native_decode(ser_native_decoder *decoder, ser_event *batch, size_t capacity,
                         const char **fault);

uint32_t ser_native_decoder_left(const ser_native_decoder *decoder);

#endif
