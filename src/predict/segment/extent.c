/* SPDX-License-Identifier: MIT */
/*
 * The partial order graph backwards. Of every thread there is a clock: for each thread,
 * its first event that must happen after the event looked at last. It is taken over from
 * the thread's next event and changed along the edges to other threads (take_edges). An edge
 * is kept, with the clock of its target, from the target to its source, which comes later in
 * this pass. What comes after the arrivals of a barrier's round is the same for all of them, so
 * a round has one clock; and what comes after a late event comes after all events before it.
 *
 * First events are written as codes, 2 * eid, or 2 * eid + 1 for a read that only its reads-from
 * edge puts there: it still belongs to N. The smaller one of two codes is right whichever way an
 * event is reached, and half of it, rounded up, is where N ends. A clock holds how far a code is
 * before the end of its thread, so that 0 stands for nothing and the larger one counts.
 */
#include "predict/segment/extent.h"

#include "base/idmap.h"

enum { MOST_EVENTS = INT32_MAX - 2 }; /* so that twice an eid is a number */
enum { FEW_NODES = 1 << 16 };         /* of clocks, which are not worth a cleaning */

#define A_ROUND UINT32_MAX /* instead of a thread */

/* An edge whose target was seen and whose source was not. */
typedef struct edge {
    uint32_t thread; /* of the target, or A_ROUND: to the departures of a round */
    uint32_t code;   /* of the target; of A_ROUND: its number */
    uint32_t clock;  /* of the target; A_ROUND has its own */
    uint32_t next;   /* of the same source; 0: none */
} edge;

typedef struct sweep {
    const ser_order *order;
    const ser_run *run;
    ser_meter *meter;
    ser_clock_trees clocks;
    uint32_t cleaned;            /* nodes of clocks that were left when they were cleaned last */
    uint64_t ends;               /* the ends of all threads, added up */
    uint32_t *current;           /* each thread's clock */
    uint32_t *edges;             /* of each event: its first edge */
    SER_VECTOR(edge) pool;       /* pool.items[0] is unused */
    uint32_t free_edges;         /* a list */
    ser_idmap round_of;          /* a round's first arrival -> 1 + its number */
    SER_VECTOR(uint32_t) rounds; /* clocks */
    uint32_t late;               /* a clock: what comes after all events seen from now on */
    uint64_t late_count;
    uint64_t *late_seen;    /* of each thread: how many late events its clock has */
    uint32_t *first_access; /* of each block, as far as seen */
    uint64_t *extents;
} sweep;

/* Of the whole sweep, without the results. */
static size_t bytes_used(const sweep *s)
{
    return ser_clock_trees_bytes(&s->clocks) + s->pool.capacity * sizeof *s->pool.items +
           ((size_t)s->run->count + 1) * sizeof *s->edges;
}

static bool ask_meter(sweep *s)
{
    s->meter->bytes = ser_order_bytes(s->order) + bytes_used(s);
    return ser_meter_over_now(s->meter);
}

static inline bool gives_up(sweep *s)
{
    return ser_meter_is_due(s->meter) && ask_meter(s);
}

static uint32_t end_code(const sweep *s, uint32_t thread)
{
    return 2 * ((uint32_t)s->run->threads.items[thread].events.count + 1);
}

static uint32_t code_at(const sweep *s, uint32_t clock, uint32_t thread)
{
    return end_code(s, thread) - ser_clock_tree_get(&s->clocks, clock, thread);
}

static uint32_t with_code(sweep *s, uint32_t clock, uint32_t thread, uint32_t code)
{
    if (code_at(s, clock, thread) <= code)
        return clock;
    return ser_clock_tree_set(&s->clocks, clock, thread, end_code(s, thread) - code);
}

/* Clocks that nothing needs any more are forgotten from time to time. */
static void clean(sweep *s)
{
    if (ser_clock_trees_count(&s->clocks) < 2 * s->cleaned)
        return;
    ser_clock_move move;
    ser_clock_move_begin(&move, &s->clocks);
    for (uint32_t i = 0; i < s->run->threads.count; i++)
        ser_clock_move_add(&move, &s->clocks, &s->current[i]);
    for (size_t i = 1; i < s->pool.count; i++)
        ser_clock_move_add(&move, &s->clocks, &s->pool.items[i].clock);
    for (size_t i = 0; i < s->rounds.count; i++)
        ser_clock_move_add(&move, &s->clocks, &s->rounds.items[i]);
    ser_clock_move_add(&move, &s->clocks, &s->late);
    ser_clock_move_end(&move, &s->clocks);
    s->cleaned = ser_clock_trees_count(&s->clocks) + FEW_NODES;
}

/* --- edges -------------------------------------------------------------------- */

