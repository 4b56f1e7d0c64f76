/* SPDX-License-Identifier: MIT */
/*
 * native_index.h - where the blocks of a native file are.
 *
 * A file with checkpoints has an index before its trailer, which says where. Of other files the
 * frames say it: each has its size, so that one can hop from one to the next.
 */
#ifndef SER_TRACE_NATIVE_INDEX_H
#define SER_TRACE_NATIVE_INDEX_H

#include "trace/native/native_block.h"

/* Writing: how many events of each thread are in blocks of events, in the order of these. */
typedef struct ser_native_thread_counts {
    SER_VECTOR(uint8_t)
    bytes; /* for each block: number of threads; for each thread its number and
              that of its events; varints */
} ser_native_thread_counts;

void ser_native_thread_counts_begin(ser_native_thread_counts *counts, uint32_t threads);
void ser_native_thread_counts_add(ser_native_thread_counts *counts, uint32_t thread,
                                  uint32_t events);

/* Writes the index of the blocks so far; its offset in the file. */
uint64_t ser_native_index_pack(ser_native_packer *packer, const ser_native_thread_counts *counts);

/* Reading: all blocks of a file before its index, or all that are whole; to be freed. */
void ser_native_index_find(const ser_input *input, ser_native_entries *entries);

#endif
