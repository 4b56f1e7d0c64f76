/* SPDX-License-Identifier: MIT */
#include "session/run/judge/dispatched.h"

#include "bugs/own_code.h"

/* The place of a call through a pointer in a loop; SER_NO_SITE: it is none. */
static uint32_t place_of_dispatch(const ser_run *run, uint32_t call)
{
    uint32_t end = call ? ser_run_return_of(run, call) : 0;
    return end && run->events[end].flow & SER_FLOW_DISPATCHED ? run->events[end].site : SER_NO_SITE;
}

bool ser_are_dispatched(const ser_run *run, uint32_t first, uint32_t last)
{
    uint32_t outer = ser_common_call(run, first, last);
    if (!outer)
        return false;
    uint32_t one = place_of_dispatch(run, ser_call_towards(run, outer, first));
    uint32_t other = place_of_dispatch(run, ser_call_towards(run, outer, last));
    return one == SER_NO_SITE || other == SER_NO_SITE ? one != other : one == other;
}
