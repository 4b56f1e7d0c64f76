/* SPDX-License-Identifier: MIT */
/*
 * Buffered writing with sticky errors, and the rename that makes a finished
 * file visible. Whatever goes wrong in between, the final name holds either
 * what it held before or the complete new file. Temporary files are removed also
 * when the process exits from somewhere else, for lack of memory say.
 */
#include "trace/io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vector.h"

enum { FILE_BUFFER = 256 << 10, MEMORY_BUFFER = 4 << 10 };

struct ser_output {
    int fd;
    bool owns_fd;
    char *name;      /* for messages */
    char *final;     /* NULL where there is nothing to rename */
    char *temporary; /* NULL once it is renamed or removed */
    atomic_int
        problem; /* errno of the first failure, 0 for none; read by threads other than the writer */
    bool in_memory; /* no file: everything goes to `memory` */
    SER_VECTOR(uint8_t) memory;
    size_t used, capacity;
    uint8_t *buffer;
    ser_output *next; /* of those with a temporary file */
};

static ser_output *unfinished; /* with a temporary file */

static void remove_unfinished(void)
{
    for (const ser_output *output = unfinished; output; output = output->next)
        unlink(output->temporary);
}

static void add_to_unfinished(ser_output *output)
{
    static bool registered;
    if (!registered)
        registered = atexit(remove_unfinished) == 0;
    output->next = unfinished;
    unfinished = output;
}

/* Its temporary file was removed or renamed. */
static void forget_temporary(ser_output *output)
{
    ser_output **link = &unfinished;
    while (*link != output)
        link = &(*link)->next;
    *link = output->next;
    free(output->temporary);
    output->temporary = NULL;
}

/* A symbolic link stays one: the file it points to is replaced. */
static char *resolve(const char *path)
{
    char *target = realpath(path, NULL);
    return target ? target : ser_copy_text(path, strlen(path));
}

static ser_output *create(size_t capacity)
{
    ser_output *output = ser_alloc(1, sizeof *output);
    output->capacity = capacity;
    output->buffer = ser_resize(NULL, capacity, 1);
    return output;
}

static void open_directly(ser_output *output, const char *path)
{
    output->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    output->owns_fd = true;
}

/* The new file keeps the permissions of the one it replaces. */
static mode_t permissions_of(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0)
        return about.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static void open_temporary(ser_output *output, const char *path)
{
    output->final = resolve(path);
    size_t length = strlen(output->final) + sizeof ".tmpXXXXXX";
    output->temporary = ser_alloc(length, 1);
    snprintf(output->temporary, length, "%s.tmpXXXXXX", output->final);
    output->fd = mkostemp(output->temporary, O_CLOEXEC);
    output->owns_fd = true;
    if (output->fd < 0) {
        free(output->temporary);
        output->temporary = NULL;
        return;
    }
    add_to_unfinished(output);
    fchmod(output->fd, permissions_of(output->final));
}

ser_status ser_output_open(ser_output **result, const char *path, ser_error *error)
{
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard output" : path;
    struct stat about;
    ser_output *output = create(FILE_BUFFER);
    output->fd = STDOUT_FILENO;
    output->name = ser_copy_text(name, strlen(name));
    if (!standard && stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        open_directly(output, path);
    else if (!standard)
        open_temporary(output, path);
    *result = output;
    if (output->fd >= 0)
        return SER_OK;

    int reason = errno;
    ser_output_close(output);
    *result = NULL;
    return ser_fail(error, SER_INPUT, "cannot write %s: %s", name, strerror(reason));
}

ser_output *ser_output_open_memory(void)
{
    ser_output *output = create(MEMORY_BUFFER);
    output->fd = -1;
    output->in_memory = true;
    return output;
}

/* Also handles an output that another program made non-blocking. */
static bool may_retry(int fd)
{
    if (errno == EINTR)
        return true;
    if (errno != EAGAIN && errno != EWOULDBLOCK)
        return false;
    struct pollfd ready = {.fd = fd, .events = POLLOUT};
    return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

static void keep_in_memory(ser_output *output, const uint8_t *bytes, size_t count)
{
    ser_vector_reserve(&output->memory, output->memory.count + count);
    if (count > 0)
        memcpy(output->memory.items + output->memory.count, bytes, count);
    output->memory.count += count;
}

static void write_out(ser_output *output, const uint8_t *bytes, size_t count)
{
    if (output->in_memory) {
        keep_in_memory(output, bytes, count);
        return;
    }
    while (count > 0 && !output->problem) {
        ssize_t written = write(output->fd, bytes, count);
        if (written < 0 && may_retry(output->fd))
            continue;
        if (written <= 0) {
            output->problem = written < 0 ? errno : ENOSPC;
            return;
        }
        bytes += written;
        count -= (size_t)written;
    }
}

static void flush(ser_output *output)
{
    write_out(output, output->buffer, output->used);
    output->used = 0;
}

void ser_output_write(ser_output *output, const void *bytes, size_t count)
{
    if (count > output->capacity - output->used)
        flush(output);
    if (count >= output->capacity) {
        write_out(output, bytes, count);
    } else if (count > 0) {
        memcpy(output->buffer + output->used, bytes, count);
        output->used += count;
    }
}

const void *ser_output_bytes(ser_output *output, size_t *length)
{
    flush(output);
    *length = output->memory.count;
    return output->memory.items;
}

ser_status ser_output_status(const ser_output *output, ser_error *error)
{
    if (!output->problem)
        return SER_OK;
    return ser_fail(error, SER_INPUT, "cannot write %s: %s", output->name,
                    strerror(output->problem));
}

/* Some file systems report a full disk only here. */
static void close_file(ser_output *output)
{
    if (output->owns_fd && output->fd >= 0 && close(output->fd) != 0 && !output->problem)
        output->problem = errno;
    output->fd = -1;
}

static void drop_temporary(ser_output *output)
{
    if (!output->temporary)
        return;
    unlink(output->temporary);
    forget_temporary(output);
}

ser_status ser_output_finish(ser_output *output, ser_error *error)
{
    flush(output);
    close_file(output);
    if (output->temporary && !output->problem) {
        if (rename(output->temporary, output->final) == 0)
            forget_temporary(output);
        else
            output->problem = errno;
    }
    drop_temporary(output);
    return ser_output_status(output, error);
}

void ser_output_close(ser_output *output)
{
    if (!output)
        return;
    close_file(output);
    drop_temporary(output);
    ser_vector_free(&output->memory);
    free(output->buffer);
    free(output->final);
    free(output->name);
    free(output);
}
