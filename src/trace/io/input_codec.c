/* SPDX-License-Identifier: MIT */
/*
 * Plain, gzip and zstd data behind one table of functions. Plain data goes
 * from the file straight to where the caller wants it; only the head that was
 * read to recognise the format is copied. Compressed data may be several
 * members in a row; it must end where a member ends.
 */
#include <errno.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/memory.h"
#include "trace/io/input_internal.h"

static void note_read_error(ser_raw_buffer *buffer)
{
    int reason = errno;
    ser_fail(&buffer->error, SER_INPUT, "cannot read %s at byte %llu: %s", buffer->name,
             (unsigned long long)buffer->raw.done, strerror(reason));
    buffer->ended = true;
}

void ser_raw_buffer_fill(ser_raw_buffer *buffer, size_t want)
{
    memmove(buffer->bytes, buffer->bytes + buffer->at, buffer->end - buffer->at);
    buffer->end -= buffer->at;
    buffer->at = 0;
    while (buffer->end < want && !buffer->ended) {
        ssize_t count =
            ser_raw_read(&buffer->raw, buffer->bytes + buffer->end, buffer->capacity - buffer->end);
        if (count < 0)
            note_read_error(buffer);
        else if (count == 0)
            buffer->ended = true;
        else
            buffer->end += (size_t)count;
    }
}

/* Makes sure there is a raw byte to decode; false at the end of the file. */
static bool have_raw(ser_raw_buffer *buffer)
{
    if (buffer->at == buffer->end)
        ser_raw_buffer_fill(buffer, 1);
    return buffer->at < buffer->end;
}

static unsigned long long raw_position(const ser_raw_buffer *buffer)
{
    return buffer->raw.done - (buffer->end - buffer->at);
}

/* An existing message wins: a failed read is not a truncated file. */
static size_t fail_truncated(ser_raw_buffer *buffer, const char *kind)
{
    if (buffer->error.status == SER_OK)
        ser_fail(&buffer->error, SER_INPUT,
                 "%s: the %s data ends early (truncated file?) at byte %llu", buffer->name, kind,
                 raw_position(buffer));
    return 0;
}

static size_t fail_damaged(ser_raw_buffer *buffer, const char *kind, const char *reason)
{
    ser_fail(&buffer->error, SER_INPUT, "%s: the %s data is damaged near byte %llu: %s",
             buffer->name, kind, raw_position(buffer), reason);
    return 0;
}

/* --- plain --- */

static bool recognise_plain(const uint8_t *head, size_t length)
{
    (void)head, (void)length;
    return true;
}

static void *open_plain(void)
{
    return NULL;
}

static size_t read_plain(void *state, ser_raw_buffer *buffer, uint8_t *to, size_t room)
{
    (void)state;
    size_t left = buffer->end - buffer->at;
    if (left > 0) {
        size_t count = left < room ? left : room;
        memcpy(to, buffer->bytes + buffer->at, count);
        buffer->at += count;
        return count;
    }
    if (buffer->ended)
        return 0;
    ssize_t count = ser_raw_read(&buffer->raw, to, room);
    if (count < 0)
        note_read_error(buffer);
    return count > 0 ? (size_t)count : 0;
}

static void close_plain(void *state)
{
    (void)state;
}

/* --- gzip --- */

typedef struct gzip {
    z_stream stream;
    bool between_members; /* the data may end here */
} gzip;

static bool recognise_gzip(const uint8_t *head, size_t length)
{
    return length >= 2 && head[0] == 0x1f && head[1] == 0x8b;
}

static void *open_gzip(void)
{
    enum { LARGEST_WINDOW = 15, GZIP_HEADER = 16 };
    gzip *state = ser_alloc(1, sizeof *state);
    if (inflateInit2(&state->stream, LARGEST_WINDOW + GZIP_HEADER) != Z_OK)
        ser_out_of_memory(sizeof *state);
    return state;
}

