/* SPDX-License-Identifier: MIT */
/*
 * Distances between all pairs of vertices, by Floyd and Warshall. For the path
 * criterion vertices are executed accesses, for serializability the transactions that
 * have one.
 */
#include "avp_run.h"

enum { FAR = 1000 };
#define NO_VERTEX SIZE_MAX /* of a step that is not an access */

typedef struct distances {
    size_t count;
    size_t transaction[AVP_MOST_EVENTS]; /* by vertex */
    size_t vertex[AVP_MOST_EVENTS];      /* by step */
    size_t edges[AVP_MOST_EVENTS][AVP_MOST_EVENTS];
} distances;

bool avp_run_step(avp_run *run, uint32_t event)
{
    const facts *f = &run->world->facts;
    if (event == 0 || event > f->count || !takes_part(f, event) ||
        avp_next(run->world, &run->state, event_at(f, event)->thread) != event)
        return false;
    run->broken[run->count] = avp_breaks(run->world, &run->state, event);
    avp_step(run->world, &run->state, event);
    run->order[run->count++] = event;
    return true;
}

void avp_run_undo(avp_run *run, const avp_state *before)
{
    run->count--;
    run->state = *before;
}

static bool writes(const avp_run *run, size_t place)
{
    return avp_wrote(run->world, &run->state, run->order[place]);
}

static bool are_one_step(const avp_run *run, size_t a, size_t b)
{
    return run->world->step[run->order[a]] == run->world->step[run->order[b]];
}

bool avp_run_edge(const avp_run *run, size_t from, size_t to)
{
    const ser_event *a = event_at(&run->world->facts, run->order[from]);
    const ser_event *b = event_at(&run->world->facts, run->order[to]);
    if (!is_access(a) || !is_access(b) || from == to)
        return false;
    if (from > to)
        return are_one_step(run, from, to);
    return a->thread == b->thread ||
           (a->object == b->object && (writes(run, from) || writes(run, to)));
}

/* The vertex of a transaction; a new one if it has none. */
static size_t find_vertex(distances *d, size_t transaction)
{
    size_t vertex = 0;
    while (vertex < d->count && d->transaction[vertex] != transaction)
        vertex++;
    return vertex;
}

static void make_vertices(distances *d, const avp_run *run, bool serializability)
{
    d->count = 0;
    for (size_t step = 0; step < run->count; step++) {
        d->vertex[step] = NO_VERTEX;
        if (!avp_is_access(run->world, run->order[step]))
            continue;
        size_t transaction = run->world->facts.transaction[run->order[step]];
        size_t vertex = serializability ? find_vertex(d, transaction) : d->count;
        d->transaction[vertex] = transaction;
        d->vertex[step] = vertex;
        if (vertex == d->count)
            d->count++;
    }
    for (size_t a = 0; a < d->count; a++)
        for (size_t b = 0; b < d->count; b++)
            d->edges[a][b] = FAR;
}

static void make_edges(distances *d, const avp_run *run)
{
    for (size_t to = 0; to < run->count; to++)
        for (size_t from = 0; from < run->count; from++)
            if (avp_run_edge(run, from, to) && d->vertex[from] != d->vertex[to])
                d->edges[d->vertex[from]][d->vertex[to]] = 1;
}

static void close_distances(distances *d)
{
    for (size_t by = 0; by < d->count; by++)
        for (size_t a = 0; a < d->count; a++)
            for (size_t b = 0; b < d->count; b++)
                if (d->edges[a][by] + d->edges[by][b] < d->edges[a][b])
                    d->edges[a][b] = d->edges[a][by] + d->edges[by][b];
}

/* From the block to a vertex outside and back. */
static size_t shortest_excursion(const distances *d, size_t block)
{
    size_t shortest = FAR;
    for (size_t s = 0; s < d->count; s++)
        for (size_t v = 0; v < d->count; v++)
            for (size_t t = 0; t < d->count; t++)
                if (d->transaction[s] == block && d->transaction[v] != block &&
                    d->transaction[t] == block && d->edges[s][v] + d->edges[v][t] < shortest)
                    shortest = d->edges[s][v] + d->edges[v][t];
    return shortest < FAR ? shortest : 0;
}

size_t avp_run_violation(const avp_run *run, size_t block, bool serializability)
{
    distances d;
    if (run->state.inside)
        return 0;
    make_vertices(&d, run, serializability);
    make_edges(&d, run);
    close_distances(&d);
    return shortest_excursion(&d, block);
}
