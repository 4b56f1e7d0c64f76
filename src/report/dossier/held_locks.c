/* SPDX-License-Identifier: MIT */
#include "report/dossier/held_locks.h"

static uint32_t acquire_of(const ser_run *run, uint32_t held)
{
    return run->holds.items[held].acquire;
}

uint32_t ser_acquire_held(const ser_run *run, uint32_t event, uint32_t lock)
{
    for (uint32_t held = ser_run_held(run, event); held; held = ser_run_next_held(run, event, held))
        if (run->events[acquire_of(run, held)].object == lock)
            return acquire_of(run, held);
    return 0;
}

uint32_t ser_lock_at(const ser_run *run, uint32_t event, uint32_t also)
{
    return ser_lock_of_all(run, event, also ? also : event, event);
}

uint32_t ser_lock_of_all(const ser_run *run, uint32_t one, uint32_t other, uint32_t third)
{
    for (uint32_t held = ser_run_held(run, one); held; held = ser_run_next_held(run, one, held)) {
        uint32_t lock = run->events[acquire_of(run, held)].object;
        if (ser_acquire_held(run, other, lock) && ser_acquire_held(run, third, lock))
            return lock;
    }
    return SER_NO_OBJECT;
}

uint32_t ser_lock_throughout(const ser_run *run, uint32_t from, uint32_t to)
{
    for (uint32_t held = ser_run_held(run, from); held; held = ser_run_next_held(run, from, held)) {
        uint32_t lock = run->events[acquire_of(run, held)].object;
        if (ser_acquire_held(run, to, lock) == acquire_of(run, held))
            return lock;
    }
    return SER_NO_OBJECT;
}
