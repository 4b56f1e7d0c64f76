/* SPDX-License-Identifier: MIT */
/*
 * Calls that look whether something can be received, and wait for it: poll, select, epoll.
 *
 * In serial mode the thread waits without the token, by a call that takes nothing away, and then
 * looks once more with the token: what it then finds, ready or not, is so at this moment of the
 * run. Looks at descriptors that are no streams order nothing; they keep the token if they need
 * not wait.
 */
#include <errno.h>
#include <poll.h>
#include <sys/select.h>

#include "runtime/posix/inputs/inputs.h"
#include "runtime/posix/real.h"
#include "runtime/posix/streams/epolls.h"

/* --- until when ----------------------------------------------------------------- */

static ser_time from_ms(int ms, struct timespec *time)
{
    if (ms < 0)
        return 0;
    *time = (struct timespec){ms / 1000, ms % 1000 * 1000000L};
    return time;
}

static struct timespec now(void)
{
    struct timespec time;
    ser_real_now(CLOCK_MONOTONIC, &time);
    return time;
}

/* What is left of a time since a moment; none at least. */
static struct timespec rest_of(ser_time time, struct timespec since)
{
    struct timespec moment = now();
    int64_t passed =
        (int64_t)(moment.tv_sec - since.tv_sec) * 1000000000 + (moment.tv_nsec - since.tv_nsec);
    int64_t left = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec - passed;
    if (left <= 0)
        return (struct timespec){0, 0};
    return (struct timespec){left / 1000000000, left % 1000000000};
}

/* --- one look after another ------------------------------------------------------ */

typedef struct looking {
    /* Takes what is there; -errno if it fails. Not by the C library: a thread that is inside must
     * not be cancelled. */
    int64_t (*look)(const struct looking *);
    /* Takes nothing; no time: for ever. As the call itself, with errno. */
    int (*wait)(const struct looking *, ser_time time);
    void (*record)(ser_thread *me, const struct looking *);
    ser_time time; /* null: for ever */
    int count, descriptor;
    void *entries;
    const sigset_t *mask;
} looking;

static bool is_over(ser_time time)
{
    return time && time->tv_sec == 0 && time->tv_nsec == 0;
}

static void record_and_leave(ser_thread *me, const looking *call, int64_t found)
{
    if (found >= 0)
        call->record(me, call);
    ser_leave_sync(me);
}

static int look(const looking *call)
{
    struct timespec since = now(), left;
    ser_time time = call->time;
    for (;;) {
        ser_thread *me = ser_enter_sync();
        int64_t found = call->look(call);
        if (found != 0 || is_over(time)) {
            if (me)
                record_and_leave(me, call, found);
            return (int)ser_with_errno(found);
        }
        if (me) {
            me->awaits_bytes = !time;
            ser_stream_leave_for_long(me);
        }
        int ready = call->wait(call, time);
        ser_self->awaits_bytes = false;
        if (ready < 0)
            return -1;
        if (call->time) {
            left = rest_of(call->time, since);
            time = &left;
        }
    }
}

/* --- poll -------------------------------------------------------------------------- */

static int64_t look_by_poll(const looking *call)
{
    struct timespec none = {0, 0};
    return ser_sys(SYS_ppoll, (long)call->entries, call->count, (long)&none, 0, 0, 0);
}

static int wait_by_poll(const looking *call, ser_time time)
{
    return ser_real.ppoll(call->entries, (nfds_t)call->count, time, call->mask);
}

static void record_poll(ser_thread *me, const looking *call)
{
    const struct pollfd *entries = call->entries;
    for (int finds = 1; finds >= 0; finds--)
        for (int i = 0; i < call->count; i++) {
            bool is_asked = entries[i].events & POLLIN && (entries[i].revents != 0) == finds;
            uint64_t stream = is_asked ? ser_stream_find(entries[i].fd).in : 0;
            if (stream)
                ser_stream_tell_look(me, stream, finds);
        }
}

static int do_poll(struct pollfd *entries, nfds_t count, ser_time time, const sigset_t *mask)
{
    looking call = {look_by_poll, wait_by_poll, record_poll, time, (int)count, -1, entries, mask};
    return look(&call);
}

SER_EXPORT int poll(struct pollfd *entries, nfds_t count, int ms)
{
    struct timespec time;
    ser_real_find();
    if (!ser_streams_are_recorded())
        return ser_real.poll(entries, count, ms);
    return do_poll(entries, count, from_ms(ms, &time), 0);
}

SER_EXPORT int ppoll(struct pollfd *entries, nfds_t count, ser_time time, const sigset_t *mask)
{
    ser_real_find();
    if (!ser_streams_are_recorded())
        return ser_real.ppoll(entries, count, time, mask);
    return do_poll(entries, count, time, mask);
}

