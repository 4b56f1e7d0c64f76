/* SPDX-License-Identifier: MIT */
#include "cli/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"

/*
 * If the caller closed one of the three, the next file to be opened would take
 * its number, and messages would end up in the middle of a trace. What stands in
 * for it cannot be used either: input that cannot be read, output that cannot be
 * written.
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
}

ser_status ser_streams_finish(ser_status status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    ser_complain("cannot write standard output: %s", errno ? strerror(errno) : "it failed before");
    return SER_INPUT;
}
