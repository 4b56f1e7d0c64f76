/* SPDX-License-Identifier: MIT */
/*
 * Conflicting accesses of other threads (hits) are looked for in the lists of the block's
 * variables, from the block outwards. The nearest ones get a window of their thread each
 * (open_window), in which the block's first and last conflicting access are found (narrow).
 */
#include "predict/segment/meetings.h"

#include <stdlib.h>

#include "base/idmap.h"
#include "predict/segment/relevance.h"
#include "predict/segment/tas.h"

enum { FAR = 24, MOST_OWN = 1000 }; /* accesses of a variable that are looked at, on each side */
enum { MARGIN = 16 };               /* events of the other thread before and after the hit */
enum { WIDEST = 200 };              /* the same, within its block */
enum { MOST_HITS = 4096 };          /* of a block */
enum { READ = 1, WRITE = 2 };       /* what is done to a variable */

typedef struct hit {
    uint32_t event;
    uint32_t distance; /* in the observed run */
} hit;

typedef struct finder {
    const ser_meeting_place *place;
    const ser_run *run;
    uint32_t block, thread;
    uint32_t first, last; /* accesses of the block */
    ser_meter *meter;
    SER_VECTOR(hit) hits;
    ser_idmap accessed; /* by the block: variable -> READ, WRITE */
} finder;

static uint32_t kind_of(const ser_event *event)
{
    ser_op op = (ser_op)event->op;
    return (ser_op_reads(op) ? READ : 0) | (ser_op_writes(op) ? WRITE : 0);
}

static bool conflict(uint32_t one, uint32_t other)
{
    return one && other && ((one | other) & WRITE);
}

/* Can it happen between the block's first and last access, for all that is known without
 * locks? */
static bool can_meet(const finder *find, uint32_t event)
{
    const ser_order *order = find->place->loosest;
    return !ser_order_before(order, event, find->first) &&
           !ser_order_before(order, find->last, event);
}

static void consider(finder *find, uint32_t event, uint32_t kind)
{
    const ser_event *other = &find->run->events[event];
    if (other->thread == find->thread || !conflict(kind, kind_of(other)) || !can_meet(find, event))
        return;
    uint32_t distance = event < find->first  ? find->first - event
                        : event > find->last ? event - find->last
                                             : 0;
    if (find->hits.count < MOST_HITS)
        ser_vector_push(&find->hits, ((hit){event, distance}));
}

/* The thread's own accesses do not count, but only so many are passed over. */
static bool goes_on(const finder *find, uint32_t event, size_t *hits, size_t *own)
{
    if (find->run->events[event].thread == find->thread)
        ++*own;
    else
        ++*hits;
    return *hits < FAR && *own < MOST_OWN;
}

static void search_around(finder *find, uint32_t variable, uint32_t kind)
{
    ser_event_span span = ser_index_events(&find->place->index->accesses, variable);
    size_t middle = ser_event_span_before(span, find->first), hits = 0, own = 0;
    for (size_t i = middle; i > 0 && goes_on(find, span.items[i - 1], &hits, &own); i--)
        consider(find, span.items[i - 1], kind);
    hits = own = 0;
    for (size_t i = middle; i < span.count && goes_on(find, span.items[i], &hits, &own); i++)
        consider(find, span.items[i], kind);
}

static void list_accesses(finder *find)
{
    const ser_run *run = find->run;
    for (uint32_t eid = run->eid[find->first]; eid <= run->eid[find->last]; eid++) {
        const ser_event *event = &run->events[ser_run_at(run, find->thread, eid)];
        if (ser_op_is_access((ser_op)event->op))
            *ser_idmap_add(&find->accessed, event->object, 0) |= kind_of(event);
        if (ser_meter_over(find->meter))
            return;
    }
}

static int by_distance(const void *a, const void *b)
{
    const hit *one = a, *other = b;
    if (one->distance != other->distance)
        return one->distance < other->distance ? -1 : 1;
    return (one->event > other->event) - (one->event < other->event);
}

static void find_hits(finder *find)
{
    list_accesses(find);
    for (size_t i = 0; i < find->accessed.capacity && !ser_meter_over(find->meter); i++) {
        const ser_idmap_entry *entry = &find->accessed.entries[i];
        if (entry->key != UINT32_MAX)
            search_around(find, entry->key, entry->value);
    }
    if (find->hits.count)
        qsort(find->hits.items, find->hits.count, sizeof *find->hits.items, by_distance);
}

/* --- one meeting -------------------------------------------------------------- */

static uint32_t at_most(uint32_t eid, uint32_t most)
{
    return eid < most ? eid : most;
}

static uint32_t at_least(uint32_t eid, uint32_t least)
{
    return eid > least ? eid : least;
}

