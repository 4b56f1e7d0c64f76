/* SPDX-License-Identifier: MIT */
#include "monitor/engines/graph.h"

/* See summary.c: such a slot is retired. */
#define LAST_GENERATION (UINT32_MAX >> 1)

static ser_graph_node *at(const ser_graph *graph, uint32_t slot)
{
    return &graph->nodes.items[slot];
}

static uint64_t token_of(const ser_graph *graph, uint32_t slot)
{
    return (uint64_t)at(graph, slot)->generation << 32 | slot;
}

void ser_graph_fini(ser_graph *graph)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        ser_vector_free(&graph->nodes.items[i].targets);
        ser_vector_free(&graph->nodes.items[i].sources);
    }
    ser_vector_free(&graph->nodes);
    ser_vector_free(&graph->unused);
    ser_vector_free(&graph->forward);
    ser_vector_free(&graph->backward);
    ser_vector_free(&graph->doomed);
    ser_vector_free(&graph->orders);
    ser_vector_free(&graph->cycle);
}

uint64_t ser_graph_add_node(ser_graph *graph, uint32_t thread, uint64_t event)
{
    uint32_t slot;
    if (graph->unused.count) {
        slot = graph->unused.items[--graph->unused.count];
    } else {
        slot = (uint32_t)graph->nodes.count;
        ser_vector_extend(&graph->nodes, graph->nodes.count + 1);
        at(graph, slot)->generation = 1;
    }
    ser_graph_node *node = at(graph, slot);
    node->span = (ser_transaction){thread, event, event};
    node->order = ++graph->next_order;
    node->ended = node->reported = false;
    return token_of(graph, slot);
}

/* Takes ended nodes without incoming edges away, beginning with one of them. */
static void collect(ser_graph *graph, uint32_t slot)
{
    ser_vector_push(&graph->doomed, slot);
    while (graph->doomed.count) {
        uint32_t next = graph->doomed.items[--graph->doomed.count];
        ser_graph_node *node = at(graph, next);
        for (size_t i = 0; i < node->targets.count; i++) {
            ser_graph_node *target = at(graph, node->targets.items[i].slot);
            if (--target->incoming == 0 && target->ended)
                ser_vector_push(&graph->doomed, node->targets.items[i].slot);
        }
        node->targets.count = node->sources.count = 0;
        if (++node->generation < LAST_GENERATION)
            ser_vector_push(&graph->unused, next);
    }
}

void ser_graph_end_node(ser_graph *graph, uint64_t token)
{
    ser_graph_node *node = ser_graph_node_of(graph, token);
    node->ended = true;
    if (node->incoming == 0)
        collect(graph, (uint32_t)token);
}

