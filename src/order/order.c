/* SPDX-License-Identifier: MIT */
#include "order/order.h"

#include "base/idmap.h"

enum { AHEAD = 32 };                                /* events */
enum { MOST_RECENT = 256, RECENT_SLOTS = 1 << 18 }; /* powers of two */

/* A barrier's round: what all threads that leave it come after. */
typedef struct barrier_round {
    uint32_t clock;
    uint32_t arrivals;
} barrier_round;

/* The state while the graph is built, event by event. */
typedef struct builder {
    ser_order *order;
    const ser_run *run;
    ser_meter *meter;
    SER_VECTOR(uint32_t) current;  /* each thread's clock */
    SER_VECTOR(uint32_t) since;    /* eid of the event that the clock came with */
    SER_VECTOR(uint32_t) previous; /* the last event of each thread so far; 0: none */
    uint32_t *recent;   /* some of each thread: sources in other threads that it is after */
    uint32_t recents;   /* how many of each; a power of two */
    uint32_t started;   /* threads that have a previous event */
    ser_idmap round_of; /* a round's first arrival -> 1 + its number */
    SER_VECTOR(barrier_round) rounds;
    uint32_t before_now; /* a clock: all events before a late one; not used without late events */
    SER_VECTOR(uint32_t) moved; /* threads with events that before_now has not got */
} builder;

static bool ask_meter(builder *work)
{
    work->meter->bytes = ser_order_bytes(work->order);
    return ser_meter_over_now(work->meter);
}

/* Has the meter expired? Asked once per edge. */
static inline bool gives_up(builder *work)
{
    return ser_meter_is_due(work->meter) && ask_meter(work);
}

/* The clock, with all that comes before an event of another thread, and that event. */
static uint32_t join_event(const builder *work, uint32_t clock, uint32_t from)
{
    ser_clock_trees *clocks = &work->order->clocks;
    clock = ser_clock_tree_join(clocks, clock, work->order->clock_of[from]);
    return ser_clock_tree_set(clocks, clock, work->run->events[from].thread, work->run->eid[from]);
}

/* Are all events that the thread's clock has before the other event, too? Then that one's
 * clock takes the place of the thread's, without a look at every counter. */
static bool is_overtaken(const builder *work, uint32_t thread, uint32_t clock)
{
    uint32_t since = work->since.items[thread];
    return since && ser_clock_tree_get(&work->order->clocks, clock, thread) >= since;
}

static void replace_clock(builder *work, uint32_t event, uint32_t clock)
{
    uint32_t thread = work->run->events[event].thread;
    if (clock == work->current.items[thread])
        return;
    work->current.items[thread] = clock;
    work->since.items[thread] = work->run->eid[event];
}

/* Adds the edge from an event to the one that is looked at. */
static void add_edge(builder *work, uint32_t from, uint32_t event)
{
    const ser_run *run = work->run;
    uint32_t thread = run->events[event].thread;
    uint32_t *recent = &work->recent[(size_t)thread * work->recents + from % work->recents];
    if (*recent == from) { /* the most frequent case, decided without reading distant events */
        work->order->cross_edges++;
        return;
    }
    uint32_t source = run->events[from].thread;
    if (source == thread || gives_up(work))
        return;
    work->order->cross_edges++;
    *recent = from;
    from = ser_run_step_last(run, from);
    uint32_t clock = work->current.items[thread];
    if (ser_clock_tree_get(&work->order->clocks, clock, source) >= run->eid[from])
        return; /* what is after the event is after all that came before it */
    uint32_t start = is_overtaken(work, thread, work->order->clock_of[from]) ? 0 : clock;
    replace_clock(work, event, join_event(work, start, from));
}

/* Edges from what lets a thread take this step at all. */
static void add_entry_edges(builder *work, uint32_t event)
{
    const ser_run *run = work->run;
    uint32_t thread = run->events[event].thread;
    uint32_t previous = work->previous.items[thread];
    if (!previous && run->threads.items[thread].fork)
        add_edge(work, run->threads.items[thread].fork, event);
    if (previous && ser_op_waits((ser_op)run->events[previous].op) && run->couple[previous])
        add_edge(work, run->couple[previous], event);
}

/* To a notify, from the waits that it ends. */
static void add_wait_edges(builder *work, uint32_t event)
{
    for (uint32_t wait = work->run->match[event]; wait; wait = work->run->match[wait])
        add_edge(work, wait, event);
}

/* All arrivals are over when the first thread departs, so one clock serves all of them. */
static barrier_round find_round(builder *work, uint32_t arrival)
{
    uint32_t *known = ser_idmap_add(&work->round_of, arrival, 0);
    if (*known)
        return work->rounds.items[*known - 1];
    barrier_round round = {0};
    for (; arrival && !gives_up(work); arrival = work->run->match[arrival]) {
        round.clock = join_event(work, round.clock, arrival);
        round.arrivals++;
    }
    ser_clock_trees_seal(&work->order->clocks);
    ser_vector_push(&work->rounds, round);
    *known = (uint32_t)work->rounds.count;
    return round;
}

