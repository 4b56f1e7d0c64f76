/* SPDX-License-Identifier: MIT */
#include "session/run/survey/unlocked.h"

#include "session/run/survey/owners.h"

ser_event *ser_events_without_locks(const ser_run *run, const bool *ignored)
{
    uint32_t variables = ser_symbols_count(run->symbols, SER_SPACE_VARIABLE);
    ser_event *events = ser_alloc((size_t)run->count + 1, sizeof *events);
    bool *owned = ser_last_owners_find(run);
    for (uint32_t i = 1; i <= run->count; i++) {
        events[i] = run->events[i];
        ser_op op = (ser_op)events[i].op;
        bool is_ignored =
            owned[i] || (ser_op_is_access(op) && !ser_op_frees(op) && ignored[events[i].object]);
        bool only_orders =
            ser_op_space(op) == SER_SPACE_LOCK || ser_op_space(op) == SER_SPACE_SEMAPHORE;
        if (!only_orders && !is_ignored)
            continue;
        events[i].op = SER_OP_READ;
        events[i].object = variables + events[i].thread;
    }
    free(owned);
    return events;
}
