/* SPDX-License-Identifier: MIT */
/*
 * graph.h - the graph of transactions, acyclic at all times.
 *
 * Nodes are named by tokens (slot and generation); the token of a node that was
 * collected is dead. A node is collected when it has ended and no edge leads to
 * it, for it can then never lie on a cycle.
 *
 * The graph keeps a topological order, after Pearce and Kelly (2006): an edge that
 * agrees with the order costs O(1), and one that does not searches only the nodes
 * between its ends in the order. Of the edges from one node into one thread only
 * the first is stored: program order implies the others.
 */
#ifndef SER_MONITOR_ENGINES_GRAPH_H
#define SER_MONITOR_ENGINES_GRAPH_H

#include "base/vector.h"
#include "monitor/engine.h"

typedef struct ser_graph_target {
    uint32_t thread;
    uint32_t slot;
} ser_graph_target;

typedef struct ser_graph_node {
    ser_transaction span;
    uint64_t order; /* topological: less than that of every target */
    uint32_t generation;
    uint32_t incoming; /* number of edges to it */
    uint32_t parent;   /* slot it was reached from, during a search */
    bool ended;
    bool visited;
    bool reported;                        /* as a violated block */
    SER_VECTOR(ser_graph_target) targets; /* by thread */
    SER_VECTOR(uint64_t) sources;         /* tokens; some may be dead */
} ser_graph_node;

typedef SER_VECTOR(uint32_t) ser_slot_list;

typedef struct ser_graph {
    SER_VECTOR(ser_graph_node) nodes;
    ser_slot_list unused;
    ser_slot_list forward, backward, doomed; /* scratch */
    SER_VECTOR(uint64_t) orders;             /* scratch */
    SER_VECTOR(ser_transaction) cycle;       /* of the last refused edge */
    uint64_t next_order;
} ser_graph;

/* An all-zero ser_graph is empty and valid. */
void ser_graph_fini(ser_graph *graph);

static inline ser_graph_node *ser_graph_node_of(const ser_graph *graph, uint64_t token)
{
    return &graph->nodes.items[(uint32_t)token];
}

static inline bool ser_graph_alive(const ser_graph *graph, uint64_t token)
{
    return ser_graph_node_of(graph, token)->generation == token >> 32;
}

/* A new node, last in the order. */
uint64_t ser_graph_add_node(ser_graph *graph, uint32_t thread, uint64_t event);

/* The transaction has ended; the node may be collected at once. */
void ser_graph_end_node(ser_graph *graph, uint64_t token);

/* Does an edge lead from the node into that thread? */
bool ser_graph_leads_to_thread(const ser_graph *graph, uint64_t token, uint32_t thread);

/* Adds an edge between nodes that are alive, unless it is implied. False if it
 * would close a cycle: the edge is left out and graph->cycle is a shortest such
 * cycle, beginning with the node `to`. */
bool ser_graph_add_edge(ser_graph *graph, uint64_t from, uint64_t to);

#endif