/* One call of inflate on what is buffered; returns its verdict. */
static int inflate_some(z_stream *stream, ser_raw_buffer *buffer)
{
    stream->next_in = buffer->bytes + buffer->at;
    stream->avail_in = (uInt)(buffer->end - buffer->at);
    int verdict = inflate(stream, Z_NO_FLUSH);
    buffer->at = buffer->end - stream->avail_in;
    return verdict;
}

static size_t read_gzip(void *opaque, ser_raw_buffer *buffer, uint8_t *to, size_t room)
{
    gzip *state = opaque;
    z_stream *stream = &state->stream;
    stream->next_out = to;
    stream->avail_out = room > SER_RAW_CHUNK ? SER_RAW_CHUNK : (uInt)room;
    while (stream->next_out == to) {
        if (!have_raw(buffer))
            return state->between_members ? 0 : fail_truncated(buffer, "gzip");
        if (state->between_members) {
            if (buffer->bytes[buffer->at] != 0x1f)
                return fail_damaged(buffer, "gzip", "something else follows its end");
            inflateReset(stream);
            state->between_members = false;
        }
        int verdict = inflate_some(stream, buffer);
        if (verdict == Z_MEM_ERROR)
            ser_out_of_memory(room);
        if (verdict == Z_STREAM_END)
            state->between_members = true;
        else if (verdict != Z_OK && verdict != Z_BUF_ERROR && stream->next_out == to)
            return fail_damaged(buffer, "gzip", stream->msg ? stream->msg : "unknown method");
    }
    return (size_t)(stream->next_out - to);
}

static void close_gzip(void *opaque)
{
    gzip *state = opaque;
    inflateEnd(&state->stream);
    free(state);
}

/* --- zstd --- */

typedef struct zstd {
    ZSTD_DStream *stream;
    bool between_frames;
} zstd;

/* A frame, or a skippable frame (parallel compressors start with one). */
static bool recognise_zstd(const uint8_t *head, size_t length)
{
    if (length < 4)
        return false;
    uint32_t magic =
        head[0] | (uint32_t)head[1] << 8 | (uint32_t)head[2] << 16 | (uint32_t)head[3] << 24;
    return magic == ZSTD_MAGICNUMBER || (magic & ~15u) == 0x184D2A50;
}

/* Long traces gain from `zstd --long=31`; its window is as large as zstd allows. */
static void *open_zstd(void)
{
    zstd *state = ser_alloc(1, sizeof *state);
    state->stream = ZSTD_createDStream();
    if (!state->stream)
        ser_out_of_memory(sizeof *state);
    ZSTD_DCtx_setParameter(state->stream, ZSTD_d_windowLogMax,
                           ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);
    return state;
}

static size_t read_zstd(void *opaque, ser_raw_buffer *buffer, uint8_t *to, size_t room)
{
    zstd *state = opaque;
    ZSTD_outBuffer out = {to, room, 0};
    while (out.pos == 0) {
        /* At the end of the file one more call drains what the decoder holds. */
        bool more = have_raw(buffer);
        if (!more && state->between_frames)
            return 0;
        ZSTD_inBuffer in = {buffer->bytes, buffer->end, buffer->at};
        size_t verdict = ZSTD_decompressStream(state->stream, &out, &in);
        buffer->at = in.pos;
        if (ZSTD_isError(verdict))
            return fail_damaged(buffer, "zstd", ZSTD_getErrorName(verdict));
        state->between_frames = verdict == 0;
        if (!more && out.pos == 0 && !state->between_frames)
            return fail_truncated(buffer, "zstd");
    }
    return out.pos;
}

static void close_zstd(void *opaque)
{
    zstd *state = opaque;
    ZSTD_freeDStream(state->stream);
    free(state);
}

bool ser_codec_is_plain(const ser_codec *codec)
{
    return codec->read == read_plain;
}

const ser_codec *ser_codec_for(const uint8_t *head, size_t length)
{
    static const ser_codec codecs[] = {
        {recognise_gzip, open_gzip, read_gzip, close_gzip},
        {recognise_zstd, open_zstd, read_zstd, close_zstd},
        {recognise_plain, open_plain, read_plain, close_plain},
    };
    const ser_codec *codec = codecs;
    while (!codec->recognise(head, length))
        codec++;
    return codec;
}
