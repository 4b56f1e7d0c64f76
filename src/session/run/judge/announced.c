/* SPDX-License-Identifier: MIT */
#include "session/run/judge/announced.h"

#include "symbolic/guards.h"

/* What the variable held before the event, in the order of the run; false: not known. */
static bool find_before(const ser_run *run, uint32_t event, uint64_t *value)
{
    uint32_t variable = run->events[event].object, number = ser_event_guards(&run->events[event]);
    if (number && ser_guards_skip_held(ser_symbols_guards(run->symbols, number), value))
        return true;
    for (uint32_t i = event - 1; i > 0; i--) {
        const ser_event *access = &run->events[i];
        if (!ser_op_is_access((ser_op)access->op) || access->object != variable)
            continue;
        *value = access->value;
        return access->flags & SER_EVENT_HAS_VALUE;
    }
    return false;
}

/* Its flow is one of these: it is a constant, or also one's own number, say, in a lock that is made
 * of atomic variables. */
static bool is_mark(const ser_run *run, uint32_t block, uint32_t event, uint16_t flows)
{
    const ser_event *write = &run->events[event];
    return run->block_of[event] == block + 1 && ser_op_is_access((ser_op)write->op) &&
           ser_op_only_writes((ser_op)write->op) && write->flags & SER_EVENT_HAS_VALUE &&
           write->flow & flows;
}

/* Do others only read the variable, between the first and the last? */
static bool only_look(const ser_run *run, uint32_t block, const uint32_t *events, size_t count)
{
    for (size_t i = 1; i + 1 < count; i++) {
        const ser_event *access = &run->events[events[i]];
        if (access->object != run->events[events[0]].object ||
            !ser_op_is_access((ser_op)access->op) || !ser_op_only_reads((ser_op)access->op) ||
            run->block_of[events[i]] == block + 1)
            return false;
    }
    return true;
}

bool ser_is_announced(const ser_run *run, uint32_t block, const uint32_t *events, size_t count)
{
    uint64_t before;
    if (count < 3 || !is_mark(run, block, events[0], SER_FLOW_FIXED | SER_FLOW_ATOMIC) ||
        !is_mark(run, block, events[count - 1], SER_FLOW_FIXED))
        return false;
    const ser_event *first = &run->events[events[0]], *last = &run->events[events[count - 1]];
    return first->object == last->object && first->value != last->value &&
           only_look(run, block, events, count) && find_before(run, events[0], &before) &&
           before == last->value;
}
