/* SPDX-License-Identifier: MIT */
/*
 * Objects of the system that can be made a lock or a message: timers, names of files, processes.
 *
 * What of them has let a thread go on is not known, and other processes may use them, too. So a
 * call counts as something that is sent to other processes, and what it returns as something that
 * comes from there: it comes after all that any thread has sent before (record/events/outside.h).
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "runtime/posix/real.h"
#include "runtime/posix/streams/streams.h"

#define SER_X(result, name, parameters, arguments, blocks)                                         \
    SER_EXPORT result name parameters                                                              \
    {                                                                                              \
        ser_real_find();                                                                           \
        ser_outside_begin(blocks);                                                                 \
        result got = ser_real.name arguments;                                                      \
        ser_gate_pass(ser_gate_outside());                                                         \
        return got;                                                                                \
    }
SER_REAL_SYSTEM(SER_X)
SER_REAL_CHILDREN(SER_X)
#undef SER_X

/* These only look, and let nobody go on. */
#define SER_X(result, name, parameters, arguments)                                                 \
    SER_EXPORT result name parameters                                                              \
    {                                                                                              \
        ser_real_find();                                                                           \
        result got = ser_real.name arguments;                                                      \
        ser_gate_pass(ser_gate_outside());                                                         \
        return got;                                                                                \
    }
SER_REAL_FILE_LOOKS(SER_X)
#undef SER_X

SER_EXPORT int semctl(int set, int number, int command, ...)
{
    va_list more;
    va_start(more, command);
    void *argument = va_arg(more, void *);
    va_end(more);
    ser_real_find();
    ser_outside_begin(false);
    int got = ser_real.semctl(set, number, command, argument);
    ser_gate_pass(ser_gate_outside());
    return got;
}

/* A file that must not exist is a lock; any other one may be what a thread waits for. */
static void begin_opening(int flags)
{
    ser_real_find();
    if (flags & O_CREAT)
        ser_outside_begin(false);
}

/* One that may exist was opened, whatever others did. */
static void end_opening(int flags, bool succeeded)
{
    if (flags & O_CREAT && (flags & O_EXCL || !succeeded))
        ser_gate_pass(ser_gate_outside());
}

#define SER_OPEN(name)                                                                             \
    SER_EXPORT int name(const char *path, int flags, ...)                                          \
    {                                                                                              \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode_t mode = va_arg(more, mode_t);                                                        \
        va_end(more);                                                                              \
        begin_opening(flags);                                                                      \
        int got = ser_real.name(path, flags, mode);                                                \
        end_opening(flags, got >= 0);                                                              \
        return got;                                                                                \
    }
SER_OPEN(open)
SER_OPEN(open64)

#define SER_OPEN_AT(name)                                                                          \
    SER_EXPORT int name(int folder, const char *path, int flags, ...)                              \
    {                                                                                              \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode_t mode = va_arg(more, mode_t);                                                        \
        va_end(more);                                                                              \
        begin_opening(flags);                                                                      \
        int got = ser_real.name(folder, path, flags, mode);                                        \
        end_opening(flags, got >= 0);                                                              \
        return got;                                                                                \
    }
SER_OPEN_AT(openat)
SER_OPEN_AT(openat64)
