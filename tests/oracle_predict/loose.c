/* SPDX-License-Identifier: MIT */
#include "loose.h"

#include "draw_values.h"
#include "operations.h"

enum { MOST_STATES = 300000 };

static void vary_by(variant *v, const sample *s, const ser_reads *reads, bool careful)
{
    v->s = *s;
    v->s.by_value = false;
    v->ready = avp_world_init(&v->s.world, s->events.items, s->events.count, reads);
    v->s.world.careful = careful;
    for (size_t i = 0; i < s->world.block_count && v->ready; i++) {
        sample_block *block = &v->s.blocks[i];
        block->answer[0] =
            avp_search(&v->s.world, s->world.blocks[i].begin, 0, MOST_STATES, &block->witness[0]);
        v->ready = block->answer[0] != AVP_TOO_LARGE;
    }
}

void vary(variant *v, const sample *s, const ser_reads *reads)
{
    vary_by(v, s, reads, false);
}

void vary_carefully(variant *v, const sample *s, const ser_reads *reads)
{
    vary_by(v, s, reads, true);
}

void make_unguarded(variant *v, const sample *s)
{
    event_list events = {0};
    for (size_t i = 0; i < s->events.count; i++) {
        ser_event event = s->events.items[i];
        event.flow = ser_flow_with_guards(event.flow, 0);
        ser_vector_push(&events, event);
    }
    make_reads_by_value(&v->reads, &events);
    vary(v, s, &v->reads);
    ser_vector_free(&events);
}

static bool has_flow(const sample *s, size_t first, size_t last, unsigned flow)
{
    for (size_t i = first; i <= last; i++)
        if (s->events.items[i - 1].flow & flow)
            return true;
    return false;
}

/* Where the trace has flows, a read-modify-write is a compare-exchange unless it says that it
 * modifies; all of a step are alike. */
static bool compares(const sample *s, size_t event)
{
    size_t first = s->world.step[event], last = first;
    if (!has_flow(s, 1, s->events.count, SER_FLOW_DATA | SER_FLOW_MODIFIES))
        return false;
    while (last < s->events.count && s->world.step[last + 1] == first)
        last++;
    for (size_t i = first; i <= last; i++)
        if (!has_flow(s, i, i, SER_FLOW_MODIFIES))
            return true;
    return false;
}

void make_loose(variant *v, const sample *s)
{
    if (s->by_value)
        make_reads_by_value(&v->reads, &s->events);
    else
        ser_reads_init(&v->reads, (uint32_t)s->events.count);
    for (size_t i = 1; i <= s->events.count; i++) {
        bool is_update = reads_and_writes(&s->events.items[i - 1]);
        if (is_update && compares(s, i))
            continue;
        v->reads.rules.items[i].limit = SER_LIMIT_NONE;
        v->reads.writes_anyway.items[i] = is_update;
    }
    vary(v, s, &v->reads);
}

bool is_violated(const sample *s, size_t block)
{
    return s->blocks[block].answer[0] == AVP_VIOLATION;
}
