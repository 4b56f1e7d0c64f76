/* SPDX-License-Identifier: MIT */
/*
 * What a descriptor is an end of. The kernel is asked each time, as descriptors are closed and
 * copied in many ways; what is asked for sockets is kept by their number in the kernel, which no
 * other socket has while this one is open.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include "runtime/posix/real.h"
#include "runtime/posix/streams/streams.h"

enum { COUNTERS = 1024, SOCKETS = 4096, WAITING = 256 };

/* What eventfd gave, by descriptor: how many there were before, plus one; or what signalfd gave. */
static uint64_t counters[COUNTERS];
static const uint64_t AWAITS_SIGNALS = UINT64_MAX;

static struct known_socket {
    uint64_t number; /* 0: none */
    ser_stream_ends ends;
} sockets[SOCKETS];

static uint64_t identity(unsigned kind, uint64_t first, uint64_t second)
{
    uint64_t hash = (first + 1) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 29 ^ second) * UINT64_C(0xbf58476d1ce4e5b9);
    return (hash ^ hash >> 32) >> 8 | (uint64_t)kind << 56;
}

/* --- sockets ------------------------------------------------------------------ */

typedef union any_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un named;
    struct sockaddr_storage room;
} any_address;

/* Family and port: within one machine, no two sockets that are connected to each other need more.
 */
static uint64_t port_of(const any_address *address)
{
    uint64_t port =
        address->any.sa_family == AF_INET ? address->v4.sin_port : address->v6.sin6_port;
    return (uint64_t)address->any.sa_family << 16 | port;
}

static bool are_on_one_machine(const any_address *one, const any_address *other)
{
    if (one->any.sa_family != other->any.sa_family)
        return false;
    if (one->any.sa_family == AF_INET)
        return one->v4.sin_addr.s_addr == other->v4.sin_addr.s_addr;
    return one->any.sa_family == AF_INET6 &&
           memcmp(&one->v6.sin6_addr, &other->v6.sin6_addr, sizeof one->v6.sin6_addr) == 0;
}

static bool is_kind(int descriptor, int what, int wanted)
{
    int kind;
    socklen_t size = sizeof kind;
    return getsockopt(descriptor, SOL_SOCKET, what, &kind, &size) == 0 && kind == wanted;
}

/* The socket listens, or is connected to another one of this machine. False if that may still
 * change. */
static bool ask_for_names(int descriptor, ser_stream_ends *ends)
{
    any_address own = {0}, other = {0};
    socklen_t size = sizeof own, other_size = sizeof other;
    *ends = (ser_stream_ends){0, 0};
    if (!is_kind(descriptor, SO_TYPE, SOCK_STREAM)) {
        *ends = (ser_stream_ends){ser_gate_outside(), ser_gate_outside()};
        return true;
    }
    if (getsockname(descriptor, &own.any, &size) != 0)
        return false;
    if (is_kind(descriptor, SO_ACCEPTCONN, 1)) {
        ends->in = ser_stream_listener(&own.any, size);
        return true;
    }
    if (getpeername(descriptor, &other.any, &other_size) != 0)
        return false;
    if (are_on_one_machine(&own, &other)) {
        ends->in = identity(SER_STREAM_SOCKET, port_of(&other), port_of(&own));
        ends->out = identity(SER_STREAM_SOCKET, port_of(&own), port_of(&other));
    } else {
        *ends = (ser_stream_ends){ser_gate_outside(), ser_gate_outside()};
    }
    return true;
}

/* Of this machine, as far as can be seen: the loopback, or all of its addresses. */
static bool is_local(const any_address *address)
{
    switch (address->any.sa_family) {
    case AF_INET:
        return address->v4.sin_addr.s_addr == htonl(INADDR_ANY) ||
               ntohl(address->v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    case AF_INET6:
        return IN6_IS_ADDR_UNSPECIFIED(&address->v6.sin6_addr) ||
               IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr);
    default:
        return false;
    }
}

/* Of a file system, or of the machine: no socket connects to one without a name. */
static uint64_t named_listener(const struct sockaddr_un *address)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof address->sun_path; i++)
        hash = hash * 31 + (unsigned char)address->sun_path[i];
    return hash ? identity(SER_STREAM_LISTENER, hash, AF_UNIX) : 0;
}

uint64_t ser_stream_listener(const struct sockaddr *address, socklen_t size)
{
    any_address listener = {0};
    if (!address || size > sizeof listener)
        return 0;
    memcpy(&listener, address, size);
    if (listener.any.sa_family == AF_UNIX)
        return named_listener(&listener.named);
    return is_local(&listener) ? identity(SER_STREAM_LISTENER, port_of(&listener) & 0xffff, 0) : 0;
}

