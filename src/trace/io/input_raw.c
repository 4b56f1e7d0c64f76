/* SPDX-License-Identifier: MIT */
/*
 * Raw bytes of a file, a pipe or memory. A pipe that must be read twice is
 * copied while it is read into a temporary file without a name; after a rewind
 * reads come from the copy until it is used up, and then from the pipe again.
 * A copy that cannot be made does not stop the first pass: only the rewind
 * fails, and says why.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "trace/io/input_internal.h"

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

static void give_up_copy(ser_raw *raw, int reason)
{
    snprintf(raw->complaint, sizeof raw->complaint, "its copy in %s failed: %s", temporary_folder(),
             strerror(reason));
    if (raw->copy >= 0)
        close(raw->copy);
    raw->copy = -1;
}

/* Where the file system has no O_TMPFILE, a file that loses its name at once. */
static int open_unnamed(const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    char path[4096];
    if (snprintf(path, sizeof path, "%s/seriatim-XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

ser_status ser_raw_open(ser_raw *raw, const char *path, const char *name, bool keep,
                        ser_error *error)
{
    *raw = (ser_raw){.fd = STDIN_FILENO, .owns_fd = path != NULL, .copy = -1};
    struct stat about;
    if (path && (raw->fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
        return ser_fail(error, SER_INPUT, "cannot open %s: %s", name, strerror(errno));
    int problem = fstat(raw->fd, &about) ? errno : S_ISDIR(about.st_mode) ? EISDIR : 0;
    if (problem) {
        ser_raw_close(raw);
        return ser_fail(error, SER_INPUT, "cannot read %s: %s", name, strerror(problem));
    }
    if (S_ISREG(about.st_mode)) {
        raw->start = lseek(raw->fd, 0, SEEK_CUR);
        raw->seekable = raw->start >= 0;
        if (raw->seekable && about.st_size > raw->start)
            raw->total = (uint64_t)(about.st_size - raw->start);
    }
    raw->keep = keep && !raw->seekable;
    if (raw->keep && (raw->copy = open_unnamed(temporary_folder())) < 0)
        give_up_copy(raw, errno);
    return SER_OK;
}

void ser_raw_open_memory(ser_raw *raw, const void *bytes, size_t length)
{
    *raw = (ser_raw){.fd = -1, .copy = -1, .bytes = bytes, .total = length};
}

void ser_raw_close(ser_raw *raw)
{
    if (raw->owns_fd && raw->fd >= 0)
        close(raw->fd);
    if (raw->copy >= 0)
        close(raw->copy);
    raw->fd = raw->copy = -1;
}

/* Waits until data, or the end, can be read. Ctrl-C and the end of the budget interrupt the wait:
 * then false, with EINTR. A signal just before poll would not interrupt it, so each poll has a
 * short timeout. */
static bool wait_for_bytes(const ser_raw *raw)
{
    enum { MILLISECONDS = 100 };
    struct pollfd ready = {.fd = raw->fd, .events = POLLIN};
    while (!ser_should_stop()) {
        ser_waiting();
        int count = poll(&ready, 1, MILLISECONDS);
        if (count > 0 || (count < 0 && errno != EINTR))
            return true; /* read will report the error */
    }
    errno = EINTR;
    return false;
}

/* Also handles a standard input that another program made non-blocking. */
static ssize_t read_fd(ser_raw *raw, uint8_t *to, size_t room)
{
    while (!raw->given_up) {
        if (!raw->seekable && !wait_for_bytes(raw)) {
            raw->given_up = true;
            break;
        }
        ssize_t count = read(raw->fd, to, room);
        if (count >= 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK))
            return count;
    }
    errno = EINTR;
    return -1;
}

static ssize_t read_memory(ser_raw *raw, uint8_t *to, size_t room)
{
    size_t left = (size_t)(raw->total - raw->done);
    size_t count = room < left ? room : left;
    if (count)
        memcpy(to, raw->bytes + raw->done, count);
    return (ssize_t)count;
}

static ssize_t read_copy(ser_raw *raw, uint8_t *to, size_t room)
{
    uint64_t left = raw->copied - raw->done;
    ssize_t count;
    do
        count = pread(raw->copy, to, left < room ? (size_t)left : room, (off_t)raw->done);
    while (count < 0 && errno == EINTR);
    if (count == 0) { /* another process cut our copy */
        errno = EIO;
        return -1;
    }
    return count;
}

static void append_copy(ser_raw *raw, const uint8_t *bytes, size_t count)
{
    while (count > 0 && raw->copy >= 0) {
        ssize_t written = pwrite(raw->copy, bytes, count, (off_t)raw->copied);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            give_up_copy(raw, written < 0 ? errno : ENOSPC);
            return;
        }
        raw->copied += (uint64_t)written;
        bytes += written;
        count -= (size_t)written;
    }
}

ssize_t ser_raw_read(ser_raw *raw, uint8_t *to, size_t room)
{
    ssize_t count;
    if (raw->fd < 0) {
        count = read_memory(raw, to, room);
    } else if (raw->done < raw->copied && raw->copy >= 0) {
        count = read_copy(raw, to, room);
    } else {
        count = read_fd(raw, to, room);
        if (count > 0)
            append_copy(raw, to, (size_t)count);
    }
    if (count > 0)
        raw->done += (uint64_t)count;
    return count;
}

bool ser_raw_read_at(const ser_raw *raw, uint64_t offset, uint8_t *to, size_t count)
{
    if (raw->bytes) {
        bool is_there = offset <= raw->total && count <= raw->total - offset;
        if (is_there && count)
            memcpy(to, raw->bytes + offset, count);
        return is_there;
    }
    while (count > 0) {
        ssize_t got = pread(raw->fd, to, count, raw->start + (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        offset += (uint64_t)got;
        count -= (size_t)got;
    }
    return true;
}

ser_status ser_raw_seek(ser_raw *raw, uint64_t offset, const char *name, ser_error *error)
{
    if (offset > raw->total ||
        (!raw->bytes && lseek(raw->fd, raw->start + (off_t)offset, SEEK_SET) < 0))
        return ser_fail(error, SER_INPUT, "cannot read %s at byte %" PRIu64 ": %s", name, offset,
                        strerror(errno));
    raw->done = offset;
    return SER_OK;
}

ser_status ser_raw_rewind(ser_raw *raw, const char *name, ser_error *error)
{
    bool nothing_read = raw->done == 0;
    bool back = raw->fd < 0 || nothing_read || raw->copy >= 0;
    if (!back && raw->keep)
        return ser_fail(error, SER_INPUT, "cannot read %s a second time: %s", name, raw->complaint);
    if (!back && !raw->seekable)
        return ser_fail(error, SER_INPUT, "cannot read %s a second time: it is a pipe", name);
    if (raw->seekable && lseek(raw->fd, raw->start, SEEK_SET) < 0)
        return ser_fail(error, SER_INPUT, "cannot read %s a second time: %s", name,
                        strerror(errno));
    raw->done = 0;
    return SER_OK;
}
