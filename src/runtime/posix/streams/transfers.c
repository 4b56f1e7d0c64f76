/* SPDX-License-Identifier: MIT */
/*
 * Calls that receive and send, made from the tables in real.h.
 *
 * A call that cannot block keeps the token, so that programs that read and write files and ready
 * pipes run the same way every time. A call that may block, but on no stream, gives up the token,
 * and gets it again when the thread enters the runtime the next time.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/core/records/elided.h"
#include "runtime/posix/real.h"
#include "runtime/posix/streams/lingering.h"
#include "runtime/posix/streams/streams.h"

static ser_runtime_world *const world = &ser_the_world;

ser_thread *ser_stream_enter_again(void)
{
    if (world->parallel)
        return ser_enter_sync();
    ser_thread *me = ser_enter_in_turn();
    if (me)
        ser_record_elided(me);
    return me;
}

void ser_stream_leave_for_long(ser_thread *me)
{
    if (!world->parallel)
        ser_token_release(me);
    ser_leave_sync(me);
}

/* --- may a call block? ---------------------------------------------------------- */

static bool blocks(int descriptor)
{
    long flags = ser_sys(SYS_fcntl, descriptor, F_GETFL, 0, 0, 0, 0);
    return flags < 0 || !(flags & O_NONBLOCK);
}

static bool is_ready(int descriptor, short events)
{
    struct pollfd entry = {.fd = descriptor, .events = events};
    struct timespec none = {0, 0};
    return ser_sys(SYS_ppoll, (long)&entry, 1, (long)&none, 0, 0, 0) == 1;
}

static bool may_block(int descriptor, short events, int flags)
{
    return !(flags & MSG_DONTWAIT) && !is_ready(descriptor, events) && blocks(descriptor);
}

/* A long write to a pipe or socket may block even if it is ready. */
static bool sending_may_block(int descriptor, int flags, size_t length)
{
    enum { TAKEN_AT_ONCE = 4096 }; /* by a pipe */
    struct stat status;
    if (length <= TAKEN_AT_ONCE)
        return may_block(descriptor, POLLOUT, flags);
    return !(flags & MSG_DONTWAIT) && blocks(descriptor) && fstat(descriptor, &status) == 0 &&
           !S_ISREG(status.st_mode);
}

/* --- receiving ------------------------------------------------------------------ */

typedef struct transfer {
    uint64_t stream; /* 0: nothing is to be recorded */
    int flags;
    bool failed; /* while it waited; errno says why */
} transfer;

/* Sockets may have a time-out of their own (SO_RCVTIMEO). */
static bool await_bytes(int descriptor, uint64_t stream)
{
    char byte;
    if (ser_stream_kind_of(stream) == SER_STREAM_SOCKET)
        return ser_real.recv(descriptor, &byte, 1, MSG_PEEK) >= 0 ||
               (errno != EINTR && errno != EAGAIN);
    struct pollfd entry = {.fd = descriptor, .events = POLLIN};
    do
        ser_self->interrupted = false;
    while (ser_real.ppoll(&entry, 1, 0, 0) < 0 && errno == EINTR && !ser_self->interrupted);
    return !ser_self->interrupted;
}

static transfer begin_receiving(int descriptor, int flags)
{
    transfer made = {.flags = flags};
    ser_real_find();
    ser_thread *me = ser_streams_are_recorded() ? ser_enter_sync() : 0;
    if (!me)
        return made;
    made.stream = ser_stream_find(descriptor).in;
    while (may_block(descriptor, POLLIN, flags)) {
        me->awaits_bytes = made.stream != 0;
        ser_stream_leave_for_long(me);
        if (!made.stream)
            return made;
        made.failed = !await_bytes(descriptor, made.stream);
        ser_self->awaits_bytes = false;
        me = made.failed ? 0 : ser_enter_sync();
        if (!me)
            return made;
    }
    ser_leave_sync(me);
    return made;
}

static bool may_be_request(const transfer *made, int64_t amount)
{
    unsigned kind = ser_stream_kind_of(made->stream);
    return amount > 0 && !(made->flags & MSG_PEEK) &&
           (kind == SER_STREAM_SOCKET || kind == SER_STREAM_OUTSIDE);
}

/* `amount` is what was received, or -1. */
static void end_receiving(const transfer *made, int64_t amount)
{
    int saved = errno;
    bool found_nothing = amount < 0 && (saved == EAGAIN || saved == EWOULDBLOCK);
    ser_thread *me = made->stream && (amount >= 0 || found_nothing) ? ser_stream_enter_again() : 0;
    if (me) {
        unsigned use = found_nothing            ? SER_STREAM_EMPTY
                       : made->flags & MSG_PEEK ? SER_STREAM_READY
                                                : SER_STREAM_RECEIVED;
        ser_put_stream(me, made->stream, amount < 0 ? 0 : (uint64_t)amount, use);
        ser_leave_sync(me);
        if (may_be_request(made, amount))
            ser_linger_received();
    }
    errno = saved;
}

