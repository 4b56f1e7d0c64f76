/* SPDX-License-Identifier: MIT */
#include "record/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "record/pack.h"

#define MAGIC "SERSPOOL"

enum {
    VERSION = 1,
    HEADER = 16,
    FRAME = 16,
    LARGEST = SER_SPOOL_BLOCK * SER_PACK_LONGEST, /* payload of a block */
};

/* Each step can be undone, so that whatever is changed in one place changes the result,
 * but for one case in 2^32; at some bytes a cycle. */
uint32_t ser_spool_checksum(const void *bytes, size_t size)
{
    static const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    const uint8_t *at = bytes;
    uint64_t sum = size * factor, word;
    for (; size >= sizeof word; at += sizeof word, size -= sizeof word) {
        memcpy(&word, at, sizeof word);
        sum = (sum ^ word) * factor;
        sum ^= sum >> 32;
    }
    word = 0;
    memcpy(&word, at, size);
    sum = (sum ^ word) * factor;
    return (uint32_t)(sum ^ sum >> 32);
}

static void put32(uint8_t *at, uint32_t number)
{
    memcpy(at, &number, sizeof number);
}

static uint32_t get32(const uint8_t *at)
{
    uint32_t number;
    memcpy(&number, at, sizeof number);
    return number;
}

/* --- writing -------------------------------------------------------------- */

struct ser_spool {
    int fd;
    char *path;
    int problem; /* errno of the first failure */
    uint64_t records, bytes;
    size_t pending; /* records in packed */
    size_t size;    /* bytes of them */
    ser_pack_state state;
    uint8_t packed[FRAME + LARGEST + SER_PACK_SLACK];
};

static ser_status fail(const ser_spool *spool, ser_error *error)
{
    if (spool->problem == EEXIST)
        return ser_fail(error, SER_INPUT,
                        "%s is left of a recording that died, or another one is writing it; make "
                        "a trace of it with seriatim record --finish %s, or remove it",
                        spool->path, spool->path);
    return ser_fail(error, SER_INPUT, "cannot write %s: %s", spool->path, strerror(spool->problem));
}

/* All or nothing: a block that does not fit is taken back. */
static bool write_whole(ser_spool *spool, const uint8_t *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t written = write(spool->fd, bytes + done, size - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            spool->problem = written < 0 ? errno : ENOSPC;
            if (ftruncate(spool->fd, (off_t)spool->bytes) == 0)
                lseek(spool->fd, (off_t)spool->bytes, SEEK_SET);
            return false;
        }
        done += (size_t)written;
    }
    spool->bytes += size;
    return true;
}

ser_status ser_spool_create(ser_spool **result, const char *path, ser_error *error)
{
    ser_spool *spool = ser_alloc(1, sizeof *spool);
    uint8_t header[HEADER] = MAGIC;
    spool->path = ser_copy_text(path, strlen(path));
    spool->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    put32(header + 8, VERSION);
    put32(header + 12, ser_spool_checksum(header + 8, 4));
    if (spool->fd < 0)
        spool->problem = errno;
    if (spool->problem || !write_whole(spool, header, sizeof header)) {
        if (spool->fd >= 0)
            unlink(path);
        fail(spool, error);
        ser_spool_close(spool);
        *result = NULL;
        return SER_INPUT;
    }
    *result = spool;
    return SER_OK;
}

static void frame_block(ser_spool *spool)
{
    put32(spool->packed, (uint32_t)spool->pending);
    put32(spool->packed + 4, (uint32_t)spool->size);
    put32(spool->packed + 8, ser_spool_checksum(spool->packed + FRAME, spool->size));
    put32(spool->packed + 12, ser_spool_checksum(spool->packed, 12));
}

ser_status ser_spool_flush(ser_spool *spool, ser_error *error)
{
    if (spool->pending > 0 && !spool->problem) {
        frame_block(spool);
        if (!write_whole(spool, spool->packed, FRAME + spool->size))
            spool->records -= spool->pending;
        spool->pending = spool->size = 0;
    }
    return spool->problem ? fail(spool, error) : SER_OK;
}

