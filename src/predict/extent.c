/* SPDX-License-Identifier: MIT */
/*
 * The partial order graph backwards. Of every thread there is a vector: for each
 * thread, its first event that must happen after the event looked at last. It is taken
 * over from the thread's next event and lowered along the edges to other threads
 * (take_edges). An edge is kept, with the vector of its target, from the target to its
 * source, which comes later in this pass.
 *
 * First events are written as 2 * eid, or 2 * eid + 1 for a read that only its couple
 * puts there: it still belongs to N. The smaller one of two such numbers is right
 * whichever way an event is reached, and half of it, rounded up, is where N ends.
 */
#include "predict/extent.h"

enum { MOST_EVENTS = INT32_MAX - 2 }; /* so that twice an eid is a number */

/* An edge whose target was seen and whose source was not. */
typedef struct edge {
    uint32_t thread, code; /* of the target: 2 * eid or 2 * eid + 1 */
    uint32_t place;        /* of the target's vector */
    uint32_t next;         /* of the same source; 0: none */
} edge;

typedef struct sweep {
    const ser_order *order;
    const ser_run *run;
    uint32_t width;
    SER_VECTOR(uint32_t) numbers; /* vectors of `width` numbers; the own one is not kept up */
    SER_VECTOR(uint32_t) uses;    /* of each vector */
    SER_VECTOR(uint32_t) unused;  /* places of vectors that nobody uses */
    uint32_t *place;              /* of each thread's vector */
    uint32_t *edges;              /* of each event: its first edge */
    uint32_t *news;               /* of each vector of the order: the event that it begins with */
    SER_VECTOR(edge) pool;        /* pool.items[0] is unused */
    uint32_t free_edges;          /* a list */
    uint32_t *first_access;       /* of each block, as far as seen */
    uint64_t *extents;
} sweep;

static uint32_t *numbers_at(sweep *s, uint32_t place)
{
    return s->numbers.items + (size_t)place * s->width;
}

static uint32_t new_place(sweep *s)
{
    uint32_t place;
    if (s->unused.count) {
        place = s->unused.items[--s->unused.count];
    } else {
        place = (uint32_t)s->uses.count;
        ser_vector_extend(&s->uses, (size_t)place + 1);
        ser_vector_reserve(&s->numbers, ((size_t)place + 1) * s->width);
    }
    s->uses.items[place] = 1;
    return place;
}

static void drop_place(sweep *s, uint32_t place)
{
    if (--s->uses.items[place] == 0)
        ser_vector_push(&s->unused, place);
}

/* The thread's vector, to be changed: its own copy if edges use it, too. */
static uint32_t *own_numbers(sweep *s, uint32_t thread)
{
    uint32_t old = s->place[thread];
    if (s->uses.items[old] > 1) {
        uint32_t fresh = new_place(s);
        memcpy(numbers_at(s, fresh), numbers_at(s, old), s->width * sizeof *s->numbers.items);
        drop_place(s, old);
        s->place[thread] = fresh;
    }
    return numbers_at(s, s->place[thread]);
}

/* --- edges -------------------------------------------------------------------- */

static void keep_edge(sweep *s, uint32_t source, uint32_t target, bool only_couple)
{
    const ser_run *run = s->run;
    uint32_t thread = run->events[target].thread;
    if (!source || run->events[source].thread == thread)
        return;
    uint32_t slot = s->free_edges;
    if (slot) {
        s->free_edges = s->pool.items[slot].next;
    } else {
        slot = (uint32_t)s->pool.count;
        ser_vector_extend(&s->pool, (size_t)slot + 1);
    }
    uint32_t place = s->place[thread];
    s->uses.items[place]++;
    s->pool.items[slot] =
        (edge){thread, 2 * run->eid[target] + only_couple, place, s->edges[source]};
    s->edges[source] = slot;
}