static void add_round_edges(builder *work, uint32_t event)
{
    uint32_t thread = work->run->events[event].thread;
    if (!work->run->match[event])
        return;
    barrier_round round = find_round(work, work->run->match[event]);
    uint32_t clock = work->current.items[thread];
    clock = is_overtaken(work, thread, round.clock)
                ? round.clock
                : ser_clock_tree_join(&work->order->clocks, clock, round.clock);
    replace_clock(work, event, clock);
    work->order->cross_edges += round.arrivals - 1; /* the thread's own one is none */
}

/* From the sources of reads that must not have changed when the event happens. */
static void add_demanded_edges(builder *work, uint32_t head, uint32_t event)
{
    const ser_demands *demands = &work->order->demands;
    for (; head; head = demands->all.items[head - 1].next)
        add_edge(work, demands->all.items[head - 1].source, event);
}

static void add_join_edge(builder *work, uint32_t event)
{
    uint32_t joined = work->run->events[event].object;
    const ser_run_thread *child = &work->run->threads.items[joined];
    add_demanded_edges(work, ser_demands_of_end(&work->order->demands, joined), event);
    if (child->events.count)
        add_edge(work, child->events.items[child->events.count - 1], event);
    else if (child->fork)
        add_edge(work, child->fork, event);
}

static void add_own_edges(builder *work, uint32_t member, uint32_t event)
{
    const ser_run *run = work->run;
    ser_op op = (ser_op)run->events[member].op;
    if (ser_op_has(op, SER_READS | SER_TESTS) || ser_op_takes(op)) {
        if (run->couple[member] && ser_demands_keep_couple(&work->order->demands, member))
            add_edge(work, run->couple[member], event);
    } else if (ser_op_joins(op)) {
        add_join_edge(work, member);
    } else if (ser_op_notifies(op)) {
        add_wait_edges(work, member);
    } else if (ser_op_departs(op)) {
        add_round_edges(work, member);
    }
}

/* To an ordered-last event (SER_EVENT_LATE), from the last events of all threads. Only threads with
 * events since the last such event are visited. */
static void add_late_edges(builder *work, uint32_t event)
{
    ser_clock_trees *clocks = &work->order->clocks;
    for (size_t i = 0; i < work->moved.count && !gives_up(work); i++) {
        uint32_t thread = work->moved.items[i];
        uint32_t eid = work->run->eid[work->previous.items[thread]];
        work->before_now = ser_clock_tree_set(clocks, work->before_now, thread, eid);
    }
    work->moved.count = 0;
    ser_clock_trees_seal(clocks);
    replace_clock(work, event, work->before_now);
    uint32_t thread = work->run->events[event].thread;
    work->order->cross_edges += work->started - (work->previous.items[thread] != 0);
}

static void note_move(builder *work, uint32_t thread)
{
    uint32_t previous = work->previous.items[thread];
    uint32_t known = ser_clock_tree_get(&work->order->clocks, work->before_now, thread);
    if ((previous ? work->run->eid[previous] : 0) == known)
        ser_vector_push(&work->moved, thread);
}

static void place_clock(builder *work, uint32_t event)
{
    uint32_t last = ser_run_step_last(work->run, event);
    ser_clock_trees_seal(&work->order->clocks);
    if (ser_run_is_late(work->run, event)) {
        add_late_edges(work, event); /* all others are among them */
        return;
    }
    add_entry_edges(work, event);
    add_demanded_edges(work, ser_demands_of_step(&work->order->demands, event), event);
    for (uint32_t member = event; member <= last; member++)
        add_own_edges(work, member, event);
}

/* Decided by few instructions for most events, which have none. */
static bool may_have_edges(const builder *work, uint32_t event, uint32_t previous)
{
    const ser_run *run = work->run;
    const ser_event *now = &run->events[event], *before = &run->events[previous];
    if (!previous)
        return true;
    if (before->flags & SER_EVENT_JOINED)
        return false; /* the first event of its step has them */
    return run->couple[event] || (now->flags & (SER_EVENT_JOINED | SER_EVENT_LATE)) ||
           ser_op_has((ser_op)now->op, SER_AWAITS | SER_SIGNALS) ||
           ser_op_has((ser_op)before->op, SER_AWAITS) ||
           ser_demands_of_step(&work->order->demands, event);
}

