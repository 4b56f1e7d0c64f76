/* SPDX-License-Identifier: MIT */
/*
 * The definition, prefix by prefix: the graph of transactions is built from
 * every pair of conflicting events, and cycles are found by plain search.
 */
#include "definition.h"

#include "conflict.h"
#include "graph.h"

static void add_edges_into(const definition *d, graph *g, size_t later)
{
    const facts *f = &d->facts;
    for (size_t i = 1; i < later; i++)
        if (conflict_between(d, i, later) && f->transaction[i] != f->transaction[later])
            graph_add(g, f->transaction[i], f->transaction[later]);
}

static void find_first_cycle(definition *d)
{
    graph g;
    graph_init(&g, d->facts.count);
    for (size_t last = 1; last <= d->facts.count && !d->first_cycle; last++) {
        add_edges_into(d, &g, last);
        if (graph_has_cycle(&g)) {
            d->first_cycle = last;
            d->block = d->facts.transaction[last];
        }
    }
    graph_fini(&g);
}

bool definition_is_on_cycle(const definition *d, size_t transaction, size_t last)
{
    graph g;
    graph_init(&g, d->facts.count);
    for (size_t i = 1; i <= last; i++)
        add_edges_into(d, &g, i);
    bool result = graph_reaches(&g, transaction, transaction);
    graph_fini(&g);
    return result;
}

/* Is the transaction of an event still open when the prefix ends? */
static bool is_open(const facts *f, size_t number, size_t last)
{
    size_t close = f->close[f->transaction[number]];
    return close == 0 || close > last;
}

/* The prefix without edges into open transactions, `kept` excepted (0: none). */
static bool has_cycle_without_open(const definition *d, size_t last, size_t kept)
{
    const facts *f = &d->facts;
    graph g;
    graph_init(&g, f->count);
    for (size_t i = 1; i <= last; i++)
        if (takes_part(f, i) && (!is_open(f, i, last) || f->transaction[i] == kept))
            add_edges_into(d, &g, i);
    bool result = graph_has_cycle(&g);
    graph_fini(&g);
    return result;
}

static bool has_cycle_with_one_open(const definition *d, size_t last)
{
    const facts *f = &d->facts;
    if (has_cycle_without_open(d, last, 0))
        return true;
    for (size_t kept = 1; kept <= last; kept++)
        if (f->transaction[kept] == kept && is_open(f, kept, last) &&
            has_cycle_without_open(d, last, kept))
            return true;
    return false;
}

/* The graph of events: along conflicts, and both ways within a transaction that
 * has ended. */
static void connect_events(const definition *d, graph *g, size_t last)
{
    const facts *f = &d->facts;
    for (size_t i = 1; i <= last; i++) {
        for (size_t j = i + 1; j <= last; j++) {
            if (conflict_between(d, i, j))
                graph_add(g, i, j);
            if (takes_part(f, i) && f->transaction[i] == f->transaction[j] && !is_open(f, i, last))
                graph_add(g, j, i);
        }
    }
}

/* Does a path leave the transaction that starts with `first` and come back? */
static bool path_returns_to(const definition *d, graph *g, size_t first)
{
    const facts *f = &d->facts;
    bool *outside = ser_alloc(f->count + 1, sizeof *outside);
    bool *back = ser_alloc(f->count + 1, sizeof *back);
    bool returns = false;
    graph_mark_reachable(g, first, outside);
    for (size_t i = 1; i <= f->count && !returns; i++) {
        if (!outside[i] || f->transaction[i] == first)
            continue;
        graph_mark_reachable(g, i, back);
        for (size_t j = 1; j <= f->count; j++)
            returns |= back[j] && f->transaction[j] == first;
    }
    free(outside);
    free(back);
    return returns;
}

static bool has_forward_cycle(const definition *d, size_t last)
{
    graph g;
    graph_init(&g, d->facts.count);
    connect_events(d, &g, last);
    bool found = false;
    for (size_t first = 1; first <= last && !found; first++)
        found = d->facts.transaction[first] == first && path_returns_to(d, &g, first);
    graph_fini(&g);
    return found;
}

static size_t find_first_prefix(const definition *d, bool (*has)(const definition *, size_t))
{
    for (size_t last = d->first_cycle; last && last <= d->facts.count; last++)
        if (has(d, last))
            return last;
    return 0;
}

void definition_init(definition *d, const ser_event *events, size_t count)
{
    *d = (definition){0};
    facts_init(&d->facts, events, count);
    d->conflicts = ser_alloc((count + 1) * (count + 1), sizeof *d->conflicts);
    for (size_t i = 1; i <= count; i++)
        for (size_t j = i + 1; j <= count; j++)
            d->conflicts[i * (count + 1) + j] = events_conflict(&d->facts, i, j);
    find_first_cycle(d);
    d->first_with_one_open = find_first_prefix(d, has_cycle_with_one_open);
    d->first_forward = find_first_prefix(d, has_forward_cycle);
}

void definition_fini(definition *d)
{
    facts_fini(&d->facts);
    free(d->conflicts);
}