static void add_edge(sweep *s, uint32_t source, edge way)
{
    uint32_t slot = s->free_edges;
    if (slot) {
        s->free_edges = s->pool.items[slot].next;
    } else {
        slot = (uint32_t)s->pool.count;
        ser_vector_extend(&s->pool, (size_t)slot + 1);
    }
    way.next = s->edges[source];
    s->pool.items[slot] = way;
    s->edges[source] = slot;
}

static void keep_edge(sweep *s, uint32_t source, uint32_t target, bool only_couple)
{
    const ser_run *run = s->run;
    uint32_t thread = run->events[target].thread;
    if (!source || run->events[source].thread == thread)
        return;
    add_edge(s, source, (edge){thread, 2 * run->eid[target] + only_couple, s->current[thread], 0});
}

static void keep_wait_edges(sweep *s, uint32_t notify)
{
    for (uint32_t wait = s->run->match[notify]; wait && !gives_up(s); wait = s->run->match[wait])
        keep_edge(s, wait, notify, false);
}

/* The number of a round; when it is new, its arrivals get an edge to it. */
static uint32_t find_round(sweep *s, uint32_t first_arrival)
{
    uint32_t *number = ser_idmap_add(&s->round_of, first_arrival, 0);
    if (*number)
        return *number - 1;
    ser_vector_push(&s->rounds, 0);
    *number = (uint32_t)s->rounds.count;
    uint32_t found = *number - 1;
    for (uint32_t at = first_arrival; at && !gives_up(s); at = s->run->match[at])
        add_edge(s, at, (edge){A_ROUND, found, 0, 0});
    return found;
}

static void keep_round_edges(sweep *s, uint32_t departure)
{
    uint32_t thread = s->run->events[departure].thread;
    if (!s->run->match[departure])
        return;
    uint32_t number = find_round(s, s->run->match[departure]);
    uint32_t *clock = &s->rounds.items[number];
    *clock = ser_clock_tree_join(&s->clocks, *clock, s->current[thread]);
    *clock = with_code(s, *clock, thread, 2 * s->run->eid[departure]);
}

/* To what lets the thread take this step at all. */
static void keep_entry_edge(sweep *s, uint32_t event)
{
    const ser_run *run = s->run;
    uint32_t previous = ser_run_previous(run, event);
    if (!previous)
        keep_edge(s, run->threads.items[run->events[event].thread].fork, event, false);
    else if (ser_op_waits((ser_op)run->events[previous].op))
        keep_edge(s, run->couple[previous], event, false);
}

static void keep_demanded_edges(sweep *s, uint32_t head, uint32_t event)
{
    const ser_demands *demands = &s->order->demands;
    for (; head && !gives_up(s); head = demands->all.items[head - 1].next)
        keep_edge(s, demands->all.items[head - 1].source, event, false);
}

static void keep_join_edge(sweep *s, uint32_t event)
{
    uint32_t joined = s->run->events[event].object;
    const ser_run_thread *child = &s->run->threads.items[joined];
    const ser_event_list *events = &child->events;
    keep_demanded_edges(s, ser_demands_of_end(&s->order->demands, joined), event);
    keep_edge(s, events->count ? events->items[events->count - 1] : child->fork, event, false);
}

static void keep_late_edges(sweep *s, uint32_t event)
{
    uint32_t thread = s->run->events[event].thread;
    s->late = ser_clock_tree_join(&s->clocks, s->late, s->current[thread]);
    s->late = with_code(s, s->late, thread, 2 * s->run->eid[event]);
    s->late_count++;
}

static void keep_edges(sweep *s, uint32_t event)
{
    const ser_run *run = s->run;
    keep_entry_edge(s, event);
    keep_demanded_edges(s, ser_demands_of_step(&s->order->demands, event), event);
    if (ser_run_is_late(run, event))
        keep_late_edges(s, event);
    ser_op op = (ser_op)run->events[event].op;
    if (ser_op_has(op, SER_READS | SER_TESTS))
        keep_edge(s, ser_demands_keep_couple(&s->order->demands, event) ? run->couple[event] : 0,
                  event, true);
    else if (ser_op_takes(op))
        keep_edge(s, run->couple[event], event, false);
    else if (ser_op_joins(op))
        keep_join_edge(s, event);
    else if (ser_op_notifies(op))
        keep_wait_edges(s, event);
    else if (ser_op_departs(op))
        keep_round_edges(s, event);
}

static void take_edge(sweep *s, uint32_t thread, const edge *way)
{
    uint32_t clock = s->current[thread];
    if (way->thread == A_ROUND) {
        s->current[thread] = ser_clock_tree_join(&s->clocks, clock, s->rounds.items[way->code]);
        return;
    }
    if (code_at(s, clock, way->thread) <= way->code)
        return; /* what is before an event is before all that come after it */
    clock = ser_clock_tree_join(&s->clocks, clock, way->clock);
    s->current[thread] = with_code(s, clock, way->thread, way->code);
}

