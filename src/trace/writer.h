/* SPDX-License-Identifier: MIT */
/*
 * writer.h - events into a file, in text or native form.
 *
 * A file is written under a temporary name beside its final one and renamed by
 * finish, so that no half-written file ever stands under the final name; "-"
 * writes to standard output. Not thread-safe.
 */
#ifndef SER_TRACE_WRITER_H
#define SER_TRACE_WRITER_H

#include "base/status.h"
#include "trace/event.h"
#include "trace/symbols.h"

typedef struct ser_writer ser_writer;

typedef enum ser_writer_format { SER_WRITE_TEXT, SER_WRITE_NATIVE } ser_writer_format;

/* symbols must outlive the writer; names may be added while events are written. */
ser_status ser_writer_open(ser_writer **writer, const char *path, ser_writer_format format,
                           const ser_symbols *symbols, ser_error *error);

/* Of the flags, those that readers set are written. */
ser_status ser_writer_put(ser_writer *writer, const ser_event *events, size_t count,
                          ser_error *error);

/* Native only: space for *count events (at least one), valid until the next call. Events that the
 * caller builds there, from its start, and then puts need not be copied. */
ser_event *ser_writer_room(ser_writer *writer, size_t *count);

/* Bytes that accompany the trace but are not events (native_aside.h reads them): a block of that
 * kind, SER_NATIVE_MAY_SKIP or above. Not written in text format. */
ser_status ser_writer_put_aside(ser_writer *writer, uint8_t kind, const void *bytes, size_t size,
                                ser_error *error);

/* Native only, before the first event: about how many events there are from one checkpoint to the
 * next (trace/checkpoint.h), at least 1. */
void ser_writer_set_checkpoints(ser_writer *writer, uint64_t events);

/* How many names of a space are in the file, and no longer needed by the writer. */
uint32_t ser_writer_names(const ser_writer *writer, ser_space space);

/* Writes what is pending (also notes and the native trailer), makes the system report write errors,
 * and gives the file its final name. The writer must still be closed. */
ser_status ser_writer_finish(ser_writer *writer, ser_error *error);

/* Frees the writer; without a successful finish the temporary file is removed. */
void ser_writer_close(ser_writer *writer);

/* --- for formats ------------------------------------------------------- */

/* Bytes on their way to the file: buffered; errors are sticky and are reported
 * by ser_output_status. */
typedef struct ser_output ser_output;
void ser_output_write(ser_output *output, const void *bytes, size_t count);
ser_status ser_output_status(const ser_output *output, ser_error *error);

typedef struct ser_encoder {
    void *(*open)(ser_output *output, const ser_symbols *symbols);
    void (*put)(void *state, const ser_event *events, size_t count);
    ser_event *(*room)(void *state, size_t *count); /* or NULL; see ser_writer_room */
    void (*put_aside)(void *state, uint8_t kind, const void *bytes, size_t size); /* or NULL */
    void (*set_checkpoints)(void *state, uint64_t events);                        /* or NULL */
    uint32_t (*names)(const void *state, ser_space space); /* or NULL: any may be needed */
    void (*finish)(void *state);                           /* trailer */
    void (*close)(void *state);
} ser_encoder;

extern const ser_encoder ser_encoder_text;   /* text_writer.c */
extern const ser_encoder ser_encoder_native; /* native_writer.c */

#endif
