/* SPDX-License-Identifier: MIT */
/*
 * A second thread reads, checks and unpacks ahead of the consumer, which gets records in pieces
 * that circulate between the two. A file that fits into one piece is read without that thread.
 */
#include "record/capture/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/relay.h"
#include "record/capture/spool_format.h"

enum {
    PIECES = 16,    /* some milliseconds of work: the other thread may have to wait for a core */
    UNPACKED = 512, /* records that are unpacked at once: they stay in the innermost cache */
};

typedef struct spool_piece {
    size_t count; /* 0: the end, or an error */
    bool cut;
    ser_status status;
    ser_error error;
    ser_record records[SER_SPOOL_PIECE];
} spool_piece;

struct ser_spool_reader {
    int fd; /* from here on: used by the reading thread */
    char *path;
    uint32_t version;
    bool cut;
    size_t records_left; /* of the block */
    size_t at, size;     /* how far it is unpacked, and its bytes */
    ser_pack_state state;
    uint8_t packed[SER_SPOOL_LARGEST + SER_PACK_SLACK];

    const spool_piece *now; /* what the caller uses; NULL: nothing yet */
    ser_relay relay;
    spool_piece pieces[PIECES];
};

/* Bytes read: fewer than asked for only at the end of the file. -1: an error. */
static ssize_t read_whole(int fd, uint8_t *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t got = read(fd, bytes + done, size - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

static ser_status check_header(ser_spool_reader *reader, ser_error *error)
{
    uint8_t header[SER_SPOOL_HEADER] = {0};
    ssize_t got = read_whole(reader->fd, header, SER_SPOOL_HEADER);
    if (got < 0)
        return ser_fail(error, SER_INPUT, "cannot read %s: %s", reader->path, strerror(errno));
    reader->version = ser_spool_get32(header + 8);
    if (got < SER_SPOOL_HEADER || memcmp(header, SER_SPOOL_MAGIC, 8) != 0 ||
        ser_spool_get32(header + 12) != ser_spool_checksum(reader->version, header + 8, 4))
        return ser_fail(error, SER_INPUT, "%s is not a spool (FILE.part) of seriatim record",
                        reader->path);
    if (reader->version < SER_SPOOL_OLDEST || reader->version > SER_SPOOL_VERSION)
        return ser_fail(error, SER_INPUT, "%s was written by another version of seriatim",
                        reader->path);
    return SER_OK;
}

ser_status ser_spool_open(ser_spool_reader **result, const char *path, ser_error *error)
{
    ser_spool_reader *reader = ser_alloc(1, sizeof *reader);
    ser_relay_init(&reader->relay, PIECES);
    reader->path = ser_copy_text(path, strlen(path));
    reader->fd = open(path, O_RDONLY | O_CLOEXEC);
    ser_status status =
        reader->fd < 0 ? ser_fail(error, SER_INPUT, "cannot read %s: %s", path, strerror(errno))
                       : check_header(reader, error);
    if (status != SER_OK) {
        ser_spool_reader_close(reader);
        reader = NULL;
    }
    *result = reader;
    return status;
}

/* The payload of a frame; false if it is not all there and right. */
static bool take_payload(ser_spool_reader *reader, const uint8_t *frame)
{
    uint32_t count = ser_spool_get32(frame), stored = ser_spool_get32(frame + 4);
    if (ser_spool_get32(frame + 12) != ser_spool_checksum(reader->version, frame, 12) ||
        count == 0 || count > SER_SPOOL_BLOCK || stored > SER_SPOOL_LARGEST ||
        read_whole(reader->fd, reader->packed, stored) != (ssize_t)stored ||
        ser_spool_get32(frame + 8) != ser_spool_checksum(reader->version, reader->packed, stored))
        return false;
    reader->records_left = count;
    reader->size = stored;
    reader->at = 0;
    return true;
}

/* Without an error, a reader that has no records left is at the end. */
static ser_status next_block(ser_spool_reader *reader, ser_error *error)
{
    uint8_t frame[SER_SPOOL_FRAME];
    ssize_t got = read_whole(reader->fd, frame, SER_SPOOL_FRAME);
    if (got < 0)
        return ser_fail(error, SER_INPUT, "cannot read %s: %s", reader->path, strerror(errno));
    if (got > 0)
        reader->cut = got < SER_SPOOL_FRAME || !take_payload(reader, frame);
    return SER_OK;
}

/* Unpacks some records of the block; how many. A block with a correct checksum but a wrong size
 * was not written by us: the spool counts as cut there. */
static size_t unpack_some(ser_spool_reader *reader, ser_record *records)
{
    size_t left = reader->records_left, count = left < UNPACKED ? left : UNPACKED;
    reader->at += ser_unpack(&reader->state, reader->packed + reader->at, reader->size - reader->at,
                             records, count);
    reader->records_left -= count;
    reader->cut =
        reader->at > reader->size || (reader->records_left == 0 && reader->at < reader->size);
    return reader->cut ? 0 : count;
}

/* After an error the records before it are not used. */
static void fill(ser_spool_reader *reader, spool_piece *piece)
{
    size_t got = 1;
    piece->count = 0;
    piece->status = SER_OK;
    while (piece->count + UNPACKED <= SER_SPOOL_PIECE && got > 0) {
        if (reader->records_left == 0 && !reader->cut)
            piece->status = next_block(reader, &piece->error);
        got = reader->records_left > 0 && !reader->cut
                  ? unpack_some(reader, piece->records + piece->count)
                  : 0;
        piece->count = piece->status == SER_OK ? piece->count + got : 0;
    }
    piece->cut = reader->cut;
}

static void *read_ahead(void *context)
{
    ser_spool_reader *reader = context;
    uint32_t next;
    bool more = true;
    while (more && (next = ser_relay_to_fill(&reader->relay)) != SER_RELAY_NONE) {
        fill(reader, &reader->pieces[next]);
        more = reader->pieces[next].count > 0;
        ser_relay_filled(&reader->relay);
    }
    ser_relay_close(&reader->relay);
    return NULL;
}

static const spool_piece *take(ser_spool_reader *reader)
{
    uint32_t next = ser_relay_to_empty(&reader->relay);
    ser_check(next != SER_RELAY_NONE);
    return &reader->pieces[next];
}

static const spool_piece *first_piece(ser_spool_reader *reader)
{
    spool_piece *piece = &reader->pieces[ser_relay_to_fill(&reader->relay)];
    fill(reader, piece);
    ser_relay_filled(&reader->relay);
    if (piece->count + UNPACKED > SER_SPOOL_PIECE)
        ser_relay_start(&reader->relay, read_ahead, reader);
    return take(reader);
}

static const spool_piece *next_piece(ser_spool_reader *reader)
{
    if (!reader->now)
        return first_piece(reader);
    if (reader->now->count == 0)
        return reader->now;
    if (reader->relay.started) {
        ser_relay_emptied(&reader->relay);
        return take(reader);
    }
    fill(reader, &reader->pieces[0]);
    return &reader->pieces[0];
}

ser_status ser_spool_next(ser_spool_reader *reader, const ser_record **records, size_t *count,
                          ser_error *error)
{
    reader->now = next_piece(reader);
    *records = reader->now->records;
    *count = reader->now->count;
    if (reader->now->status != SER_OK && error)
        *error = reader->now->error;
    return reader->now->status;
}

bool ser_spool_is_cut(const ser_spool_reader *reader)
{
    return reader->now && reader->now->cut;
}

void ser_spool_reader_close(ser_spool_reader *reader)
{
    if (!reader)
        return;
    ser_relay_fini(&reader->relay);
    if (reader->fd >= 0)
        close(reader->fd);
    free(reader->path);
    free(reader);
}
