/* SPDX-License-Identifier: MIT */
/*
 * input_internal.h - the layers below input.h; included only by files of input.
 *
 *     raw bytes (file, pipe, memory)  ->  codec (plain, gzip, zstd)  ->  window
 *
 * A raw source can be read again: a file by seeking, a kept pipe from
 * its copy. A codec pulls raw bytes and turns them into decoded ones.
 */
#ifndef SER_TRACE_IO_INPUT_INTERNAL_H
#define SER_TRACE_IO_INPUT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

/* --- raw bytes (input_raw.c) ------------------------------------------- */

typedef struct ser_raw {
    int fd;                /* -1: the bytes are in memory */
    bool owns_fd;          /* false for standard input */
    bool seekable;         /* a regular file */
    off_t start;           /* where the data starts in a seekable file */
    const uint8_t *bytes;  /* of an input in memory */
    _Atomic uint64_t done; /* read since the start or the last rewind */
    uint64_t total;        /* 0: unknown */
    bool given_up;         /* a wait for more data was interrupted: do not wait again */

    bool keep;           /* copy what comes out of a pipe */
    int copy;            /* the unnamed temporary file with the copy, or -1 */
    uint64_t copied;     /* bytes in it, which is also the position in the pipe */
    char complaint[256]; /* why there is no copy although there should be one */
} ser_raw;

/* path is a file to open, or NULL for standard input. Messages use name. */
ser_status ser_raw_open(ser_raw *raw, const char *path, const char *name, bool keep,
                        ser_error *error);
void ser_raw_open_memory(ser_raw *raw, const void *bytes, size_t length);
void ser_raw_close(ser_raw *raw);

/* Like read(2): how many bytes, 0 at the end, -1 and errno. */
ssize_t ser_raw_read(ser_raw *raw, uint8_t *to, size_t room);

/* Of a seekable file, or of memory: bytes at a place of it, and going there. */
bool ser_raw_read_at(const ser_raw *raw, uint64_t offset, uint8_t *to, size_t count);
ser_status ser_raw_seek(ser_raw *raw, uint64_t offset, const char *name, ser_error *error);

ser_status ser_raw_rewind(ser_raw *raw, const char *name, ser_error *error);

/* --- codecs (input_codec.c) -------------------------------------------- */

enum { SER_RAW_CHUNK = 256 << 10 };

/* What a codec works on: the source and a buffer of raw bytes not yet decoded. */
typedef struct ser_raw_buffer {
    ser_raw raw;
    uint8_t *bytes;
    size_t at, end, capacity;
    bool ended;
    const char *name; /* for messages */
    ser_error error;  /* what ended the data early; status SER_OK for nothing */
} ser_raw_buffer;

/* Reads on until `want` bytes are buffered or the data ends; want is small. */
void ser_raw_buffer_fill(ser_raw_buffer *buffer, size_t want);

typedef struct ser_codec {
    bool (*recognise)(const uint8_t *head, size_t length);
    void *(*open)(void);
    /* Decodes up to room > 0 bytes. 0 is the end, or an error in buffer->error. */
    size_t (*read)(void *state, ser_raw_buffer *buffer, uint8_t *to, size_t room);
    void (*close)(void *state);
} ser_codec;

/* What it reads are the raw bytes. */
bool ser_codec_is_plain(const ser_codec *codec);

/* The codec of data that starts like this; plain if no other claims it. */
const ser_codec *ser_codec_for(const uint8_t *head, size_t length);

#endif
