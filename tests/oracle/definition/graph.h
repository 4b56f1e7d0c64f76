/* SPDX-License-Identifier: MIT */
/*
 * graph.h - a directed graph and depth-first search, nothing clever.
 *
 * Nodes are 1 .. count.
 */
#ifndef SER_ORACLE_GRAPH_H
#define SER_ORACLE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vector.h"

typedef SER_VECTOR(size_t) node_list;

typedef struct graph {
    size_t count;
    node_list *successors;
    unsigned char *state; /* of a search */
} graph;

void graph_init(graph *g, size_t count);
void graph_fini(graph *g);

/* An edge that exists already is not added again. */
void graph_add(graph *g, size_t from, size_t to);

/* Is there a path of one edge or more? */
bool graph_reaches(graph *g, size_t from, size_t to);

/* Marks in seen (count + 1 entries) what a path of one edge or more leads to. */
void graph_mark_reachable(graph *g, size_t from, bool *seen);

bool graph_has_cycle(graph *g);

#endif
