/* SPDX-License-Identifier: MIT */
/*
 * First everything is removed that no needed event needs (dependencies.h), but for releases of
 * locks that are acquired again; then the rest is put into an order with few switches
 * (few_switches.h).
 */
#include "witness/minimise.h"

#include "base/idmap.h"
#include "witness/dependencies.h"
#include "witness/few_switches.h"

/* Places that are looked at again because a release was added: each may add another one. */
enum { MOST_EFFORT = 1 << 24 };

/* Which places of the order stay. */
typedef struct selection {
    const ser_run *run;
    const ser_event_list *order;
    ser_dependencies edges;
    SER_VECTOR(bool) stays;
} selection;

/* Of a step that ends at this place, all events stay if one does. */
static void keep_step(selection *chosen, size_t end)
{
    size_t first = end;
    bool stays = chosen->stays.items[end];
    while (first > 0 && ser_is_joined_at(chosen->run, chosen->order, first - 1))
        stays |= chosen->stays.items[--first];
    for (size_t i = first; i <= end; i++)
        chosen->stays.items[i] = stays;
}

/* Whatever a place that stays depends on stays, too. */
static void close_selection(selection *chosen)
{
    for (size_t i = chosen->order->count; i-- > 0;) {
        if (!ser_is_joined_at(chosen->run, chosen->order, i))
            keep_step(chosen, i);
        if (!chosen->stays.items[i])
            continue;
        for (uint32_t j = chosen->edges.first.items[i]; j < chosen->edges.first.items[i + 1]; j++)
            chosen->stays.items[chosen->edges.sources.items[j]] = true;
    }
}

static bool is_outermost(const ser_event *event, unsigned role)
{
    return ser_op_has((ser_op)event->op, role) && !(event->flags & SER_EVENT_INNER);
}

/* A lock that is acquired and stays must be let go if another acquire comes later.
 * True if a release was added. */
static bool add_releases(selection *chosen)
{
    ser_idmap acquirers = {0}; /* lock -> 1 + thread of the next acquire that stays */
    ser_idmap acquires = {0};  /* acquire that stays -> 1 */
    bool added = false;
    for (size_t i = 0; i < chosen->order->count; i++)
        if (chosen->stays.items[i] &&
            is_outermost(&chosen->run->events[chosen->order->items[i]], SER_ACQUIRES))
            (void)ser_idmap_add(&acquires, chosen->order->items[i], 1);
    for (size_t i = chosen->order->count; i-- > 0;) {
        uint32_t number = chosen->order->items[i];
        const ser_event *event = &chosen->run->events[number];
        if (chosen->stays.items[i] && is_outermost(event, SER_ACQUIRES))
            *ser_idmap_add(&acquirers, event->object, 0) = 1 + event->thread;
        if (chosen->stays.items[i] || !is_outermost(event, SER_RELEASES))
            continue;
        uint32_t next = ser_idmap_get(&acquirers, event->object, 0);
        if (next && next != 1 + event->thread &&
            ser_idmap_get(&acquires, chosen->run->match[number], 0))
            added = chosen->stays.items[i] = true;
    }
    ser_idmap_fini(&acquirers);
    ser_idmap_fini(&acquires);
    return added;
}

/* Removes what no needed event needs. */
static void drop_unneeded(const ser_run *run, ser_event_list *order, const uint32_t *needed,
                          size_t needed_count, bool spares_changes)
{
    selection chosen = {.run = run, .order = order};
    ser_idmap wanted = {0};
    ser_dependencies_find_needs(&chosen.edges, run, order, spares_changes);
    ser_vector_extend(&chosen.stays, order->count);
    for (size_t i = 0; i < needed_count; i++)
        (void)ser_idmap_add(&wanted, needed[i], 1);
    for (size_t i = 0; i < order->count; i++)
        chosen.stays.items[i] = ser_idmap_get(&wanted, order->items[i], 0);
    bool closed = false;
    for (uint64_t effort = 0; !closed && effort <= MOST_EFFORT; effort += order->count) {
        close_selection(&chosen);
        closed = !add_releases(&chosen);
    }

    size_t kept = closed ? 0 : order->count;
    for (size_t i = 0; closed && i < order->count; i++)
        if (chosen.stays.items[i])
            order->items[kept++] = order->items[i];
    order->count = kept;
    ser_idmap_fini(&wanted);
    ser_vector_free(&chosen.stays);
    ser_dependencies_fini(&chosen.edges);
}

void ser_witness_minimise(const ser_run *run, ser_event_list *order, const uint32_t *needed,
                          size_t needed_count, bool spares_changes)
{
    drop_unneeded(run, order, needed, needed_count, spares_changes);
    ser_order_with_few_switches(run, order);
}
