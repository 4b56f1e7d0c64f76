/* SPDX-License-Identifier: MIT */
#include "session/run/survey/spun.h"

typedef SER_VECTOR(bool) open_calls;

static bool asks(const ser_event *event)
{
    return ser_op_only_reads((ser_op)event->op) && event->site != SER_NO_SITE &&
           !(event->flow & (SER_FLOW_DATA | SER_FLOW_BLIND));
}

static void see(const ser_event *event, open_calls *calls, bool *spun)
{
    ser_op op = (ser_op)event->op;
    if (ser_op_calls(op))
        ser_vector_push(calls, event->flow & SER_FLOW_SPINS);
    else if (ser_op_returns(op) && calls->count)
        calls->count--;
    else if (asks(event) && calls->count && calls->items[calls->count - 1])
        spun[event->object] = true;
}

bool *ser_spun_find(const ser_run *run)
{
    bool *spun =
        ser_alloc((size_t)ser_symbols_count(run->symbols, SER_SPACE_VARIABLE) + 1, sizeof *spun);
    for (size_t i = 0; i < run->threads.count; i++) {
        const ser_event_list *events = &run->threads.items[i].events;
        open_calls calls = {0};
        for (size_t k = 0; k < events->count; k++)
            see(&run->events[events->items[k]], &calls, spun);
        ser_vector_free(&calls);
    }
    return spun;
}
