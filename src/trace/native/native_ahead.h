/* SPDX-License-Identifier: MIT */
/*
 * native_ahead.h - a second thread that reads, checks and decompresses the blocks of a file before
 * they are asked for, while the caller decodes and uses those before them.
 *
 * Nothing else may use the input until the thread was stopped. Blocks, and what is wrong with one,
 * come in the order of the file, as from ser_native_unpack. Memory: a few blocks.
 */
#ifndef SER_TRACE_NATIVE_NATIVE_AHEAD_H
#define SER_TRACE_NATIVE_NATIVE_AHEAD_H

#include "trace/native/native_block.h"

typedef struct ser_native_ahead ser_native_ahead;

/* Goes on where the unpacker is, which must outlive it. NULL: there is no thread to be had, or no
 * second core. */
ser_native_ahead *ser_native_ahead_start(const ser_native_unpacker *unpacker);

/* The same as ser_native_unpack, with the unpacker that it was started with. Not to be called again
 * after the end of the data or an error. */
ser_status ser_native_ahead_next(ser_native_ahead *ahead, ser_native_unpacker *unpacker,
                                 ser_native_block *block, ser_native_found *found,
                                 ser_error *error);

/* Waits for the thread; accepts NULL. */
void ser_native_ahead_stop(ser_native_ahead *ahead);

#endif