static struct known_socket *place_of(uint64_t number)
{
    return &sockets[number % SOCKETS];
}

static ser_stream_ends find_socket(int descriptor, uint64_t number)
{
    struct known_socket *known = place_of(number);
    if (known->number == number)
        return known->ends;
    ser_stream_ends ends;
    if (ask_for_names(descriptor, &ends))
        *known = (struct known_socket){number, ends};
    return ends;
}

static uint64_t socket_number(int descriptor)
{
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode) ? status.st_ino : 0;
}

/* Connections to named sockets that were not accepted yet: they are accepted in this order. */
static struct waiting_socket {
    uint64_t listener, number;
} waiting[WAITING];
static uint32_t waiting_count;

static void drop_waiting(uint32_t place)
{
    waiting_count--;
    memmove(&waiting[place], &waiting[place + 1], (waiting_count - place) * sizeof *waiting);
}

void ser_stream_connects(int descriptor, uint64_t listener)
{
    uint64_t number = socket_number(descriptor);
    if (!number || !is_kind(descriptor, SO_DOMAIN, AF_UNIX) || waiting_count == WAITING)
        return;
    waiting[waiting_count++] = (struct waiting_socket){listener, number};
    *place_of(number) =
        (struct known_socket){number,
                              {.in = identity(SER_STREAM_SOCKET, listener, number),
                               .out = identity(SER_STREAM_SOCKET, number, listener)}};
}

void ser_stream_connects_not(int descriptor, uint64_t listener)
{
    uint64_t number = socket_number(descriptor);
    for (uint32_t i = waiting_count; number && i > 0; i--)
        if (waiting[i - 1].listener == listener && waiting[i - 1].number == number) {
            drop_waiting(i - 1);
            place_of(number)->number = 0;
            return;
        }
}

static bool is_of_this_process(int descriptor)
{
    struct ucred other;
    socklen_t size = sizeof other;
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &other, &size) == 0 &&
           other.pid == (pid_t)ser_the_world.process;
}

void ser_stream_accepted(int descriptor, uint64_t listener)
{
    uint64_t number = socket_number(descriptor);
    if (!number || !is_kind(descriptor, SO_DOMAIN, AF_UNIX) || !is_of_this_process(descriptor))
        return;
    for (uint32_t i = 0; i < waiting_count; i++)
        if (waiting[i].listener == listener) {
            uint64_t other = waiting[i].number;
            drop_waiting(i);
            *place_of(number) =
                (struct known_socket){number,
                                      {.in = identity(SER_STREAM_SOCKET, other, listener),
                                       .out = identity(SER_STREAM_SOCKET, listener, other)}};
            return;
        }
}

/* --- descriptors -------------------------------------------------------------- */

static ser_stream_ends find_pipe(int descriptor, const struct stat *status)
{
    long flags = ser_sys(SYS_fcntl, descriptor, F_GETFL, 0, 0, 0, 0);
    uint64_t pipe = identity(SER_STREAM_PIPE, status->st_dev, status->st_ino);
    return (ser_stream_ends){.in = (flags & O_ACCMODE) != O_WRONLY ? pipe : 0,
                             .out = (flags & O_ACCMODE) != O_RDONLY ? pipe : 0};
}

/* Its other end may be in the program, too. */
static bool is_terminal(const struct stat *status)
{
    enum { SLAVES = 136, MASTERS = 5 };
    return S_ISCHR(status->st_mode) &&
           (major(status->st_rdev) == SLAVES || major(status->st_rdev) == MASTERS);
}

static ser_stream_ends find(int descriptor)
{
    ser_stream_ends none = {0, 0};
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return none;
    if (S_ISFIFO(status.st_mode))
        return find_pipe(descriptor, &status);
    if (S_ISSOCK(status.st_mode))
        return find_socket(descriptor, status.st_ino);
    bool is_counter = (status.st_mode & S_IFMT) == 0 && descriptor < COUNTERS;
    if (is_terminal(&status) || (is_counter && !counters[descriptor]))
        return (ser_stream_ends){ser_gate_outside(), ser_gate_outside()};
    if (!is_counter)
        return none;
    if (counters[descriptor] == AWAITS_SIGNALS)
        return (ser_stream_ends){.in = ser_gate_signals()};
    uint64_t counter = identity(SER_STREAM_COUNTER, counters[descriptor], 0);
    return (ser_stream_ends){counter, counter};
}