/* What counts of a result: connections one by one; of a signalfd, all signals that were sent. */
static int64_t amount_of(const transfer *made, int64_t result)
{
    switch (result >= 0 ? ser_stream_kind_of(made->stream) : 0) {
    case SER_STREAM_LISTENER:
        return 1;
    case SER_STREAM_SIGNALS:
        return 0;
    default:
        return result;
    }
}

static void know_accepted(int descriptor, uint64_t listener)
{
    ser_thread *me = ser_stream_enter_again();
    if (me) {
        ser_stream_accepted(descriptor, listener);
        ser_leave_sync(me);
    }
}

#define SER_X(result, name, parameters, arguments, flags)                                          \
    SER_EXPORT result name parameters                                                              \
    {                                                                                              \
        transfer made = begin_receiving(a, flags);                                                 \
        if (made.failed)                                                                           \
            return -1;                                                                             \
        result got = ser_real.name arguments;                                                      \
        end_receiving(&made, amount_of(&made, got));                                               \
        if (got >= 0 && ser_stream_kind_of(made.stream) == SER_STREAM_LISTENER)                    \
            know_accepted((int)got, made.stream);                                                  \
        return got;                                                                                \
    }
SER_REAL_RECEIVES(SER_X)
#undef SER_X

/* How many units of a counter the bytes are. */
static uint64_t units_of(const void *bytes, size_t length)
{
    uint64_t units = 0;
    if (bytes && length == sizeof units)
        __builtin_memcpy(&units, bytes, sizeof units);
    return units;
}

ssize_t ser_stream_read(int descriptor, void *bytes, size_t size)
{
    transfer made = begin_receiving(descriptor, 0);
    if (made.failed)
        return -1;
    ssize_t got = ser_real.read(descriptor, bytes, size);
    bool counts = got > 0 && ser_stream_kind_of(made.stream) == SER_STREAM_COUNTER;
    end_receiving(&made, counts ? (int64_t)units_of(bytes, (size_t)got) : amount_of(&made, got));
    return got;
}

/* --- sending -------------------------------------------------------------------- */

/* `bytes` may be null where they are not for a counter. */
static uint64_t begin_sending(int descriptor, int flags, const void *bytes, size_t length)
{
    ser_real_find();
    ser_thread *me = ser_streams_are_recorded() ? ser_enter_sync() : 0;
    if (!me)
        return 0;
    uint64_t stream = ser_stream_find(descriptor).out;
    bool counts = ser_stream_kind_of(stream) == SER_STREAM_COUNTER;
    bool takes_long = sending_may_block(descriptor, flags, length);
    if (stream)
        ser_put_stream(me, stream, counts ? units_of(bytes, length) : length,
                       takes_long ? SER_STREAM_SENT_LATE : SER_STREAM_SENT);
    if (takes_long)
        ser_stream_leave_for_long(me);
    else
        ser_leave_sync(me);
    return counts ? 0 : stream;
}

static void end_sending(uint64_t stream, size_t length, ssize_t sent)
{
    size_t done = sent < 0 ? 0 : (size_t)sent;
    if (!stream || done >= length)
        return;
    int saved = errno;
    ser_thread *me = ser_stream_enter_again();
    if (me) {
        ser_put_stream(me, stream, length - done, SER_STREAM_UNSENT);
        ser_leave_sync(me);
    }
    errno = saved;
}

static size_t ser_length_of(const struct iovec *parts, size_t count)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += parts[i].iov_len;
    return length;
}

#define SER_X(result, name, parameters, arguments, flags, length)                                  \
    SER_EXPORT result name parameters                                                              \
    {                                                                                              \
        size_t wanted = length;                                                                    \
        uint64_t stream = begin_sending(a, flags, 0, wanted);                                      \
        result sent = ser_real.name arguments;                                                     \
        end_sending(stream, wanted, sent);                                                         \
        return sent;                                                                               \
    }
SER_REAL_SENDS(SER_X)
#undef SER_X

SER_EXPORT ssize_t write(int descriptor, const void *bytes, size_t size)
{
    uint64_t stream = begin_sending(descriptor, 0, bytes, size);
    ssize_t sent = ser_real.write(descriptor, bytes, size);
    end_sending(stream, size, sent);
    return sent;
}

/* A connection waits to be accepted: it was sent. Within the machine that takes no time, so that
 * connections are accepted in the order of their records. */
SER_EXPORT int connect(int descriptor, const struct sockaddr *address, socklen_t size)
{
    ser_real_find();
    ser_thread *me = ser_streams_are_recorded() ? ser_enter_sync() : 0;
    uint64_t listener = me ? ser_stream_listener(address, size) : 0;
    if (listener) {
        ser_stream_connects(descriptor, listener);
        ser_put_stream(me, listener, 1, SER_STREAM_SENT);
        ser_leave_sync(me);
    } else if (me) {
        ser_stream_leave_for_long(me);
    }
    int result = ser_real.connect(descriptor, address, size);
    int saved = errno;
    me = result < 0 && saved != EINPROGRESS && listener ? ser_stream_enter_again() : 0;
    if (me) {
        ser_stream_connects_not(descriptor, listener);
        ser_leave_sync(me);
    }
    errno = saved;
    return result;
}