/* Sources of edges lie far from their targets in memory, so they are prefetched. */
static void look_ahead(const builder *work, uint32_t event)
{
    if (event + AHEAD > work->run->count)
        return;
    uint32_t source = work->run->couple[event + AHEAD];
    __builtin_prefetch(&work->run->events[source]);
    __builtin_prefetch(&work->run->eid[source]);
    __builtin_prefetch(&work->order->clock_of[source]);
}

static void add_event(builder *work, uint32_t event)
{
    uint32_t thread = work->run->events[event].thread;
    uint32_t previous = work->previous.items[thread];
    if (may_have_edges(work, event, previous))
        place_clock(work, event);
    if (work->run->late)
        note_move(work, thread);
    work->order->clock_of[event] = work->current.items[thread];
    work->started += !previous;
    work->previous.items[thread] = event;
}

static void start_building(builder *work)
{
    uint32_t width = work->order->clocks.width;
    ser_vector_extend(&work->current, width);
    ser_vector_extend(&work->since, width);
    ser_vector_extend(&work->previous, width);
    work->recents = MOST_RECENT;
    while (work->recents > 1 && (size_t)work->recents * width > RECENT_SLOTS)
        work->recents /= 2;
    work->recent = ser_alloc((size_t)width * work->recents, sizeof *work->recent);
}

static void end_building(builder *work)
{
    ser_vector_free(&work->current);
    ser_vector_free(&work->since);
    ser_vector_free(&work->previous);
    ser_vector_free(&work->moved);
    ser_vector_free(&work->rounds);
    ser_idmap_fini(&work->round_of);
    free(work->recent);
}

ser_order *ser_order_create(const ser_run *run, ser_meter *meter)
{
    ser_order *order = ser_alloc(1, sizeof *order);
    order->run = run;
    order->clock_of = ser_alloc((size_t)run->count + 1, sizeof *order->clock_of);
    ser_clock_trees_init(&order->clocks, run->threads.count ? (uint32_t)run->threads.count : 1);
    ser_demands_init(&order->demands, run);

    builder work = {.order = order, .run = run, .meter = meter};
    start_building(&work);
    for (uint32_t event = 1; event <= run->count && !gives_up(&work); event++) {
        look_ahead(&work, event);
        if (run->eid[event])
            add_event(&work, event);
    }
    end_building(&work);
    if (meter)
        meter->bytes = ser_order_bytes(order);
    if (!meter || !meter->reached)
        return order;
    ser_order_destroy(order);
    return NULL;
}

size_t ser_order_bytes(const ser_order *order)
{
    return ser_clock_trees_bytes(&order->clocks) +
           ((size_t)order->run->count + 1) * sizeof *order->clock_of;
}

void ser_order_destroy(ser_order *order)
{
    if (!order)
        return;
    free(order->clock_of);
    ser_clock_trees_fini(&order->clocks);
    ser_demands_fini(&order->demands);
    free(order);
}

uint32_t ser_order_first_after(const ser_order *order, uint32_t event, uint32_t thread,
                               uint32_t from)
{
    const ser_run *run = order->run;
    uint32_t own = run->events[event].thread, eid = run->eid[event];
    if (own == thread)
        return eid + 1;
    uint32_t end = (uint32_t)run->threads.items[thread].events.count + 1;
    uint32_t low = from, high = from, stride = 1;
    while (high < end && ser_order_known(order, ser_run_at(run, thread, high), own) < eid) {
        low = high + 1;
        high = end - high > stride ? high + stride : end;
        stride *= 2;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ser_order_known(order, ser_run_at(run, thread, middle), own) >= eid)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Is one of the demanded writes the event, or after it? */
static bool is_demanded_after(const ser_order *order, uint32_t event, uint32_t head)
{
    for (; head; head = order->demands.all.items[head - 1].next) {
        uint32_t source = order->demands.all.items[head - 1].source;
        if (source == event || ser_order_before(order, event, source))
            return true;
    }
    return false;
}

bool ser_order_only_by_couple(const ser_order *order, uint32_t event, uint32_t read)
{
    const ser_run *run = order->run;
    uint32_t first = ser_run_step_first(run, read);
    if (ser_run_is_late(run, first))
        return false; /* it would have to come after the event in any case */
    if (!ser_run_step_reads_other(run, read) ||
        is_demanded_after(order, event, ser_demands_of_step(&order->demands, first)))
        return false;
    uint32_t previous = ser_run_previous(run, first);
    uint32_t thread = run->events[read].thread;
    if (previous) {
        if (ser_order_before(order, event, previous))
            return false;
        uint32_t notify =
            ser_op_waits((ser_op)run->events[previous].op) ? run->couple[previous] : 0;
        return !notify || (notify != event && !ser_order_before(order, event, notify));
    }
    uint32_t fork = run->threads.items[thread].fork;
    return !fork || (fork != event && !ser_order_before(order, event, fork));
}
