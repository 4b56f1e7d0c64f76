/* SPDX-License-Identifier: MIT */
/*
 * Calls that may block: the thread gives up the token, calls, and gets the token
 * again when it enters the runtime the next time. All are made from the table in
 * real.h. A call that cannot block keeps the token, so that programs that read and
 * write files and pipes that are ready run the same way every time.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "runtime/posix/inputs/inputs.h"
#include "runtime/posix/sync/sync.h"

#define SER_LONG SIZE_MAX /* a length that is not known */

static bool blocks(int descriptor)
{
    long flags = ser_sys(SYS_fcntl, descriptor, F_GETFL, 0, 0, 0, 0);
    return flags < 0 || !(flags & O_NONBLOCK);
}

/* Could the call block on this descriptor? Not if it is ready, or a file, or never does. A long
 * write to a pipe or socket may, even if it is ready. */
static bool ser_may_block(int descriptor, short events, size_t length)
{
    struct pollfd entry = {.fd = descriptor, .events = events};
    struct timespec none = {0, 0};
    if (ser_sys(SYS_ppoll, (long)&entry, 1, (long)&none, 0, 0, 0) != 1)
        return blocks(descriptor);
    if (length <= 4096) /* what a pipe takes at once */
        return false;
    struct stat status;
    return fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode) && blocks(descriptor);
}

static bool ser_none_ready(struct pollfd *entries, nfds_t count)
{
    struct timespec none = {0, 0};
    return ser_sys(SYS_ppoll, (long)entries, (long)count, (long)&none, 0, 0, 0) == 0;
}

static void go_outside(ser_thread *me)
{
    if (!me)
        return;
    ser_token_release(me);
    ser_leave(me);
}

static bool runs_serially(void)
{
    return ser_the_world.channel && !ser_the_world.parallel && ser_self->inside != SER_INSIDE;
}

ssize_t ser_read_outside(int descriptor, void *bytes, size_t size)
{
    if (runs_serially() && ser_may_block(descriptor, POLLIN, 0))
        go_outside(ser_enter());
    ser_real_find();
    return ser_real.read(descriptor, bytes, size);
}

#define SER_X(result, name, parameters, arguments, test)                                           \
    SER_EXPORT result name parameters                                                              \
    {                                                                                              \
        if (runs_serially() && (test))                                                             \
            go_outside(ser_enter());                                                               \
        ser_real_find();                                                                           \
        return ser_real.name arguments;                                                            \
    }
SER_REAL_OUTSIDE(SER_X)
#undef SER_X
