/* SPDX-License-Identifier: MIT */
/*
 * stdio fails a write that a signal interrupts, and Ctrl-C or the end of the budget may come while
 * results are written. So standard output is a stream of our own, which retries and remembers
 * errors.
 */
#include "cli/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/output/log.h"

static int problem; /* errno of the first write that failed; 0: none did */

/* Also handles an output that another program made non-blocking. */
static bool may_retry(void)
{
    struct pollfd ready = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (errno == EAGAIN || errno == EWOULDBLOCK)
        return poll(&ready, 1, -1) >= 0 || errno == EINTR;
    return errno == EINTR;
}

/* All bytes, or fewer if it cannot be done. */
static ssize_t write_all(void *cookie, const char *bytes, size_t count)
{
    (void)cookie;
    size_t done = 0;
    while (done < count && !problem) {
        ssize_t written = write(STDOUT_FILENO, bytes + done, count - done);
        if (written >= 0)
            done += (size_t)written;
        else if (!may_retry())
            problem = errno;
    }
    return (ssize_t)done;
}

static void replace_standard_output(void)
{
    FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_all});
    if (!stream)
        return;
    setvbuf(stream, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
    stdout = stream;
}

/*
 * If the caller closed one of the three, the next file to be opened would take
 * its number, and messages would end up in the middle of a trace. Its replacement cannot be used
 * either: input that cannot be read, output that cannot be written.
 */
static void fill_gap(int stream, int flags)
{
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF)
        return;
    int fd = open("/dev/null", flags);
    if (fd >= 0 && fd != stream) {
        dup2(fd, stream);
        close(fd);
    }
}

void ser_streams_prepare(void)
{
    fill_gap(STDIN_FILENO, O_WRONLY);
    fill_gap(STDOUT_FILENO, O_RDONLY);
    fill_gap(STDERR_FILENO, O_RDONLY);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    replace_standard_output();
}

ser_status ser_streams_finish(ser_status status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    ser_complain("cannot write standard output: %s", strerror(problem ? problem : errno));
    return SER_INPUT;
}
