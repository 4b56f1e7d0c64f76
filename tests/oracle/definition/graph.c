/* SPDX-License-Identifier: MIT */
/*
 * Depth-first search. A node is NEW, then OPEN while the search is below it,
 * then DONE; a cycle shows as an edge to a node that is OPEN.
 */
#include "graph.h"

enum { NEW, OPEN, DONE };

void graph_init(graph *g, size_t count)
{
    g->count = count;
    g->successors = ser_alloc(count + 1, sizeof *g->successors);
    g->state = ser_alloc(count + 1, sizeof *g->state);
}

void graph_fini(graph *g)
{
    for (size_t node = 1; node <= g->count; node++)
        ser_vector_free(&g->successors[node]);
    free(g->successors);
    free(g->state);
}

void graph_add(graph *g, size_t from, size_t to)
{
    node_list *list = &g->successors[from];
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == to)
            return;
    ser_vector_push(list, to);
}

/* Searches below a node; true if it meets an edge back to a node above. */
static bool search(graph *g, size_t node)
{
    bool cycle = false;
    g->state[node] = OPEN;
    for (size_t i = 0; i < g->successors[node].count; i++) {
        size_t next = g->successors[node].items[i];
        if (g->state[next] == OPEN || (g->state[next] == NEW && search(g, next)))
            cycle = true;
    }
    g->state[node] = DONE;
    return cycle;
}

static void start_search(graph *g)
{
    memset(g->state, NEW, g->count + 1);
}

void graph_mark_reachable(graph *g, size_t from, bool *seen)
{
    start_search(g);
    for (size_t i = 0; i < g->successors[from].count; i++)
        if (g->state[g->successors[from].items[i]] == NEW)
            search(g, g->successors[from].items[i]);
    for (size_t node = 1; node <= g->count; node++)
        seen[node] = g->state[node] != NEW;
}

bool graph_reaches(graph *g, size_t from, size_t to)
{
    start_search(g);
    for (size_t i = 0; i < g->successors[from].count; i++)
        if (g->state[g->successors[from].items[i]] == NEW)
            search(g, g->successors[from].items[i]);
    return g->state[to] != NEW;
}

bool graph_has_cycle(graph *g)
{
    start_search(g);
    for (size_t node = 1; node <= g->count; node++)
        if (g->state[node] == NEW && search(g, node))
            return true;
    return false;
}