ser_status ser_spool_put(ser_spool *spool, const ser_record *records, size_t count,
                         ser_error *error)
{
    ser_status status = spool->problem ? fail(spool, error) : SER_OK;
    while (count > 0 && status == SER_OK) {
        size_t room = SER_SPOOL_BLOCK - spool->pending, part = count < room ? count : room;
        spool->size += ser_pack(&spool->state, records, part, spool->packed + FRAME + spool->size);
        spool->pending += part;
        spool->records += part;
        records += part;
        count -= part;
        if (spool->pending == SER_SPOOL_BLOCK)
            status = ser_spool_flush(spool, error);
    }
    return status;
}

uint64_t ser_spool_records(const ser_spool *spool)
{
    return spool->records;
}

uint64_t ser_spool_bytes(const ser_spool *spool)
{
    return spool->bytes;
}

void ser_spool_close(ser_spool *spool)
{
    if (!spool)
        return;
    if (spool->fd >= 0)
        close(spool->fd);
    free(spool->path);
    free(spool);
}

/* --- reading -------------------------------------------------------------- */

struct ser_spool_reader {
    int fd;
    char *path;
    bool cut;
    size_t records_left; /* of the block */
    size_t at, size;     /* how far it is unpacked, and its bytes */
    ser_pack_state state;
    ser_record piece[SER_SPOOL_PIECE];
    uint8_t packed[LARGEST + SER_PACK_SLACK];
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
    uint8_t header[HEADER];
    ssize_t got = read_whole(reader->fd, header, HEADER);
    if (got < 0)
        return ser_fail(error, SER_INPUT, "cannot read %s: %s", reader->path, strerror(errno));
    if (got < HEADER || memcmp(header, MAGIC, 8) != 0 ||
        get32(header + 12) != ser_spool_checksum(header + 8, 4))
        return ser_fail(error, SER_INPUT, "%s is not what seriatim record leaves when it dies",
                        reader->path);
    if (get32(header + 8) != VERSION)
        return ser_fail(error, SER_INPUT, "%s was written by another version of seriatim",
                        reader->path);
    return SER_OK;
}

ser_status ser_spool_open(ser_spool_reader **result, const char *path, ser_error *error)
{
    ser_spool_reader *reader = ser_alloc(1, sizeof *reader);
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
    uint32_t count = get32(frame), stored = get32(frame + 4);
    if (get32(frame + 12) != ser_spool_checksum(frame, 12) || count == 0 ||
        count > SER_SPOOL_BLOCK || stored > LARGEST ||
        read_whole(reader->fd, reader->packed, stored) != (ssize_t)stored ||
        get32(frame + 8) != ser_spool_checksum(reader->packed, stored))
        return false;
    reader->records_left = count;
    reader->size = stored;
    reader->at = 0;
    return true;
}

/* Without an error, a reader that has no records left is at the end. */
static ser_status next_block(ser_spool_reader *reader, ser_error *error)
{
    uint8_t frame[FRAME];
    ssize_t got = read_whole(reader->fd, frame, FRAME);
    if (got < 0)
        return ser_fail(error, SER_INPUT, "cannot read %s: %s", reader->path, strerror(errno));
    if (got > 0)
        reader->cut = got < FRAME || !take_payload(reader, frame);
    return SER_OK;
}

/* How many records were unpacked. A block whose bytes are right but are not as many as its
 * records take was not written by us: it is cut, too. */
static size_t unpack_piece(ser_spool_reader *reader)
{
    size_t left = reader->records_left, count = left < SER_SPOOL_PIECE ? left : SER_SPOOL_PIECE;
    reader->at += ser_unpack(&reader->state, reader->packed + reader->at, reader->size - reader->at,
                             reader->piece, count);
    reader->records_left -= count;
    reader->cut =
        reader->at > reader->size || (reader->records_left == 0 && reader->at < reader->size);
    return reader->cut ? 0 : count;
}

ser_status ser_spool_next(ser_spool_reader *reader, const ser_record **records, size_t *count,
                          ser_error *error)
{
    ser_status status = SER_OK;
    *records = reader->piece;
    *count = 0;
    if (reader->records_left == 0 && !reader->cut)
        status = next_block(reader, error);
    if (reader->records_left > 0 && !reader->cut)
        *count = unpack_piece(reader);
    return status;
}

bool ser_spool_is_cut(const ser_spool_reader *reader)
{
    return reader->cut;
}

void ser_spool_reader_close(ser_spool_reader *reader)
{
    if (!reader)
        return;
    if (reader->fd >= 0)
        close(reader->fd);
    free(reader->path);
    free(reader);
}
