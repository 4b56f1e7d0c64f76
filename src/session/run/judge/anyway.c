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

/* Two places of a run, where something is looked at and where it is written. */
typedef struct places {
    uint32_t read, write;
} places;

uint32_t ser_same_site(const ser_run *other, const ser_run *run, uint32_t site)
{
    ser_span wanted = ser_symbols_whole_location(run->symbols, site);
    for (uint32_t i = 0; other != run && i < ser_symbols_site_count(other->symbols); i++) {
        ser_span place = ser_symbols_whole_location(other->symbols, i);
        if (place.length == wanted.length && memcmp(place.text, wanted.text, place.length) == 0)
            return i;
    }
    return other == run ? site : SER_NO_SITE;
}

/* Does the thread of a read come to the write's place, before it reads there again? */
static bool comes_to(const ser_run *run, uint32_t read, const places *at)
{
    for (uint32_t i = ser_run_next(run, read); i; i = ser_run_next(run, i)) {
        const ser_event *event = &run->events[i];
        if (!ser_op_is_access((ser_op)event->op))
            continue;
        if (event->site == at->write && ser_op_writes((ser_op)event->op))
            return true;
        if (event->site == at->read && ser_op_reads((ser_op)event->op))
            return false;
    }
    return false;
}

static bool has_met_both(const ser_run *run, const places *at, const ser_event *seen,
                         const ser_guards *guards)
{
    bool found = false;
    bool is_known = at->read != SER_NO_SITE && at->write != SER_NO_SITE;
    for (uint32_t i = 1; is_known && i <= run->count && !found; i++) {
        const ser_event *event = &run->events[i];
        found = event->site == at->read && ser_op_reads((ser_op)event->op) &&
                event->flags & SER_EVENT_HAS_VALUE && decided_otherwise(guards, seen, event) &&
                comes_to(run, i, at);
    }
    return found;
}

bool ser_run_writes_anyway(const ser_run *run, const ser_run *first, uint32_t read, uint32_t write)
{
    const ser_event *seen = &run->events[read];
    const places here = {seen->site, run->events[write].site};
    if (seen->flow & SER_FLOW_DATA || !(seen->flags & SER_EVENT_HAS_VALUE) ||
        here.read == SER_NO_SITE || here.write == SER_NO_SITE)
        return false;
    ser_guards parsed = {0};
    const ser_guards *guards = parse_guards(run, seen, &parsed) ? &parsed : NULL;
    bool found = has_met_both(run, &here, seen, guards);
    if (!found && first) {
        const places there = {ser_same_site(first, run, here.read),
                              ser_same_site(first, run, here.write)};
        found = has_met_both(first, &there, seen, guards);
    }
    ser_guards_fini(&parsed);
    return found;
}
