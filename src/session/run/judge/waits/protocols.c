/* SPDX-License-Identifier: MIT */
#include "session/run/judge/waits/protocols.h"

#include "session/run/judge/anyway.h"

/* Calls are looked through so far. */
enum { LONG_CALL = 256 };

static bool is_atomic_load(const ser_event *event)
{
    return ser_op_only_reads((ser_op)event->op) && event->flow & SER_FLOW_ATOMIC;
}

static bool is_atomic_store(const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    return ser_op_only_writes(op) && !ser_op_frees(op) && event->flow & SER_FLOW_ATOMIC;
}

/* It decides, and is not kept. */
static bool is_look(const ser_event *event)
{
    return is_atomic_load(event) && !(event->flow & (SER_FLOW_DATA | SER_FLOW_HANDED));
}

/* The call that the thread is in; 0: not known. */
static uint32_t innermost_call(const ser_run *run, uint32_t event)
{
    unsigned returned = 0, steps = 0;
    for (uint32_t i = ser_run_previous(run, event); i && steps < LONG_CALL;
         i = ser_run_previous(run, i), steps++) {
        ser_op op = (ser_op)run->events[i].op;
        if (ser_op_returns(op))
            returned++;
        else if (ser_op_calls(op) && returned-- == 0)
            return i;
    }
    return 0;
}

/* Does the call store to the variable before that event? */
static bool stores_before(const ser_run *run, uint32_t call, uint32_t event)
{
    for (uint32_t i = ser_run_next(run, call); i && i < event; i = ser_run_next(run, i))
        if (run->events[i].object == run->events[event].object && is_atomic_store(&run->events[i]))
            return true;
    return false;
}

/* Does the call look anywhere at what it has stored itself? */
static bool looks_back(const ser_run *run, uint32_t call)
{
    unsigned entered = 0, steps = 0;
    for (uint32_t i = ser_run_next(run, call); i && steps < LONG_CALL;
         i = ser_run_next(run, i), steps++) {
        ser_op op = (ser_op)run->events[i].op;
        if (ser_op_calls(op))
            entered++;
        else if (ser_op_returns(op) && entered-- == 0)
            return false;
        else if (entered == 0 && is_look(&run->events[i]) && stores_before(run, call, i))
            return true;
    }
    return false;
}

/* Who finds that others have come waits, or begins anew. */
static bool is_in_protocol(const ser_run *run, uint32_t event)
{
    uint32_t call = innermost_call(run, event);
    return call && run->events[call].flow & SER_FLOW_LOOPS && looks_back(run, call);
}

/* Is the variable used by such a call, or its code at that site in a call of another run? */
static bool is_used_in_protocol(const ser_run *run, uint32_t variable, uint32_t site)
{
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if ((is_atomic_load(event) || is_atomic_store(event)) &&
            (event->object == variable || (site != SER_NO_SITE && event->site == site)) &&
            is_in_protocol(run, i))
            return true;
    }
    return false;
}

bool ser_is_agreed_upon(const ser_run *run, uint32_t variable)
{
    return is_used_in_protocol(run, variable, SER_NO_SITE);
}

static bool is_of_protocol(const ser_run *run, const ser_run *first, uint32_t event)
{
    const ser_event *own = &run->events[event];
    if (is_used_in_protocol(run, own->object, own->site))
        return true;
    uint32_t site =
        first && own->site != SER_NO_SITE ? ser_same_site(first, run, own->site) : SER_NO_SITE;
    return site != SER_NO_SITE && is_used_in_protocol(first, UINT32_MAX, site);
}

bool ser_is_protocol(const ser_run *run, uint32_t block, const uint32_t *events, size_t count,
                     const ser_run *first)
{
    for (size_t i = 0; i < count; i++) {
        const ser_event *event = &run->events[events[i]];
        bool is_own = run->block_of[events[i]] == block + 1;
        if (!is_atomic_store(event) && !(is_own ? is_look(event) : is_atomic_load(event)))
            return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!is_of_protocol(run, first, events[i]))
            return false;
    return count > 2;
}
