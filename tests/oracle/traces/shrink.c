/* SPDX-License-Identifier: MIT */
/*
 * Greedy deletion, coarse to fine, repeated until a whole round changes nothing.
 * Each candidate is a copy of the trace without some events; it replaces the
 * trace if it still shows the difference.
 */
#include "shrink.h"

#include "operations.h"

/* Pairs are quadratic in number: tried only once the trace is short. */
enum { PAIRS_BELOW = 100 };

typedef struct shrinker {
    event_list *trace;
    shows_difference shows;
    void *context;
    bool *deleted; /* by index */
} shrinker;

/* Takes the marked events out if the rest will do; clears the marks. */
static bool try_deletion(shrinker *s)
{
    event_list rest = {0};
    for (size_t i = 0; i < s->trace->count; i++)
        if (!s->deleted[i])
            ser_vector_push(&rest, s->trace->items[i]);
    memset(s->deleted, 0, s->trace->count * sizeof *s->deleted);
    if (rest.count == s->trace->count || !s->shows(s->context, &rest)) {
        ser_vector_free(&rest);
        return false;
    }
    ser_vector_free(s->trace);
    *s->trace = rest;
    return true;
}

/* Is it an event of the thread, or its fork or join? */
static bool concerns(const ser_event *event, uint32_t thread)
{
    return event->thread == thread || (names_thread(event) && event->object == thread);
}

static bool delete_threads(shrinker *s)
{
    bool changed = false;
    for (uint32_t thread = 0; thread < trace_most_names; thread++) {
        for (size_t i = 0; i < s->trace->count; i++)
            s->deleted[i] = concerns(&s->trace->items[i], thread);
        changed |= try_deletion(s);
    }
    return changed;
}

/* From the end to the start: late events are needed least. */
static bool delete_runs(shrinker *s)
{
    bool changed = false;
    for (size_t length = s->trace->count / 2; length > 0; length /= 2) {
        for (size_t end = s->trace->count; end >= length; end--) {
            memset(s->deleted + end - length, true, length * sizeof *s->deleted);
            if (!try_deletion(s))
                continue;
            changed = true;
            if (end > s->trace->count + 1)
                end = s->trace->count + 1;
        }
    }
    return changed;
}

static bool delete_pairs(shrinker *s)
{
    if (s->trace->count > PAIRS_BELOW)
        return false;
    bool changed = false;
    for (size_t i = 0; i + 1 < s->trace->count; i++) {
        for (size_t j = i + 1; j < s->trace->count; j++) {
            if (s->trace->items[i].thread != s->trace->items[j].thread)
                continue;
            s->deleted[i] = s->deleted[j] = true;
            if (try_deletion(s)) {
                changed = true;
                j = i;
            }
        }
    }
    return changed;
}

void shrink_trace(event_list *trace, shows_difference shows, void *context)
{
    shrinker s = {.trace = trace, .shows = shows, .context = context};
    s.deleted = ser_alloc(trace->count + 1, sizeof *s.deleted);
    bool changed = true;
    while (changed) {
        changed = delete_threads(&s);
        changed |= delete_runs(&s);
        changed |= delete_pairs(&s);
    }
    free(s.deleted);
}
