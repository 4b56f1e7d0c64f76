/* SPDX-License-Identifier: MIT */
#include "record/capture/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/io/output.h"

bool ser_scratch_open(char *path)
{
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static ser_status copy_bytes(int from, ser_output *to, ser_error *error)
{
    char bytes[1 << 16];
    ssize_t got;
    while ((got = read(from, bytes, sizeof bytes)) != 0) {
        if (got < 0 && errno != EINTR)
            return ser_fail(error, SER_INPUT, "cannot read back the trace: %s", strerror(errno));
        if (got > 0)
            ser_output_write(to, bytes, (size_t)got);
    }
    return ser_output_finish(to, error);
}

ser_status ser_scratch_copy(const char *scratch, const char *path, ser_error *error)
{
    ser_output *to = NULL;
    int from = open(scratch, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return ser_fail(error, SER_INPUT, "cannot read back the trace: %s", strerror(errno));
    ser_status status = ser_output_open(&to, path, error);
    if (status == SER_OK)
        status = copy_bytes(from, to, error);
    ser_output_close(to);
    close(from);
    return status;
}
