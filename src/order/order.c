/* SPDX-License-Identifier: MIT */
#include "order/order.h"

enum { AHEAD = 32, RECENT = 256 }; /* events; a power of two */

/* What is known while the graph is built, event by event. */
typedef struct builder {
    ser_order *order;
    const ser_run *run;
    SER_VECTOR(uint32_t) current;  /* place of each thread's vector; 0: all zero */
    SER_VECTOR(uint32_t) previous; /* the last event of each thread so far; 0: none */
    uint32_t *recent; /* RECENT of each thread: sources in other threads that it knows */
    bool changed;     /* the event has a vector of its own */
} builder;

static const uint32_t *vector_at(const ser_order *order, uint32_t place)
{
    return order->vectors.items + (size_t)place * order->width;
}

/* The larger one of each pair; written so that compilers make it run in parallel. */
static void raise_to(uint32_t *restrict vector, const uint32_t *restrict known, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        vector[i] = known[i] > vector[i] ? known[i] : vector[i];
}

/* The thread's vector, to be changed for this event: a copy, unless it is one already. */
static uint32_t *own_vector(builder *work, uint32_t thread)
{
    ser_order *order = work->order;
    size_t used = order->vectors.count, width = order->width;
    if (work->changed)
        return order->vectors.items + used - width;
    ser_vector_reserve(&order->vectors, used + width);
    order->vectors.count = used + width;
    memcpy(order->vectors.items + used, vector_at(order, work->current.items[thread]),
           width * sizeof *order->vectors.items);
    work->current.items[thread] = (uint32_t)(used / width);
    work->changed = true;
    return order->vectors.items + used;
}

/* Adds the edge from an event to the one of the thread that is looked at. */
static void add_edge(builder *work, uint32_t from, uint32_t thread)
{
    const ser_run *run = work->run;
    uint32_t *recent = &work->recent[(size_t)thread * RECENT + from % RECENT];
    if (*recent == from) { /* as most often: this spares a look at events far away */
        work->order->cross_edges++;
        return;
    }
    uint32_t source = run->events[from].thread;
    if (source == thread)
        return;
    work->order->cross_edges++;
    *recent = from;
    from = ser_run_step_last(run, from);
    if (vector_at(work->order, work->current.items[thread])[source] >= run->eid[from])
        return; /* whoever knows the event knows all that came before it */
    uint32_t *vector = own_vector(work, thread);
    raise_to(vector, vector_at(work->order, work->order->vector_of[from]), work->order->width);
    vector[source] = run->eid[from];
}

/* Edges from what lets a thread take this step at all. */
static void add_entry_edges(builder *work, uint32_t event)
{
    const ser_run *run = work->run;
    uint32_t thread = run->events[event].thread;
    uint32_t previous = work->previous.items[thread];
    if (!previous && run->threads.items[thread].fork)
        add_edge(work, run->threads.items[thread].fork, thread);
    if (previous && ser_op_waits((ser_op)run->events[previous].op) && run->couple[previous])
        add_edge(work, run->couple[previous], thread);
}

static void add_chain(builder *work, uint32_t first, uint32_t thread)
{
    for (uint32_t next = first; next; next = work->run->match[next])
        add_edge(work, next, thread);
}

static void add_own_edges(builder *work, uint32_t event)
{
    const ser_run *run = work->run;
    const ser_event *now = &run->events[event];
    ser_op op = (ser_op)now->op;
    if (ser_op_has(op, SER_READS | SER_TESTS) || ser_op_takes(op)) {
        if (run->couple[event])
            add_edge(work, run->couple[event], now->thread);
    } else if (ser_op_joins(op)) {
        const ser_event_list *child = &run->threads.items[now->object].events;
        if (child->count)
            add_edge(work, child->items[child->count - 1], now->thread);
        else if (run->threads.items[now->object].fork)
            add_edge(work, run->threads.items[now->object].fork, now->thread);
    } else if (ser_op_notifies(op) || ser_op_departs(op)) {
        add_chain(work, run->match[event], now->thread);
    }
}

/* To a late event, from the last events of all threads. */
static void add_late_edges(builder *work, uint32_t event)
{
    for (uint32_t i = 0; i < work->previous.count; i++)
        if (work->previous.items[i])
            add_edge(work, work->previous.items[i], work->run->events[event].thread);
}

static void place_vector(builder *work, uint32_t event)
{
    uint32_t last = ser_run_step_last(work->run, event);
    work->changed = false;
    add_entry_edges(work, event);
    if (ser_run_is_late(work->run, event))
        add_late_edges(work, event);
    for (uint32_t member = event; member <= last; member++)
        add_own_edges(work, member);
    work->order->vector_of[event] = work->current.items[work->run->events[event].thread];
}

static bool has_edges(const builder *work, uint32_t event)
{
    const ser_run *run = work->run;
    uint32_t previous = work->previous.items[run->events[event].thread];
    if (previous && ser_run_is_joined(run, previous))
        return false; /* the first event of its step has them */
    return !previous || ser_run_is_joined(run, event) || ser_run_is_late(run, event) ||
           run->couple[event] || run->match[event] || ser_op_joins((ser_op)run->events[event].op) ||
           ser_op_waits((ser_op)run->events[previous].op);
}

/* Sources of edges lie far from their targets: asked for ahead, memory answers in time. */
static void look_ahead(const builder *work, uint32_t event)
{
    if (event + AHEAD > work->run->count)
        return;
    uint32_t source = work->run->couple[event + AHEAD];
    __builtin_prefetch(&work->run->events[source]);
    __builtin_prefetch(&work->run->eid[source]);
    __builtin_prefetch(&work->order->vector_of[source]);
}

ser_order *ser_order_create(const ser_run *run)
{
    ser_order *order = ser_alloc(1, sizeof *order);
    order->run = run;
    order->width = run->threads.count ? (uint32_t)run->threads.count : 1;
    order->vector_of = ser_alloc((size_t)run->count + 1, sizeof *order->vector_of);
    ser_vector_extend(&order->vectors, order->width);

    builder work = {.order = order, .run = run};
    ser_vector_extend(&work.current, order->width);
    ser_vector_extend(&work.previous, order->width);
    work.recent = ser_alloc((size_t)order->width * RECENT, sizeof *work.recent);
    for (uint32_t event = 1; event <= run->count; event++) {
        look_ahead(&work, event);
        if (!run->eid[event])
            continue;
        uint32_t thread = run->events[event].thread;
        if (has_edges(&work, event))
            place_vector(&work, event);
        else
            order->vector_of[event] = work.current.items[thread];
        work.previous.items[thread] = event;
    }
    ser_vector_free(&work.previous);
    ser_vector_free(&work.current);
    free(work.recent);
    return order;
}

void ser_order_destroy(ser_order *order)
{
    if (!order)
        return;
    free(order->vector_of);
    ser_vector_free(&order->vectors);
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

/* Is it a read of what another thread wrote? */
static bool reads_from_another(const ser_run *run, uint32_t event)
{
    ser_op op = (ser_op)run->events[event].op;
    return ser_op_has(op, SER_READS | SER_TESTS) && run->couple[event] &&
           run->events[run->couple[event]].thread != run->events[event].thread;
}

bool ser_order_only_by_couple(const ser_order *order, uint32_t event, uint32_t read)
{
    const ser_run *run = order->run;
    uint32_t first = ser_run_step_first(run, read), last = ser_run_step_last(run, read);
    bool coupled = false;
    if (ser_run_is_late(run, first))
        return false; /* it would have to come after the event in any case */
    for (uint32_t member = first; member <= last; member++)
        coupled |= reads_from_another(run, member);
    if (!coupled)
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
