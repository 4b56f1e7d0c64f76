/* SPDX-License-Identifier: MIT */
#include "runtime/posix/streams/epolls.h"

#include <poll.h>
#include <sys/epoll.h>

#include "runtime/posix/real.h"

/* Further ones are not kept: polling them orders nothing. */
enum { MOST = 4096, AT_ONCE = 64 };

static struct entry {
    int epoll, descriptor;
    uint64_t stream;
} entries[MOST];
static unsigned count;

void ser_stream_tell_look(ser_thread *me, uint64_t stream, bool is_ready)
{
    ser_put_stream(me, stream, 0, is_ready ? SER_STREAM_READY : SER_STREAM_EMPTY);
}

/* Of one epoll, or of all (-1). */
static void forget(int epoll, int descriptor)
{
    for (unsigned i = count; i-- > 0;)
        if (entries[i].descriptor == descriptor && (epoll < 0 || entries[i].epoll == epoll))
            entries[i] = entries[--count];
}

void ser_stream_forget(int descriptor)
{
    forget(-1, descriptor);
    for (unsigned i = count; i-- > 0;)
        if (entries[i].epoll == descriptor)
            entries[i] = entries[--count];
}

static void note(ser_thread *me, int epoll, int operation, int descriptor,
                 const struct epoll_event *event)
{
    uint64_t stream = ser_stream_find(descriptor).in;
    forget(epoll, descriptor);
    if (operation == EPOLL_CTL_DEL || !event || !(event->events & EPOLLIN) || !stream ||
        count == MOST)
        return;
    entries[count++] = (struct entry){epoll, descriptor, stream};
    ser_put_stream(me, stream, 0, SER_STREAM_WATCHED);
}

SER_EXPORT int epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event *event)
{
    ser_real_find();
    ser_thread *me = ser_streams_are_recorded() ? ser_enter_sync() : 0;
    if (me) {
        note(me, epoll, operation, descriptor, event);
        ser_leave_sync(me);
    }
    return ser_real.epoll_ctl(epoll, operation, descriptor, event);
}

static void record_some(ser_thread *me, struct pollfd *polled, const uint64_t *streams,
                        unsigned some)
{
    struct timespec none = {0, 0};
    ser_sys(SYS_ppoll, (long)polled, some, (long)&none, 0, 0, 0);
    for (int finds = 1; finds >= 0; finds--)
        for (unsigned i = 0; i < some; i++)
            if ((polled[i].revents != 0) == finds)
                ser_stream_tell_look(me, streams[i], finds);
}

void ser_epoll_record(ser_thread *me, int epoll)
{
    struct pollfd polled[AT_ONCE];
    uint64_t streams[AT_ONCE];
    unsigned some = 0;
    for (unsigned i = 0; i < count; i++) {
        if (entries[i].epoll != epoll)
            continue;
        polled[some] = (struct pollfd){.fd = entries[i].descriptor, .events = POLLIN};
        streams[some++] = entries[i].stream;
        if (some == AT_ONCE) {
            record_some(me, polled, streams, some);
            some = 0;
        }
    }
    record_some(me, polled, streams, some);
}
