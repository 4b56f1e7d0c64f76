/* SPDX-License-Identifier: MIT */
#include "witness/checker/holders.h"

/* The order of the others stays: the last one is the latest acquire. */
static void end_shared_hold(ser_lock_holders *lock, const ser_event *events, uint32_t thread)
{
    size_t kept = 0;
    for (size_t i = 0; i < lock->shared.count; i++)
        if (events[lock->shared.items[i]].thread != thread)
            lock->shared.items[kept++] = lock->shared.items[i];
    lock->shared.count = kept;
}

bool ser_lock_holders_change(ser_lock_holders *lock, const ser_event *events, uint32_t number)
{
    switch (ser_checked_op(&events[number])) {
    case SER_OP_ACQUIRE:
        lock->exclusive = number;
        return true;
    case SER_OP_RELEASE:
        lock->exclusive = 0;
        return true;
    case SER_OP_SHARED_ACQUIRE:
        ser_vector_push(&lock->shared, number);
        return true;
    case SER_OP_SHARED_RELEASE:
        end_shared_hold(lock, events, events[number].thread);
        return true;
    default:
        return false;
    }
}

bool ser_lock_holders_have(const ser_lock_holders *lock, uint32_t acquire)
{
    for (size_t i = 0; i < lock->shared.count; i++)
        if (lock->shared.items[i] == acquire)
            return true;
    return lock->exclusive == acquire;
}