ser_stream_ends ser_stream_find(int descriptor)
{
    int saved = errno;
    ser_stream_ends ends = find(descriptor);
    errno = saved;
    return ends;
}

/* --- where they come from and where they end ---------------------------------- */

static void know_counter(int descriptor, bool awaits_signals)
{
    static uint64_t count;
    ser_thread *me = ser_streams_are_recorded() ? ser_enter_sync() : 0;
    if (!me)
        return;
    if (descriptor < COUNTERS)
        counters[descriptor] = awaits_signals ? AWAITS_SIGNALS : ++count;
    ser_leave_sync(me);
}

void ser_stream_copy(int descriptor, int copy)
{
    ser_thread *me = ser_streams_are_recorded() ? ser_enter_sync() : 0;
    if (!me)
        return;
    if (copy >= 0 && copy < COUNTERS)
        counters[copy] = descriptor >= 0 && descriptor < COUNTERS ? counters[descriptor] : 0;
    ser_file_lock_copied(descriptor, copy);
    ser_leave_sync(me);
}

SER_EXPORT int dup(int descriptor)
{
    ser_real_find();
    int copy = ser_real.dup(descriptor);
    ser_stream_copy(descriptor, copy);
    return copy;
}

SER_EXPORT int dup2(int descriptor, int wanted)
{
    ser_real_find();
    int copy = ser_real.dup2(descriptor, wanted);
    ser_stream_copy(descriptor, copy);
    return copy;
}

SER_EXPORT int dup3(int descriptor, int wanted, int flags)
{
    ser_real_find();
    int copy = ser_real.dup3(descriptor, wanted, flags);
    ser_stream_copy(descriptor, copy);
    return copy;
}

SER_EXPORT int signalfd(int descriptor, const sigset_t *signals, int flags)
{
    ser_real_find();
    int result = ser_real.signalfd(descriptor, signals, flags);
    if (result >= 0)
        know_counter(result, true);
    return result;
}

/* These two call read and write inside of the C library. */
SER_EXPORT int eventfd_read(int descriptor, uint64_t *value)
{
    return read(descriptor, value, sizeof *value) == sizeof *value ? 0 : -1;
}

SER_EXPORT int eventfd_write(int descriptor, uint64_t value)
{
    return write(descriptor, &value, sizeof value) == sizeof value ? 0 : -1;
}

SER_EXPORT int eventfd(unsigned initial, int flags)
{
    ser_real_find();
    int descriptor = ser_real.eventfd(initial, flags);
    if (descriptor >= 0)
        know_counter(descriptor, false);
    return descriptor;
}

/* The two have no names. */
static void know_pair(const int *pair)
{
    ser_thread *me = ser_streams_are_recorded() ? ser_enter_sync() : 0;
    if (!me)
        return;
    uint64_t one = socket_number(pair[0]), other = socket_number(pair[1]);
    if (one && other) {
        uint64_t there = identity(SER_STREAM_SOCKET, one, other);
        uint64_t back = identity(SER_STREAM_SOCKET, other, one);
        *place_of(one) = (struct known_socket){one, {back, there}};
        *place_of(other) = (struct known_socket){other, {there, back}};
    }
    ser_leave_sync(me);
}

SER_EXPORT int socketpair(int domain, int type, int protocol, int pair[2])
{
    ser_real_find();
    int result = ser_real.socketpair(domain, type, protocol, pair);
    if (result == 0)
        know_pair(pair);
    return result;
}

/* The receiver sees the end of the stream: that is recorded like something that was sent. */
static void record_end(int descriptor, bool forget)
{
    ser_thread *me = ser_streams_are_recorded() ? ser_enter_sync() : 0;
    if (!me)
        return;
    uint64_t out = ser_stream_find(descriptor).out;
    if (out && ser_stream_kind_of(out) != SER_STREAM_COUNTER)
        ser_put_stream(me, out, 0, SER_STREAM_SENT);
    if (forget)
        ser_stream_forget(descriptor);
    if (forget && descriptor >= 0 && descriptor < COUNTERS)
        counters[descriptor] = 0;
    ser_leave_sync(me);
}

SER_EXPORT int close(int descriptor)
{
    ser_real_find();
    record_end(descriptor, true);
    ser_file_lock_close(descriptor);
    return ser_real.close(descriptor);
}

SER_EXPORT int shutdown(int descriptor, int how)
{
    ser_real_find();
    if (how != SHUT_RD)
        record_end(descriptor, false);
    return ser_real.shutdown(descriptor, how);
}
