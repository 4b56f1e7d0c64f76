/* SPDX-License-Identifier: MIT */
#include "session/run/survey/repeats.h"

#include "base/hash.h"

/* Names have numbers in the order in which they come, so that equal runs have equal ones. */
static uint64_t hash_of(const ser_run *run)
{
    uint64_t hash = run->count;
    for (uint32_t i = 1; i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        hash = ser_hash_mix(hash ^ ((uint64_t)event->thread << 32 | event->object),
                            (uint64_t)event->site << 32 | (uint64_t)event->op << 8 | event->flags);
        hash = ser_hash_mix(hash, event->value);
    }
    return hash;
}

static bool is_complete(const ser_run_trace *trace)
{
    return !trace->refused && !trace->cut && !trace->undecided && !trace->unpredicted;
}

bool ser_run_is_repeated(ser_run_report *report, const ser_run *run)
{
    ser_run_trace *last = &report->traces.items[report->traces.count - 1];
    last->hash = hash_of(run);
    for (const ser_run_trace *trace = report->traces.items; trace < last; trace++) {
        if (trace->hash != last->hash || trace->derived || !is_complete(trace))
            continue;
        memcpy(last->verdicts, trace->verdicts, sizeof last->verdicts);
        memcpy(last->settled, trace->settled, sizeof last->settled);
        memcpy(last->segments, trace->segments, sizeof last->segments);
        last->skipped = trace->skipped;
        last->retried = trace->retried;
        last->violated = trace->violated;
        last->entered = trace->entered;
        last->repeats = true;
        return true;
    }
    return false;
}