static bool has_edges(const sweep *s, uint32_t event)
{
    return s->edges[event] ||
           (s->late_count && s->late_seen[s->run->events[event].thread] < s->late_count);
}

static void take_edges(sweep *s, uint32_t event)
{
    uint32_t thread = s->run->events[event].thread;
    ser_clock_trees_seal(&s->clocks);
    while (s->edges[event] && !gives_up(s)) {
        uint32_t slot = s->edges[event];
        edge way = s->pool.items[slot];
        take_edge(s, thread, &way);
        s->edges[event] = way.next;
        s->pool.items[slot] = (edge){.next = s->free_edges};
        s->free_edges = slot;
    }
    if (s->late_seen[thread] < s->late_count) {
        s->current[thread] = ser_clock_tree_join(&s->clocks, s->current[thread], s->late);
        s->late_seen[thread] = s->late_count;
    }
    ser_clock_trees_seal(&s->clocks);
    clean(s);
}

/* --- blocks --------------------------------------------------------------------- */

/* Where N ends, added up over the threads. */
static uint64_t sum_ends(sweep *s, uint32_t event)
{
    uint32_t thread = s->run->events[event].thread, clock = s->current[thread];
    uint32_t own = code_at(s, clock, thread);
    uint64_t sum = s->ends - ser_clock_tree_sum(&s->clocks, clock, 1);
    return sum - (own / 2 + own % 2) + s->run->eid[event] + 1;
}

/* Where it begins. Sums are kept with the clocks, which no other code uses yet. */
static uint64_t sum_begins(const sweep *s, ser_clock_trees *clocks, uint32_t event)
{
    uint32_t clock = s->order->clock_of[event];
    uint64_t sum = ser_clock_tree_sum(clocks, clock, 0);
    sum -= ser_clock_tree_get(clocks, clock, s->run->events[event].thread);
    return sum + s->run->eid[event] - 1 + s->run->threads.count;
}

static void note_access(sweep *s, uint32_t event)
{
    uint32_t block = s->run->block_of[event];
    if (!block || !ser_op_is_access((ser_op)s->run->events[event].op))
        return;
    if (!s->first_access[block - 1])
        s->extents[block - 1] = sum_ends(s, event); /* it is the last one of the block */
    s->first_access[block - 1] = event;
}

/* Only where a clock of the partial order graph begins, edges say something new. */
static bool has_news(const sweep *s, uint32_t event)
{
    uint32_t previous = ser_run_previous(s->run, event);
    return s->order->clock_of[event] != (previous ? s->order->clock_of[previous] : 0);
}

static void sweep_run(sweep *s)
{
    for (uint32_t event = s->run->count; event > 0 && !gives_up(s); event--) {
        if (!s->run->eid[event])
            continue;
        if (has_edges(s, event))
            take_edges(s, event);
        if (has_news(s, event))
            keep_edges(s, event);
        note_access(s, event);
    }
}

static void subtract_begins(sweep *s)
{
    ser_clock_trees clocks = s->order->clocks;
    for (size_t i = 0; i < s->run->blocks.count && !gives_up(s); i++)
        if (s->first_access[i])
            s->extents[i] -= sum_begins(s, &clocks, s->first_access[i]);
    ser_vector_free(&clocks.sums);
}

uint64_t *ser_extent_of_blocks(const ser_order *order, ser_meter *meter)
{
    const ser_run *run = order->run;
    sweep s = {.order = order, .run = run, .meter = meter, .cleaned = FEW_NODES};
    if (run->count > MOST_EVENTS || run->joined)
        return NULL;
    ser_clock_trees_init(&s.clocks, order->clocks.width);
    s.current = ser_alloc(run->threads.count, sizeof *s.current);
    s.late_seen = ser_alloc(run->threads.count, sizeof *s.late_seen);
    s.edges = ser_alloc((size_t)run->count + 1, sizeof *s.edges);
    s.first_access = ser_alloc(run->blocks.count, sizeof *s.first_access);
    s.extents = ser_alloc(run->blocks.count, sizeof *s.extents);
    ser_vector_extend(&s.pool, 1);
    for (uint32_t i = 0; i < run->threads.count; i++)
        s.ends += end_code(&s, i) / 2;
    sweep_run(&s);
    ser_clock_trees_fini(&s.clocks);
    subtract_begins(&s);
    ser_vector_free(&s.pool);
    ser_vector_free(&s.rounds);
    ser_idmap_fini(&s.round_of);
    free(s.current);
    free(s.late_seen);
    free(s.edges);
    free(s.first_access);
    if (!meter || !meter->reached)
        return s.extents;
    free(s.extents);
    return NULL;
}
