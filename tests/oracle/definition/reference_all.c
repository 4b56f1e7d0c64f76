/* SPDX-License-Identifier: MIT */
/*
 * For each event: list the events directly before it, by scanning back, and add
 * an edge from each one's transaction unless the event's transaction already
 * reaches it. reference_all is the loop.
 *
 * Edges into one and the same transaction do not influence one another (a path
 * that starts there and uses one has come back already), so their order does not
 * matter.
 */
#include "reference_all.h"

#include "graph.h"

/* The events directly before an event. */
typedef struct edges {
    const facts *facts;
    size_t into;
    node_list from;
} edges;

static void add(edges *e, size_t number)
{
    if (number)
        ser_vector_push(&e->from, number);
}

/* An access of one thread hides that thread's earlier ones of the same kind. */
static bool has_from_thread(const edges *e, size_t start, uint32_t thread)
{
    for (size_t i = start; i < e->from.count; i++)
        if (event_at(e->facts, e->from.items[i])->thread == thread)
            return true;
    return false;
}

/* The last exclusive operation before the event, and on the way there, with
 * shared_too, the last shared one of each thread. */
static void add_last(edges *e, bool (*exclusive)(const facts *, size_t, uint32_t),
                     bool (*shared)(const facts *, size_t, uint32_t), bool shared_too)
{
    const facts *f = e->facts;
    uint32_t object = event_at(f, e->into)->object;
    size_t start = e->from.count;
    size_t i = e->into - 1;
    for (; i > 0 && !exclusive(f, i, object); i--)
        if (shared_too && shared(f, i, object) &&
            !has_from_thread(e, start, event_at(f, i)->thread))
            add(e, i);
    add(e, i);
}

static bool writes(const facts *f, size_t number, uint32_t variable)
{
    return is_operation(f, number, SER_OP_WRITE, variable) ||
           is_operation(f, number, SER_OP_RMW, variable);
}

static bool reads(const facts *f, size_t number, uint32_t variable)
{
    return is_operation(f, number, SER_OP_READ, variable);
}

static bool releases(const facts *f, size_t number, uint32_t lock)
{
    return is_operation(f, number, SER_OP_RELEASE, lock);
}

static bool releases_shared(const facts *f, size_t number, uint32_t lock)
{
    return is_operation(f, number, SER_OP_SHARED_RELEASE, lock);
}

static void add_fork(edges *e)
{
    uint32_t thread = event_at(e->facts, e->into)->thread;
    for (size_t i = 1; i < e->into; i++)
        if (is_operation(e->facts, i, SER_OP_FORK, thread))
            add(e, i);
}

static void add_last_event(edges *e, uint32_t thread)
{
    size_t i = e->into - 1;
    while (i > 0 && (!takes_part(e->facts, i) || event_at(e->facts, i)->thread != thread))
        i--;
    add(e, i);
}

static void add_arrivals(edges *e)
{
    const facts *f = e->facts;
    for (size_t i = 1; i < e->into; i++)
        if (is_operation(f, i, SER_OP_ARRIVE, event_at(f, e->into)->object) &&
            f->round[i] == f->round[e->into])
            add(e, i);
}

static void add_holders(edges *e)
{
    for (size_t i = 1; i < e->into; i++)
        if (is_acquire_of(e->facts, i, event_at(e->facts, e->into)->object) &&
            still_holds(e->facts, i, e->into))
            add(e, i);
}

/* Failed tries since the release before this one. */
static void add_failed_tries(edges *e)
{
    const facts *f = e->facts;
    uint32_t lock = event_at(f, e->into)->object;
    for (size_t i = e->into - 1; i > 0 && !is_release_of(f, i, lock); i--)
        if (is_operation(f, i, SER_OP_TRY_FAILED, lock))
            add(e, i);
}

/* Edges that depend on the operation. */
static void add_conflicts(edges *e)
{
    const facts *f = e->facts;
    const ser_event *event = event_at(f, e->into);
    if (f->inner[e->into])
        return;
    switch ((ser_op)event->op) {
    case SER_OP_READ:
        add_last(e, writes, reads, false);
        break;
    case SER_OP_WRITE:
    case SER_OP_RMW:
        add_last(e, writes, reads, true);
        break;
    case SER_OP_SHARED_ACQUIRE:
        add_last(e, releases, releases_shared, false);
        break;
    case SER_OP_ACQUIRE:
        add_last(e, releases, releases_shared, true);
        break;
    case SER_OP_RELEASE:
    case SER_OP_SHARED_RELEASE:
        add_failed_tries(e);
        break;
    case SER_OP_TRY_FAILED:
        add_holders(e);
        break;
    case SER_OP_JOIN:
        add_last_event(e, event->object);
        break;
    case SER_OP_DEPART:
        add_arrivals(e);
        break;
    case SER_OP_TAKE:
        add(e, f->post[e->into]);
        break;
    default:
        break;
    }
}

static void direct_edges(edges *e)
{
    const facts *f = e->facts;
    e->from.count = 0;
    add(e, f->previous[e->into]);
    if (!f->previous[e->into])
        add_fork(e);
    add(e, f->woken_by[e->into]);
    add_conflicts(e);
}

/* Adds the edges that close no cycle; true if there were others. */
static bool extend_graph(graph *g, const edges *e)
{
    const facts *f = e->facts;
    size_t to = f->transaction[e->into];
    bool closes = false;
    for (size_t i = 0; i < e->from.count; i++) {
        size_t from = f->transaction[e->from.items[i]];
        if (from == to)
            continue;
        if (graph_reaches(g, to, from))
            closes = true;
        else
            graph_add(g, from, to);
    }
    return closes;
}

static bool was_found(const finding_list *findings, size_t block)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].block == block)
            return true;
    return false;
}

void reference_all(finding_list *findings, const facts *f)
{
    graph g;
    edges e = {.facts = f};
    graph_init(&g, f->count);
    for (size_t number = 1; number <= f->count; number++) {
        if (!takes_part(f, number))
            continue;
        e.into = number;
        direct_edges(&e);
        size_t block = f->transaction[number];
        if (extend_graph(&g, &e) && !was_found(findings, block)) {
            finding found = {number, block, event_at(f, number)->thread};
            ser_vector_push(findings, found);
        }
    }
    ser_vector_free(&e.from);
    graph_fini(&g);
}