/* Around the hit: its block, and some events of its thread, as far as these can be met. */
static void open_window(const finder *find, uint32_t event, ser_meeting *meeting)
{
    const ser_run *run = find->run;
    uint32_t thread = run->events[event].thread, eid = run->eid[event];
    uint32_t count = (uint32_t)run->threads.items[thread].events.count;
    uint32_t low = eid > MARGIN ? eid - MARGIN : 1, high = at_most(eid + MARGIN, count);
    if (run->block_of[event]) {
        const ser_run_block *block = &run->blocks.items[run->block_of[event] - 1];
        uint32_t begin = run->eid[block->begin], end = block->end ? run->eid[block->end] : count;
        low = at_most(low, at_least(begin, eid > WIDEST ? eid - WIDEST : 1));
        high = at_least(high, at_most(end, eid + WIDEST));
    }
    const ser_order *loosest = find->place->loosest;
    low = at_least(low, ser_order_known(loosest, find->first, thread) + 1);
    high = at_most(high, ser_order_first_after(loosest, find->last, thread, low) - 1);
    meeting->first = ser_run_step_first(run, ser_run_at(run, thread, low));
    meeting->last = ser_run_step_last(run, ser_run_at(run, thread, high));
}

/* What the window's accesses do to variables. */
static void list_window(const finder *find, const ser_meeting *meeting, ser_idmap *kinds)
{
    const ser_run *run = find->run;
    uint32_t thread = run->events[meeting->first].thread;
    for (uint32_t eid = run->eid[meeting->first]; eid <= run->eid[meeting->last]; eid++) {
        const ser_event *event = &run->events[ser_run_at(run, thread, eid)];
        if (ser_op_is_access((ser_op)event->op) && ser_idmap_get(&find->accessed, event->object, 0))
            *ser_idmap_add(kinds, event->object, 0) |= kind_of(event);
    }
}

/* False if the block has no two accesses that conflict with those of the window. */
static bool narrow(const finder *find, ser_meeting *meeting)
{
    const ser_run *run = find->run;
    ser_idmap kinds = {0};
    meeting->upper = meeting->lower = 0;
    list_window(find, meeting, &kinds);
    for (uint32_t eid = run->eid[find->first]; eid <= run->eid[find->last]; eid++) {
        uint32_t event = ser_run_at(run, find->thread, eid);
        const ser_event *access = &run->events[event];
        if (!ser_op_is_access((ser_op)access->op) ||
            !conflict(kind_of(access), ser_idmap_get(&kinds, access->object, 0)))
            continue;
        meeting->lower = event;
        if (!meeting->upper)
            meeting->upper = event;
    }
    ser_idmap_fini(&kinds);
    return meeting->upper != meeting->lower;
}

static bool is_known(const finder *find, const ser_meeting *meetings, size_t count, uint32_t event)
{
    const ser_run *run = find->run;
    for (size_t i = 0; i < count; i++)
        if (run->events[meetings[i].first].thread == run->events[event].thread &&
            run->eid[meetings[i].first] <= run->eid[event] &&
            run->eid[event] <= run->eid[meetings[i].last])
            return true;
    return false;
}

size_t ser_meetings_find(const ser_meeting_place *place, uint32_t block,
                         ser_meeting meetings[SER_MOST_MEETINGS], ser_meter *meter)
{
    const ser_run *run = place->order->run;
    finder find = {.place = place, .run = run, .block = block, .meter = meter};
    size_t count = 0;
    find.thread = run->blocks.items[block].thread;
    find.first = ser_block_first_access(run, block);
    find.last = ser_block_last_access(run, block);
    if (find.first == find.last)
        return 0;
    find_hits(&find);
    for (size_t i = 0; i < find.hits.count && count < SER_MOST_MEETINGS; i++) {
        ser_meeting meeting = {.block = block};
        if (is_known(&find, meetings, count, find.hits.items[i].event))
            continue;
        open_window(&find, find.hits.items[i].event, &meeting);
        if (narrow(&find, &meeting))
            meetings[count++] = meeting;
    }
    ser_vector_free(&find.hits);
    ser_idmap_fini(&find.accessed);
    return count;
}

/* --- its segment --------------------------------------------------------------- */

/* The eid from which on a thread's events are after one of the two, or are not before any. */
static uint32_t find_start(const ser_order *order, const uint32_t both[2], uint32_t thread)
{
    const ser_run *run = order->run;
    uint32_t before = 0, after = UINT32_MAX;
    for (int i = 0; i < 2; i++)
        before = at_least(before, ser_order_known(order, both[i], thread));
    for (int i = 0; i < 2; i++)
        after = at_most(after, run->events[both[i]].thread == thread
                                   ? run->eid[both[i]]
                                   : ser_order_first_after(order, both[i], thread, 1));
    return at_most(before + 1, after);
}

ser_segment *ser_meeting_segment(const ser_meeting_place *place, const ser_meeting *meeting,
                                 bool sources, uint64_t most, ser_meter *meter)
{
    const ser_order *order = place->order;
    const uint32_t starts[2] = {ser_run_step_first(order->run, meeting->upper), meeting->first};
    const uint32_t ends[2] = {meeting->lower, meeting->last};
    ser_segment *segment = ser_segment_whole(order->run);
    for (uint32_t i = 0; i < segment->threads && !ser_meter_over(meter); i++)
        segment->from[i] = find_start(order, starts, i);
    ser_relevance_keep(order->run, segment, ends, 2, sources, meter);
    if (ser_segment_size(segment) <= most &&
        ser_tas_mend(order, place->index, segment, most, meter) && !(meter && meter->reached))
        return segment;
    ser_segment_destroy(segment);
    return NULL;
}
