/* SPDX-License-Identifier: MIT */
#include "session/surroundings/kept_input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output/log.h"

enum { AT_ONCE = 1 << 14 };

void ser_kept_input_init(ser_kept_input *input)
{
    *input = (ser_kept_input){0};
}

bool ser_input_comes_from_pipe(void)
{
    struct stat about;
    return fstat(STDIN_FILENO, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode));
}

static ser_status open_file(ser_kept_input *input, const char *path, int flags, ser_error *error)
{
    struct stat about;
    int file = open(path, flags | O_CLOEXEC, 0600);
    if (file < 0 || fstat(file, &about) != 0)
        return ser_fail(error, SER_INPUT, "%s: %s", path, strerror(errno));
    input->file = file;
    input->path = ser_copy_text(path, strlen(path));
    input->length = about.st_size;
    return SER_OK;
}

ser_status ser_kept_input_create(ser_kept_input *input, const char *path, ser_error *error)
{
    input->live = true;
    return open_file(input, path, O_RDWR | O_CREAT | O_TRUNC, error);
}

ser_status ser_kept_input_open(ser_kept_input *input, const char *path, ser_error *error)
{
    return open_file(input, path, O_RDONLY, error);
}

/* --- the thread that feeds a run -------------------------------------------------- */

/* Until the descriptor is ready; false: the run has ended, or nobody reads any more. */
static bool await(const ser_kept_input *input, int descriptor, short events)
{
    struct pollfd waited[] = {{.fd = input->stop[0], .events = POLLIN},
                              {.fd = input->sink, .events = 0},
                              {.fd = descriptor, .events = events}};
    while (poll(waited, 3, -1) < 0)
        if (errno != EINTR)
            return false;
    return !waited[0].revents && !(waited[1].revents & (POLLERR | POLLHUP));
}

/* What comes next at the position, at most AT_ONCE bytes; 0: nothing more. */
static ssize_t fetch(ser_kept_input *input, off_t position, char *bytes)
{
    if (position < input->length)
        return pread(input->file, bytes, AT_ONCE, position);
    if (!input->live || !await(input, STDIN_FILENO, POLLIN))
        return 0;
    ssize_t got = read(STDIN_FILENO, bytes, AT_ONCE);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN ? fetch(input, position, bytes) : 0;
    if (got == 0)
        input->live = false;
    else if (pwrite(input->file, bytes, (size_t)got, position) == got)
        input->length += got;
    else
        ser_warning("standard input cannot be kept in %s: %s; later runs will not get it",
                    input->path, strerror(errno));
    return got;
}

static bool feed_bytes(const ser_kept_input *input, const char *bytes, size_t size)
{
    while (size > 0) {
        if (!await(input, input->sink, POLLOUT))
            return false;
        ssize_t put = write(input->sink, bytes, size);
        if (put < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        bytes += put > 0 ? put : 0;
        size -= put > 0 ? (size_t)put : 0;
    }
    return true;
}

static void *feed(void *argument)
{
    ser_kept_input *input = argument;
    char bytes[AT_ONCE];
    off_t position = 0;
    ssize_t got;
    while ((got = fetch(input, position, bytes)) > 0 && feed_bytes(input, bytes, (size_t)got))
        position += got;
    close(input->sink);
    return NULL;
}

/* Signals are for the thread that waits for the program. */
static int start_feeder(ser_kept_input *input)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int problem = pthread_create(&input->feeder, NULL, feed, input);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return problem;
}

ser_status ser_kept_input_begin(ser_kept_input *input, int *descriptor, ser_error *error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return ser_fail(error, SER_INPUT, "standard input: %s", strerror(errno));
    if (pipe2(input->stop, O_CLOEXEC) != 0) {
        close(ends[0]);
        close(ends[1]);
        return ser_fail(error, SER_INPUT, "standard input: %s", strerror(errno));
    }
    input->sink = ends[1];
    fcntl(input->sink, F_SETFL, O_NONBLOCK);
    int problem = start_feeder(input);
    if (problem) {
        close(ends[0]);
        close(ends[1]);
        close(input->stop[0]);
        close(input->stop[1]);
        return ser_fail(error, SER_INPUT, "standard input: %s", strerror(problem));
    }
    input->feeding = true;
    *descriptor = ends[0];
    return SER_OK;
}

void ser_kept_input_end(ser_kept_input *input)
{
    if (!input->feeding)
        return;
    close(input->stop[1]);
    pthread_join(input->feeder, NULL);
    close(input->stop[0]);
    input->feeding = false;
}

void ser_kept_input_fini(ser_kept_input *input)
{
    ser_kept_input_end(input);
    if (!input->path)
        return;
    close(input->file);
    if (input->length == 0)
        unlink(input->path);
    free(input->path);
    ser_kept_input_init(input);
}