/* Where the edge into a thread stands or belongs among a node's targets. */
static size_t find_target(const ser_graph_node *node, uint32_t thread)
{
    size_t low = 0, high = node->targets.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (node->targets.items[middle].thread < thread)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_target_at(const ser_graph_node *node, size_t index, uint32_t thread)
{
    return index < node->targets.count && node->targets.items[index].thread == thread;
}

bool ser_graph_leads_to_thread(const ser_graph *graph, uint64_t token, uint32_t thread)
{
    const ser_graph_node *node = ser_graph_node_of(graph, token);
    return has_target_at(node, find_target(node, thread), thread);
}

static void reach(ser_graph *graph, ser_slot_list *list, uint32_t slot, uint32_t parent)
{
    ser_graph_node *node = at(graph, slot);
    if (node->visited)
        return;
    node->visited = true;
    node->parent = parent;
    ser_vector_push(list, slot);
}

static void unmark(ser_graph *graph, const ser_slot_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        at(graph, list->items[i])->visited = false;
}

/* Breadth first from a node through all that is not behind `limit` in the order.
 * True if `limit` itself is reached. */
static bool search_forward(ser_graph *graph, uint32_t start, uint32_t limit)
{
    uint64_t limit_order = at(graph, limit)->order;
    graph->forward.count = 0;
    reach(graph, &graph->forward, start, start);
    for (size_t i = 0; i < graph->forward.count && !at(graph, limit)->visited; i++) {
        uint32_t slot = graph->forward.items[i];
        const ser_graph_node *node = at(graph, slot);
        for (size_t j = 0; j < node->targets.count; j++) {
            uint32_t target = node->targets.items[j].slot;
            if (at(graph, target)->order <= limit_order)
                reach(graph, &graph->forward, target, slot);
        }
    }
    bool found = at(graph, limit)->visited;
    unmark(graph, &graph->forward);
    return found;
}

static void forget_dead_sources(ser_graph *graph, ser_graph_node *node)
{
    size_t kept = 0;
    for (size_t i = 0; i < node->sources.count; i++)
        if (ser_graph_alive(graph, node->sources.items[i]))
            node->sources.items[kept++] = node->sources.items[i];
    node->sources.count = kept;
}

/* Against the edges, through all that is not before `limit` in the order. */
static void search_backward(ser_graph *graph, uint32_t start, uint32_t limit)
{
    uint64_t limit_order = at(graph, limit)->order;
    graph->backward.count = 0;
    reach(graph, &graph->backward, start, start);
    for (size_t i = 0; i < graph->backward.count; i++) {
        uint32_t slot = graph->backward.items[i];
        forget_dead_sources(graph, at(graph, slot));
        for (size_t j = 0; j < at(graph, slot)->sources.count; j++) {
            uint32_t source = (uint32_t)at(graph, slot)->sources.items[j];
            if (at(graph, source)->order >= limit_order)
                reach(graph, &graph->backward, source, slot);
        }
    }
    unmark(graph, &graph->backward);
}

static int compare_slots(const void *a, const void *b, void *graph)
{
    uint64_t first = at(graph, *(const uint32_t *)a)->order;
    uint64_t second = at(graph, *(const uint32_t *)b)->order;
    return (first > second) - (first < second);
}

static int compare_orders(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

static void collect_orders(ser_graph *graph, ser_slot_list *list)
{
    qsort_r(list->items, list->count, sizeof *list->items, compare_slots, graph);
    for (size_t i = 0; i < list->count; i++)
        ser_vector_push(&graph->orders, at(graph, list->items[i])->order);
}

/* All of backward must come before all of forward: the positions that both sets occupy are
 * redistributed, each set keeping its own order. */
static void reorder(ser_graph *graph)
{
    graph->orders.count = 0;
    collect_orders(graph, &graph->backward);
    collect_orders(graph, &graph->forward);
    qsort(graph->orders.items, graph->orders.count, sizeof *graph->orders.items, compare_orders);
    size_t next = 0;
    for (size_t i = 0; i < graph->backward.count; i++)
        at(graph, graph->backward.items[i])->order = graph->orders.items[next++];
    for (size_t i = 0; i < graph->forward.count; i++)
        at(graph, graph->forward.items[i])->order = graph->orders.items[next++];
}

/* The path that search_forward found, as transactions from `start` to `limit`. */
static void keep_cycle(ser_graph *graph, uint32_t start, uint32_t limit)
{
    graph->cycle.count = 0;
    for (uint32_t slot = limit;; slot = at(graph, slot)->parent) {
        ser_vector_push(&graph->cycle, at(graph, slot)->span);
        if (slot == start)
            break;
    }
    for (size_t i = 0, j = graph->cycle.count - 1; i < j; i++, j--) {
        ser_transaction swap = graph->cycle.items[i];
        graph->cycle.items[i] = graph->cycle.items[j];
        graph->cycle.items[j] = swap;
    }
}

static void insert_edge(ser_graph *graph, uint32_t from, uint32_t to, size_t index)
{
    ser_graph_node *source = at(graph, from), *target = at(graph, to);
    ser_vector_reserve(&source->targets, source->targets.count + 1);
    ser_graph_target *items = source->targets.items;
    memmove(items + index + 1, items + index, (source->targets.count - index) * sizeof *items);
    items[index] = (ser_graph_target){target->span.thread, to};
    source->targets.count++;
    target->incoming++;
    if (target->sources.count == target->sources.capacity)
        forget_dead_sources(graph, target);
    ser_vector_push(&target->sources, token_of(graph, from));
}

bool ser_graph_add_edge(ser_graph *graph, uint64_t from_token, uint64_t to_token)
{
    uint32_t from = (uint32_t)from_token, to = (uint32_t)to_token;
    uint32_t thread = at(graph, to)->span.thread;
    size_t index = find_target(at(graph, from), thread);
    if (from == to || has_target_at(at(graph, from), index, thread))
        return true;
    if (at(graph, from)->order > at(graph, to)->order) {
        if (search_forward(graph, to, from)) {
            keep_cycle(graph, to, from);
            return false;
        }
        search_backward(graph, from, to);
        reorder(graph);
    }
    insert_edge(graph, from, to, index);
    return true;
}
