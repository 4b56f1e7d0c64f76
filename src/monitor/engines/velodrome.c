/* SPDX-License-Identifier: MIT */
/*
 * velodrome.c - the graph algorithm of Flanagan, Freund and Yi (2008).
 *
 * Keeps the graph of transactions itself (graph.h), without ended ones that have no incoming edge.
 * Slower and larger than summaries, but it can name the cycle. An event outside any block is a
 * transaction of its own; if it has no new incoming edge, it is merged into the node of its
 * thread's last transaction, which has the same effect on all later events.
 *
 * The main function is feed. Cost: an edge that agrees with the topological
 * order O(log threads), others O(nodes between the ends). Memory: O(variables +
 * locks + transactions that an open one reaches).
 */
#include "base/interrupt.h"
#include "monitor/conflicts/conflicts.h"
#include "monitor/engines/feeding.h"
#include "monitor/engines/graph.h"

typedef struct velodrome {
    ser_feeding feeding;
    ser_conflicts conflicts;
    ser_graph graph;
    SER_VECTOR(uint64_t) open_blocks; /* token of each thread's open block, or 0 */
    SER_VECTOR(uint64_t) sources;     /* edges into the current event outside blocks */
    uint64_t token;                   /* of the current event's block; 0 outside blocks */
    uint32_t thread;
} velodrome;

static inline bool is_alive(void *owner, uint64_t token)
{
    return ser_graph_alive(&((velodrome *)owner)->graph, token);
}

static inline uint32_t thread_of(void *owner, uint64_t token)
{
    return ser_graph_node_of(&((velodrome *)owner)->graph, token)->span.thread;
}

/* Nodes live as long as edges lead to them, however many tokens refer to them. */
static inline void keep(void *owner, uint64_t token)
{
    (void)owner, (void)token;
}

static inline void drop(void *owner, uint64_t token)
{
    (void)owner, (void)token;
}

static void report(velodrome *engine)
{
    ser_graph_node *block = ser_graph_node_of(&engine->graph, engine->token);
    if (block->reported || engine->feeding.stopped)
        return;
    block->reported = true;
    ser_violation violation = {
        .event = engine->feeding.number,
        .thread = block->span.thread,
        .block = block->span.first,
        .cycle = engine->graph.cycle.items,
        .cycle_length = engine->graph.cycle.count,
    };
    ser_feeding_report(&engine->feeding, &violation);
}

static inline void edge(void *owner, uint64_t token, ser_edge_kind kind, uint32_t object)
{
    (void)kind, (void)object;
    velodrome *engine = owner;
    engine->feeding.stopped |= ser_should_stop();
    if (!engine->token) {
        if (!ser_graph_leads_to_thread(&engine->graph, token, engine->thread))
            ser_vector_push(&engine->sources, token);
    } else if (token != engine->token &&
               !ser_graph_add_edge(&engine->graph, token, engine->token)) {
        report(engine);
    }
}

static const ser_token_policy POLICY = {is_alive, thread_of, keep, drop, edge};

static uint64_t *last_of(velodrome *engine, uint32_t thread)
{
    return &ser_conflicts_thread(&engine->conflicts, thread)->last;
}

static void open_block(velodrome *engine, uint32_t thread)
{
    engine->token = ser_graph_add_node(&engine->graph, thread, engine->feeding.number);
    *ser_vector_slot(&engine->open_blocks, thread) = engine->token;
    ser_token_edge(&POLICY, engine, last_of(engine, thread), SER_EDGE_PROGRAM_ORDER, thread);
}

/* The token of an event outside blocks, after its edges were gathered. */
static uint64_t unary_token(velodrome *engine, uint32_t thread)
{
    uint64_t last = *last_of(engine, thread);
    if (last && !is_alive(engine, last))
        last = 0;
    size_t others = 0;
    for (size_t i = 0; i < engine->sources.count; i++)
        others += engine->sources.items[i] != last;
    if (!others) {
        engine->sources.count = 0;
        return last;
    }
    uint64_t token = ser_graph_add_node(&engine->graph, thread, engine->feeding.number);
    if (last)
        ser_graph_add_edge(&engine->graph, last, token);
    for (size_t i = 0; i < engine->sources.count; i++)
        ser_graph_add_edge(&engine->graph, engine->sources.items[i], token);
    engine->sources.count = 0;
    ser_graph_end_node(&engine->graph, token);
    return token;
}

static inline void process(void *state, const ser_event *event)
{
    velodrome *engine = state;
    ser_conflicts *conflicts = &engine->conflicts;
    engine->thread = event->thread;
    engine->token = *ser_vector_slot(&engine->open_blocks, event->thread);
    if (event->flags & SER_EVENT_OPENS)
        open_block(engine, event->thread);

    ser_conflicts_enter(conflicts, &POLICY, engine, event->thread);
    ser_conflicts_gather(conflicts, &POLICY, engine, event);
    uint64_t token = engine->token ? engine->token : unary_token(engine, event->thread);
    if (token)
        ser_graph_node_of(&engine->graph, token)->span.last = engine->feeding.number;
    ser_conflicts_record(conflicts, &POLICY, engine, event, engine->feeding.number, token);
    if (event->flags & SER_EVENT_CLOSES) {
        ser_graph_end_node(&engine->graph, token);
        engine->open_blocks.items[event->thread] = 0;
    }
}

static bool feed(void *state, const ser_event *events, size_t count, uint64_t first)
{
    velodrome *engine = state;
    return ser_feeding_each(&engine->feeding, events, count, first, process, engine);
}

static void *create(const ser_engine_config *config)
{
    velodrome *engine = ser_alloc(1, sizeof *engine);
    engine->feeding.config = *config;
    return engine;
}

static void destroy(void *state)
{
    velodrome *engine = state;
    if (!engine)
        return;
    ser_conflicts_fini(&engine->conflicts);
    ser_graph_fini(&engine->graph);
    ser_vector_free(&engine->open_blocks);
    ser_vector_free(&engine->sources);
    free(engine);
}

const ser_engine ser_engine_velodrome = {
    .name = "velodrome",
    .create = create,
    .feed = feed,
    .destroy = destroy,
};
