/* SPDX-License-Identifier: MIT */
#include "record/capture/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output/topics.h"
#include "record/capture/spool_format.h"

struct ser_spool {
    int fd;
    char *path;
    int problem; /* errno of the first failure */
    uint64_t records, bytes;
    size_t pending; /* records in packed */
    size_t size;    /* bytes of them */
    ser_pack_state state;
    uint8_t packed[SER_SPOOL_FRAME + SER_SPOOL_LARGEST + SER_PACK_SLACK];
};

static ser_status fail(const ser_spool *spool, ser_error *error)
{
    if (spool->problem == EWOULDBLOCK)
        return ser_fail(error, SER_INPUT,
                        "%s is being written by another recording; give this one another name, "
                        "with -o",
                        spool->path);
    if (spool->problem == EEXIST)
        return ser_fail(error, SER_INPUT,
                        "%s was left by a recorder that was killed; make a trace of it with "
                        "seriatim record --finish %s, or remove it",
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

/* On file systems without locks, the file counts as not locked. */
static bool is_held_by_another(int fd)
{
    return flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

static bool was_removed(int fd)
{
    struct stat about;
    return fstat(fd, &about) == 0 && about.st_nlink == 0;
}

/* Is there a file, and does a living recorder hold it? */
static int reason_of_conflict(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int reason = fd >= 0 && is_held_by_another(fd) ? EWOULDBLOCK : EEXIST;
    if (fd >= 0)
        close(fd);
    return reason;
}

/* The lock shows that the recorder that writes the file is alive. Between creating and locking
 * it another recorder may have taken it for an abandoned one, and removed it. -1 and errno if it
 * cannot be had. */
static int open_locked(const char *path)
{
    for (;;) {
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno == EEXIST)
            errno = reason_of_conflict(path);
        if (fd < 0 || (!is_held_by_another(fd) && !was_removed(fd)))
            return fd;
        close(fd);
    }
}

static bool has_magic(int fd)
{
    static const uint8_t wanted[SER_SPOOL_HEADER] = SER_SPOOL_MAGIC;
    uint8_t header[SER_SPOOL_HEADER];
    ssize_t got = read(fd, header, sizeof header);
    return got == 0 || (got >= 8 && memcmp(header, wanted, 8) == 0);
}

void ser_spool_remove_dead(const char *path)
{
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (fd < 0)
        return;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && has_magic(fd) &&
        !is_held_by_another(fd) && !was_removed(fd))
        unlink(path);
    close(fd);
}

ser_status ser_spool_create(ser_spool **result, const char *path, ser_error *error)
{
    ser_spool *spool = ser_alloc(1, sizeof *spool);
    uint8_t header[SER_SPOOL_HEADER] = SER_SPOOL_MAGIC;
    spool->path = ser_copy_text(path, strlen(path));
    spool->fd = open_locked(path);
    ser_spool_put32(header + 8, SER_SPOOL_VERSION);
    ser_spool_put32(header + 12, ser_spool_checksum(SER_SPOOL_VERSION, header + 8, 4));
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
    ser_log_info(SPOOL, "%s is written", path);
    *result = spool;
    return SER_OK;
}

static void frame_block(ser_spool *spool)
{
    ser_spool_put32(spool->packed, (uint32_t)spool->pending);
    ser_spool_put32(spool->packed + 4, (uint32_t)spool->size);
    ser_spool_put32(
        spool->packed + 8,
        ser_spool_checksum(SER_SPOOL_VERSION, spool->packed + SER_SPOOL_FRAME, spool->size));
    ser_spool_put32(spool->packed + 12, ser_spool_checksum(SER_SPOOL_VERSION, spool->packed, 12));
}

ser_status ser_spool_flush(ser_spool *spool, ser_error *error)
{
    if (spool->pending > 0 && !spool->problem) {
        frame_block(spool);
        if (!write_whole(spool, spool->packed, SER_SPOOL_FRAME + spool->size))
            spool->records -= spool->pending;
        ser_log_debug(SPOOL, "block of %zu records in %zu bytes%s%s", spool->pending, spool->size,
                      spool->problem ? ": " : "", spool->problem ? strerror(spool->problem) : "");
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
        spool->size +=
            ser_pack(&spool->state, records, part, spool->packed + SER_SPOOL_FRAME + spool->size);
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
    ser_log_info(SPOOL, "%s has %llu records in %llu bytes", spool->path,
                 (unsigned long long)spool->records, (unsigned long long)spool->bytes);
    if (spool->fd >= 0)
        close(spool->fd);
    free(spool->path);
    free(spool);
}
