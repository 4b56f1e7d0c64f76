/* SPDX-License-Identifier: MIT */
#include "session/run/judge/anyway.h"

#include <string.h>

#include "symbolic/guards.h"

static bool parse_guards(const ser_run *run, const ser_event *read, ser_guards *guards)
{
    uint32_t number = ser_event_guards(read);
    const char *text = number ? ser_symbols_guards(run->symbols, number) : "";
    return number && ser_guards_parse(guards, text, strlen(text));
}

/* Did the two values lead the thread different ways? */
static bool decided_otherwise(const ser_guards *guards, const ser_event *one,
                              const ser_event *other)
{
    uint64_t results[SER_MOST_GUARDS], other_results[SER_MOST_GUARDS];
    if (!guards || !ser_guards_evaluate(guards, one->value, results) ||
        !ser_guards_evaluate(guards, other->value, other_results))
        return (one->value == 0) != (other->value == 0);
    return memcmp(results, other_results, guards->count * sizeof *results) != 0;
}

/* Does the thread of a read come to the write's place, before it reads there again? */
static bool comes_to(const ser_run *run, uint32_t read, uint32_t place)
{
    uint32_t again = run->events[read].site;
    for (uint32_t i = ser_run_next(run, read); i; i = ser_run_next(run, i)) {
        const ser_event *event = &run->events[i];
        if (!ser_op_is_access((ser_op)event->op))
            continue;
        if (event->site == place && ser_op_writes((ser_op)event->op))
            return true;
        if (event->site == again && ser_op_reads((ser_op)event->op))
            return false;
    }
    return false;
}

bool ser_run_writes_anyway(const ser_run *run, uint32_t read, uint32_t write)
{
    const ser_event *seen = &run->events[read];
    uint32_t place = run->events[write].site;
    ser_guards guards = {0};
    if (seen->flow & SER_FLOW_DATA || !(seen->flags & SER_EVENT_HAS_VALUE) ||
        seen->site == SER_NO_SITE || place == SER_NO_SITE)
        return false;
    bool has_guards = parse_guards(run, seen, &guards), found = false;
    for (uint32_t i = 1; i <= run->count && !found; i++) {
        const ser_event *event = &run->events[i];
        found = event->site == seen->site && ser_op_reads((ser_op)event->op) &&
                event->flags & SER_EVENT_HAS_VALUE &&
                decided_otherwise(has_guards ? &guards : NULL, seen, event) &&
                comes_to(run, i, place);
    }
    ser_guards_fini(&guards);
    return found;
}
