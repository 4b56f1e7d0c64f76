/* SPDX-License-Identifier: MIT */
/*
 * Serial mode: a signal handler runs while its thread sleeps inside the runtime, without the token,
 * and wants to wake others that wait for an object. It only notes that. The thread then stops
 * sleeping, gets the token as usual, wakes them, and goes on waiting.
 */
#include "runtime/core/turns/objects.h"

static ser_runtime_world *const world = &ser_the_world;

/* A handler that interrupts this one finishes before it goes on. */
static bool note(ser_thread *me, ser_kind kind, const void *address, uint32_t most)
{
    for (uint32_t i = 0; i < me->handler_wake_count; i++)
        if (me->handler_wakes[i].kind == kind && me->handler_wakes[i].address == address) {
            me->handler_wakes[i].most = most < UINT32_MAX - me->handler_wakes[i].most
                                            ? me->handler_wakes[i].most + most
                                            : UINT32_MAX;
            return true;
        }
    if (me->handler_wake_count == SER_HANDLER_WAKES)
        return false;
    uint32_t slot = me->handler_wake_count++;
    ser_compiler_barrier();
    me->handler_wakes[slot].kind = kind;
    me->handler_wakes[slot].address = address;
    me->handler_wakes[slot].most = most;
    return true;
}

bool ser_handler_wakes(ser_kind kind, const void *address, uint32_t most)
{
    ser_thread *me = ser_self;
    uint32_t asleep = 0;
    if (me == &ser_nobody || me == &ser_stranger || world->parallel || !me->asleep ||
        !note(me, kind, address, most))
        return false;
    if (me->state == SER_WAITS) /* else it will have the token when it wakes up */
        __atomic_compare_exchange_n(&me->wake, &asleep, SER_WAKE_HANDLED, false, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED);
    return true;
}

void ser_handler_wakes_send(ser_thread *me)
{
    while (me->handler_wake_count > 0) {
        uint32_t last = me->handler_wake_count - 1;
        ser_object_wake((ser_kind)me->handler_wakes[last].kind, me->handler_wakes[last].address,
                        me->handler_wakes[last].most);
        me->handler_wake_count = last;
    }
}
