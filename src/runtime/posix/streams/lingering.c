/* SPDX-License-Identifier: MIT */
#include "runtime/posix/streams/lingering.h"

#include "runtime/posix/streams/streams.h"

static ser_runtime_world *const world = &ser_the_world;

enum {
    OFTEN_ENOUGH = 5, /* times that a thread waits in vain; then none does any more */
    LONGEST = 20,     /* times `linger`: clients may go on for ever */
};

static struct {
    uint32_t received; /* so many times, by any thread */
    bool is_awaited;   /* a thread waits for others */
    uint32_t in_vain;
} lingering;

/* Sleeps until something was received that makes it more than `received`, at most so long. */
static bool await_more(uint32_t received, uint64_t milliseconds)
{
    struct timespec a_moment = {.tv_nsec = 1000000};
    for (uint64_t i = 0; i < milliseconds; i++) {
        if (__atomic_load_n(&lingering.received, __ATOMIC_ACQUIRE) != received)
            return true;
        ser_sys(SYS_nanosleep, (long)&a_moment, 0, 0, 0, 0, 0);
    }
    return false;
}

/* Until no thread has received anything for a while. A client that gets its reply sends its next
 * request soon. */
static void await_quiet(void)
{
    enum { SHARE = 5 };
    uint64_t pause = world->options.linger / SHARE + 1;
    uint32_t received = __atomic_load_n(&lingering.received, __ATOMIC_ACQUIRE);
    for (uint64_t i = 0; i < LONGEST * SHARE && await_more(received, pause); i++)
        received = __atomic_load_n(&lingering.received, __ATOMIC_ACQUIRE);
}

static void wait_without_token(ser_thread *me, uint32_t received, bool until_quiet)
{
    ser_stream_leave_for_long(me);
    if (!await_more(received, world->options.linger))
        __atomic_fetch_add(&lingering.in_vain, 1, __ATOMIC_RELAXED);
    else if (until_quiet)
        await_quiet();
    me = ser_enter_sync();
    if (me)
        ser_leave_sync(me);
}

/* Whoever comes second goes on, and so ends the wait of the first. */
static void wait_for_others(bool until_quiet)
{
    uint32_t received = __atomic_load_n(&lingering.received, __ATOMIC_ACQUIRE);
    if (lingering.in_vain >= OFTEN_ENOUGH ||
        __atomic_exchange_n(&lingering.is_awaited, true, __ATOMIC_ACQ_REL))
        return;
    ser_thread *me = ser_enter_sync();
    if (me)
        wait_without_token(me, received, until_quiet);
    __atomic_store_n(&lingering.is_awaited, false, __ATOMIC_RELEASE);
}

void ser_linger_received(void)
{
    if (world->options.linger == 0 || world->parallel)
        return;
    uint32_t received = __atomic_add_fetch(&lingering.received, 1, __ATOMIC_RELEASE);
    if (world->options.hold == 0)
        wait_for_others(false);
    else if (received > world->options.hold_after)
        ser_self->unlocks_left = (uint32_t)world->options.hold;
}

void ser_linger_unlocked(ser_thread *me)
{
    if (--me->unlocks_left == 0)
        wait_for_others(true);
}