static void keep_chain(sweep *s, uint32_t first, uint32_t target)
{
    for (uint32_t source = first; source; source = s->run->match[source])
        keep_edge(s, source, target, false);
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

static void keep_join_edge(sweep *s, uint32_t event)
{
    const ser_run_thread *child = &s->run->threads.items[s->run->events[event].object];
    const ser_event_list *events = &child->events;
    keep_edge(s, events->count ? events->items[events->count - 1] : child->fork, event, false);
}

/* The order knows of each thread the last event before a late one, and no later one. */
static void keep_late_edges(sweep *s, uint32_t event)
{
    for (uint32_t i = 0; i < s->width; i++) {
        uint32_t known = ser_order_known(s->order, event, i);
        if (known)
            keep_edge(s, ser_run_at(s->run, i, known), event, false);
    }
}

static void keep_edges(sweep *s, uint32_t event)
{
    const ser_run *run = s->run;
    keep_entry_edge(s, event);
    if (ser_run_is_late(run, event))
        keep_late_edges(s, event);
    ser_op op = (ser_op)run->events[event].op;
    if (ser_op_has(op, SER_READS | SER_TESTS))
        keep_edge(s, run->couple[event], event, true);
    else if (ser_op_takes(op))
        keep_edge(s, run->couple[event], event, false);
    else if (ser_op_joins(op))
        keep_join_edge(s, event);
    else if (ser_op_notifies(op) || ser_op_departs(op))
        keep_chain(s, run->match[event], event);
}

static void lower_to(uint32_t *restrict numbers, const uint32_t *restrict others, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        numbers[i] = others[i] < numbers[i] ? others[i] : numbers[i];
}

static void take_edge(sweep *s, uint32_t thread, const edge *way)
{
    if (numbers_at(s, s->place[thread])[way->thread] <= way->code)
        return; /* whoever is before an event is before all that come after it */
    uint32_t *numbers = own_numbers(s, thread);
    lower_to(numbers, numbers_at(s, way->place), s->width);
    numbers[way->thread] = way->code;
}

static void take_edges(sweep *s, uint32_t event)
{
    uint32_t thread = s->run->events[event].thread;
    while (s->edges[event]) {
        uint32_t slot = s->edges[event];
        edge way = s->pool.items[slot];
        take_edge(s, thread, &way);
        drop_place(s, way.place);
        s->edges[event] = way.next;
        s->pool.items[slot].next = s->free_edges;
        s->free_edges = slot;
    }
}

/* --- blocks --------------------------------------------------------------------- */

/* Where N ends, added up over the threads. */
static uint64_t sum_ends(sweep *s, uint32_t event)
{
    uint32_t thread = s->run->events[event].thread;
    const uint32_t *numbers = numbers_at(s, s->place[thread]);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->width; i++)
        sum += numbers[i] / 2 + numbers[i] % 2;
    return sum - (numbers[thread] / 2 + numbers[thread] % 2) + s->run->eid[event] + 1;
}

/* Where it begins. */
static uint64_t sum_begins(const sweep *s, uint32_t event)
{
    const uint32_t *known = s->order->vectors.items + (size_t)s->order->vector_of[event] * s->width;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < s->width; i++)
        sum += known[i];
    sum -= known[s->run->events[event].thread];
    return sum + s->run->eid[event] - 1 + s->width;
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

/* Only where a vector of the partial order graph begins, edges say something new. Places
 * of vectors ascend with the events that begin them. */
static void find_news(sweep *s)
{
    uint32_t last = 0;
    for (uint32_t event = 1; event <= s->run->count; event++) {
        if (s->order->vector_of[event] > last)
            s->news[last = s->order->vector_of[event]] = event;
    }
}

static void sweep_run(sweep *s)
{
    for (uint32_t event = s->run->count; event > 0; event--) {
        if (!s->run->eid[event])
            continue;
        take_edges(s, event);
        if (s->news[s->order->vector_of[event]] == event)
            keep_edges(s, event);
        note_access(s, event);
    }
    for (size_t i = 0; i < s->run->blocks.count; i++)
        if (s->first_access[i])
            s->extents[i] -= sum_begins(s, s->first_access[i]);
}

/* A vector that says that nothing comes after, for all threads. */
static void start_vectors(sweep *s)
{
    uint32_t place = new_place(s);
    for (uint32_t i = 0; i < s->run->threads.count; i++)
        numbers_at(s, place)[i] = 2 * ((uint32_t)s->run->threads.items[i].events.count + 1);
    s->uses.items[place] = s->width + 1; /* never given back */
}

uint64_t *ser_extent_of_blocks(const ser_order *order)
{
    const ser_run *run = order->run;
    sweep s = {.order = order, .run = run, .width = order->width};
    if (run->count > MOST_EVENTS || run->joined)
        return NULL;
    s.place = ser_alloc(s.width, sizeof *s.place);
    s.edges = ser_alloc((size_t)run->count + 1, sizeof *s.edges);
    s.first_access = ser_alloc(run->blocks.count, sizeof *s.first_access);
    s.extents = ser_alloc(run->blocks.count, sizeof *s.extents);
    ser_vector_extend(&s.pool, 1);
    s.news = ser_alloc(order->vectors.count / s.width, sizeof *s.news);
    find_news(&s);
    start_vectors(&s);
    sweep_run(&s);
    ser_vector_free(&s.numbers);
    ser_vector_free(&s.uses);
    ser_vector_free(&s.unused);
    ser_vector_free(&s.pool);
    free(s.place);
    free(s.edges);
    free(s.news);
    free(s.first_access);
    return s.extents;
}
