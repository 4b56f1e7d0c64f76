/* SPDX-License-Identifier: MIT */
/*
 * Signals that are sent and awaited, and locks of files.
 *
 * A signal may be merged with others, and a lock be taken by many readers: which call has let a
 * thread go on is not known. So a thread that passes a gate takes all that was sent through it so
 * far.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/posix/real.h"
#include "runtime/posix/streams/streams.h"

static void put(uint64_t gate, uint64_t amount, unsigned use)
{
    int saved = errno;
    ser_thread *me = gate && ser_streams_are_recorded() ? ser_enter_sync() : 0;
    if (me) {
        ser_put_stream(me, gate, amount, use);
        ser_leave_sync(me);
    }
    errno = saved;
}

void ser_gate_open(uint64_t gate)
{
    put(gate, 1, SER_STREAM_SENT);
}

void ser_gate_pass(uint64_t gate)
{
    put(gate, 0, SER_STREAM_RECEIVED);
}

/* Gives up the token for a call that may block. */
static void go_outside(void)
{
    ser_thread *me = ser_streams_are_recorded() ? ser_enter_sync() : 0;
    if (me)
        ser_stream_leave_for_long(me);
}

void ser_outside_begin(bool blocks)
{
    ser_gate_open(ser_gate_outside());
    if (blocks)
        go_outside();
}

void ser_outside_meets_child(void)
{
    ser_gate_open(ser_gate_outside());
}

/* --- signals -------------------------------------------------------------------- */

#define SER_X(result, name, parameters, arguments)                                                 \
    SER_EXPORT result name parameters                                                              \
    {                                                                                              \
        ser_real_find();                                                                           \
        go_outside();                                                                              \
        result got = ser_real.name arguments;                                                      \
        ser_gate_pass(ser_gate_signals());                                                         \
        return got;                                                                                \
    }
SER_REAL_AWAITS(SER_X)
#undef SER_X

SER_EXPORT int raise(int number)
{
    ser_real_find();
    ser_gate_open(ser_gate_signals());
    return ser_real.raise(number);
}

SER_EXPORT int pthread_kill(pthread_t thread, int number)
{
    ser_real_find();
    ser_gate_open(ser_gate_signals());
    return ser_real.pthread_kill(thread, number);
}

/* --- locks of files ------------------------------------------------------------- */

static uint32_t locks_are_used;

static uint64_t lock_of(int descriptor)
{
    struct stat status;
    __atomic_store_n(&locks_are_used, 1, __ATOMIC_RELAXED);
    int saved = errno;
    bool known = fstat(descriptor, &status) == 0;
    errno = saved;
    return known ? (uint64_t)SER_STREAM_LOCK << 56 |
                       ((status.st_ino + (status.st_dev << 40)) & ((UINT64_C(1) << 56) - 1))
                 : 0;
}

void ser_gate_close(int descriptor)
{
    if (__atomic_load_n(&locks_are_used, __ATOMIC_RELAXED))
        ser_gate_open(lock_of(descriptor));
}

SER_EXPORT int flock(int descriptor, int operation)
{
    ser_real_find();
    uint64_t lock = lock_of(descriptor);
    ser_gate_open(lock); /* also another kind of lock lets others go on */
    go_outside();
    int result = ser_real.flock(descriptor, operation);
    if (result == 0 && !(operation & LOCK_UN))
        ser_gate_pass(lock);
    return result;
}

SER_EXPORT int lockf(int descriptor, int command, off_t size)
{
    ser_real_find();
    uint64_t lock = lock_of(descriptor);
    ser_gate_open(lock);
    go_outside();
    int result = ser_real.lockf(descriptor, command, size);
    if (result == 0 && command != F_ULOCK)
        ser_gate_pass(lock);
    return result;
}

typedef int control(int descriptor, int command, ...);

static int control_lock(control *real, int descriptor, int command, void *argument)
{
    uint64_t lock = lock_of(descriptor);
    ser_gate_open(lock);
    go_outside();
    int result = real(descriptor, command, argument);
    if (result == 0 && ((const struct flock *)argument)->l_type != F_UNLCK)
        ser_gate_pass(lock);
    return result;
}

static bool is_lock(int command)
{
    return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK ||
           command == F_OFD_SETLKW;
}

static int control_any(control *real, int descriptor, int command, void *argument)
{
    if (is_lock(command) && argument)
        return control_lock(real, descriptor, command, argument);
    int result = real(descriptor, command, argument);
    if ((command == F_DUPFD || command == F_DUPFD_CLOEXEC) && result >= 0)
        ser_stream_copy(descriptor, result);
    return result;
}

#define SER_CONTROL(name)                                                                          \
    SER_EXPORT int name(int descriptor, int command, ...)                                          \
    {                                                                                              \
        va_list more;                                                                              \
        va_start(more, command);                                                                   \
        void *argument = va_arg(more, void *);                                                     \
        va_end(more);                                                                              \
        ser_real_find();                                                                           \
        return control_any(ser_real.name, descriptor, command, argument);                          \
    }
SER_CONTROL(fcntl)
SER_CONTROL(fcntl64)