/* --- epoll ------------------------------------------------------------------------- */

static int64_t look_by_epoll(const looking *call)
{
    return ser_sys(SYS_epoll_pwait, call->descriptor, (long)call->entries, call->count, 0, 0, 0);
}

/* An epoll is itself readable if it has events. */
static int wait_for_epoll(const looking *call, ser_time time)
{
    struct pollfd entry = {.fd = call->descriptor, .events = POLLIN};
    return ser_real.ppoll(&entry, 1, time, call->mask);
}

static void record_epoll(ser_thread *me, const looking *call)
{
    ser_epoll_record(me, call->descriptor);
}

SER_EXPORT int epoll_pwait(int epoll, struct epoll_event *events, int most, int ms,
                           const sigset_t *mask)
{
    struct timespec time;
    ser_real_find();
    if (!ser_streams_are_recorded() || most <= 0)
        return ser_real.epoll_pwait(epoll, events, most, ms, mask);
    looking call = {look_by_epoll, wait_for_epoll, record_epoll, from_ms(ms, &time),
                    most,          epoll,          events,       mask};
    return look(&call);
}

SER_EXPORT int epoll_wait(int epoll, struct epoll_event *events, int most, int ms)
{
    return epoll_pwait(epoll, events, most, ms, 0);
}

/* --- select ------------------------------------------------------------------------ */

enum { READS, WRITES, FAULTS, SETS };

typedef struct selection {
    fd_set *sets[SETS];  /* of the program; null: none */
    fd_set wanted[SETS]; /* what it asked for */
} selection;

/* `used` are the sets that a call may change: copies, or none. */
static void copy_wanted(const selection *selected, fd_set *copies, fd_set **used)
{
    for (int i = 0; i < SETS; i++) {
        copies[i] = selected->wanted[i];
        used[i] = selected->sets[i] ? &copies[i] : 0;
    }
}

static int64_t look_by_select(const looking *call)
{
    fd_set found[SETS], *used[SETS];
    const selection *selected = call->entries;
    struct timespec none = {0, 0};
    copy_wanted(selected, found, used);
    long result = ser_sys(SYS_pselect6, call->count, (long)used[READS], (long)used[WRITES],
                          (long)used[FAULTS], (long)&none, 0);
    for (int i = 0; result >= 0 && i < SETS; i++)
        if (selected->sets[i])
            *selected->sets[i] = found[i];
    return result;
}

static int wait_by_select(const looking *call, ser_time time)
{
    fd_set found[SETS], *used[SETS];
    copy_wanted(call->entries, found, used);
    return ser_real.pselect(call->count, used[READS], used[WRITES], used[FAULTS], time, call->mask);
}

static void record_select(ser_thread *me, const looking *call)
{
    const selection *selected = call->entries;
    for (int finds = 1; finds >= 0 && selected->sets[READS]; finds--)
        for (int i = 0; i < call->count; i++) {
            bool is_asked = FD_ISSET(i, &selected->wanted[READS]) &&
                            (FD_ISSET(i, selected->sets[READS]) != 0) == finds;
            uint64_t stream = is_asked ? ser_stream_find(i).in : 0;
            if (stream)
                ser_stream_tell_look(me, stream, finds);
        }
}

SER_EXPORT int pselect(int count, fd_set *reads, fd_set *writes, fd_set *faults, ser_time time,
                       const sigset_t *mask)
{
    ser_real_find();
    if (!ser_streams_are_recorded() || count > FD_SETSIZE)
        return ser_real.pselect(count, reads, writes, faults, time, mask);
    selection selected = {.sets = {reads, writes, faults}};
    for (int i = 0; i < SETS; i++)
        if (selected.sets[i])
            selected.wanted[i] = *selected.sets[i];
    looking call = {
        look_by_select, wait_by_select, record_select, time, count, -1, &selected, mask};
    return look(&call);
}

/* The remaining time is written back, as Linux does. */
SER_EXPORT int select(int count, fd_set *reads, fd_set *writes, fd_set *faults,
                      struct timeval *time)
{
    ser_real_find();
    if (!ser_streams_are_recorded() || count > FD_SETSIZE || (time && time->tv_usec >= 1000000))
        return ser_real.select(count, reads, writes, faults, time);
    struct timespec whole, left, since = now();
    if (time)
        whole = (struct timespec){time->tv_sec, time->tv_usec * 1000L};
    int found = pselect(count, reads, writes, faults, time ? &whole : 0, 0);
    if (time && found >= 0) {
        left = rest_of(&whole, since);
        *time = (struct timeval){left.tv_sec, left.tv_nsec / 1000};
    }
    return found;
}
