/* SPDX-License-Identifier: MIT */
/*
 * input.h - the bytes of a file or of standard input, decompressed.
 *
 * gzip and zstd are recognised by content, also several members in a row. The
 * reader of a format looks at a window of bytes and consumes from its front:
 *
 *     size_t have;
 *     const uint8_t *bytes = ser_input_peek(input, want, &have);
 *     ... use up to have bytes ...
 *     ser_input_consume(input, used);
 *
 * Errors (a read that fails, a damaged or truncated compressed stream) end the
 * data: peek then gives fewer bytes than asked for, and ser_input_status says
 * an error from a plain end. Not thread-safe.
 */
#ifndef SER_TRACE_IO_INPUT_H
#define SER_TRACE_IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct ser_input ser_input;

/* Bytes after a window that may be read (they are no data), so that scanners
 * can load whole words. */
enum { SER_INPUT_SLACK = 16 };

/* Opens path ("-" is standard input). With `keep`, what cannot be read twice
 * (a pipe) is copied to an unnamed temporary file, so that rewind works. */
ser_status ser_input_open(ser_input **input, const char *path, bool keep, ser_error *error);
void ser_input_close(ser_input *input);

/* An input over bytes in memory, which must outlive it; name is for messages. */
ser_input *ser_input_open_memory(const void *bytes, size_t length, const char *name);

/* At least `want` bytes from the current position, unless the data ends before;
 * *have says how many there are (often more than asked for). The pointer is
 * valid until the next call. Asking for more than what is buffered grows the
 * window, so a caller bounds `want` by what it can accept. */
const uint8_t *ser_input_peek(ser_input *input, size_t want, size_t *have);
void ser_input_consume(ser_input *input, size_t count);

/* SER_OK at a regular end or in the middle; else the error that ended the data. */
ser_status ser_input_status(const ser_input *input, ser_error *error);

/* Position in the decompressed bytes: how many were consumed. */
uint64_t ser_input_offset(const ser_input *input);

/* A regular file: its bytes are all there. */
bool ser_input_is_file(const ser_input *input);

/* A file, or bytes in memory, not compressed, so that places in it can be gone to. */
bool ser_input_can_seek(const ser_input *input);

/* That many bytes from a place of such a file on; the position stays. False if there are fewer. */
bool ser_input_read_at(const ser_input *input, uint64_t offset, void *bytes, size_t count);

/* What is peeked at next is at that place of such a file. */
ser_status ser_input_seek(ser_input *input, uint64_t offset, ser_error *error);

/* Bytes of the underlying file read so far and in all; total is 0 where it
 * cannot be known (a pipe). For progress; any thread may ask. */
void ser_input_progress(const ser_input *input, uint64_t *done, uint64_t *total);

/* Back to the first byte. SER_INPUT if the input was a pipe that was not kept. */
ser_status ser_input_rewind(ser_input *input, ser_error *error);

/* The name for messages: the path, or "standard input". */
const char *ser_input_name(const ser_input *input);

#endif
