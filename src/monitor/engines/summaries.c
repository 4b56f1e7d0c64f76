/* SPDX-License-Identifier: MIT */
/*
 * summaries.c - our own engine: sets of open ancestors instead of clocks.
 *
 * Only a transaction that is still open can close a cycle, and each thread has at most one. So it
 * is enough to keep for each transaction which open ones reach it (summary.h). For an edge X -> Y
 * into the current event's transaction Y: if Y reaches X there is a cycle, else all that reaches X
 * now reaches Y. An event outside any block is a transaction that ends at once; it shares the node
 * of its thread's transaction before it unless more reaches it than that.
 *
 * The main function is feed. Cost: a few words per event, independent of the number of variables
 * and locks. Memory: O(variables + locks), plus the square of the number of blocks that are open at
 * the same time.
 */
#include "base/interrupt.h"
#include "monitor/conflicts/conflicts.h"
#include "monitor/engines/feeding.h"
#include "monitor/engines/summary.h"

/* How many events ahead the variable of an access is fetched into the cache. */
enum { LOOK_AHEAD = 12 };

typedef struct summaries {
    ser_feeding feeding;
    ser_conflicts conflicts;
    ser_summary summary;
    ser_token_list open_blocks; /* token of each thread's open block, or 0 */
    SER_VECTOR(bool) is_inside; /* of each thread: in a block, and nothing is pending for it */
    uint64_t *reach;            /* a set of rows, for edges */
    uint64_t *gathered;         /* the rows that reach an event outside blocks */
    uint32_t words;             /* width of these two sets */
    bool gathered_any;
    uint64_t token; /* of the current event's block; 0 outside blocks */
} summaries;

static inline bool is_alive(void *owner, uint64_t token)
{
    return ser_summary_alive(&((summaries *)owner)->summary, token);
}

static inline uint32_t thread_of(void *owner, uint64_t token)
{
    return ser_summary_node_of(&((summaries *)owner)->summary, token)->thread;
}

/* Tokens are not counted but searched from time to time (collect_nodes). */
static inline void keep(void *owner, uint64_t token)
{
    (void)owner, (void)token;
}

static inline void drop(void *owner, uint64_t token)
{
    (void)owner, (void)token;
}

static void report(summaries *engine)
{
    ser_summary_node *block = ser_summary_node_of(&engine->summary, engine->token);
    if (block->reported || engine->feeding.stopped)
        return;
    block->reported = true;
    ser_violation violation = {engine->feeding.number, block->thread, block->first_event, NULL, 0};
    ser_feeding_report(&engine->feeding, &violation);
}

/* The slow part of an edge: the node is another transaction's, and alive. */
static void add_edge(summaries *engine, uint64_t token)
{
    ser_summary *summary = &engine->summary;
    uint32_t source = ser_summary_node_of(summary, token)->row;
    if (ser_should_stop()) {
        engine->feeding.stopped = true;
        return;
    }
    if (source == SER_NO_ROW && !ser_summary_flatten(summary, token))
        return;
    if (!engine->token) {
        ser_summary_add_reach(summary, token, engine->gathered);
        engine->gathered_any = true;
        return;
    }
    uint32_t row = ser_summary_node_of(summary, engine->token)->row;
    if (source != SER_NO_ROW && ser_ancestry_reaches(&summary->ancestry, source, row))
        return;
    memset(engine->reach, 0, engine->words * sizeof *engine->reach);
    ser_summary_add_reach(summary, token, engine->reach);
    if (ser_row_in(engine->reach, row))
        report(engine);
    else
        ser_ancestry_add(&summary->ancestry, engine->reach, row);
}

static inline void edge(void *owner, uint64_t token, ser_edge_kind kind, uint32_t object)
{
    (void)kind, (void)object;
    summaries *engine = owner;
    if (token != engine->token)
        add_edge(engine, token);
}

static const ser_token_policy POLICY = {is_alive, thread_of, keep, drop, edge};

static void widen_sets(summaries *engine)
{
    uint32_t words = engine->summary.ancestry.words;
    engine->reach = ser_resize_zeroed(engine->reach, engine->words, words, sizeof *engine->reach);
    engine->gathered =
        ser_resize_zeroed(engine->gathered, engine->words, words, sizeof *engine->gathered);
    engine->words = words;
}

static void open_block(summaries *engine, uint32_t thread)
{
    uint64_t token = ser_summary_open(&engine->summary, thread, engine->feeding.number);
    if (engine->words != engine->summary.ancestry.words)
        widen_sets(engine);
    *ser_vector_slot(&engine->open_blocks, thread) = token;
    engine->token = token;
    ser_token_edge(&POLICY, engine, &ser_conflicts_thread(&engine->conflicts, thread)->last,
                   SER_EDGE_PROGRAM_ORDER, thread);
}

static void close_block(summaries *engine, uint32_t thread)
{
    ser_summary_close(&engine->summary, engine->open_blocks.items[thread]);
    engine->open_blocks.items[thread] = 0;
}

/* Is every row that was gathered one that reaches the thread's last transaction? */
static bool last_covers_gathered(summaries *engine, uint64_t last)
{
    memset(engine->reach, 0, engine->words * sizeof *engine->reach);
    ser_summary_add_reach(&engine->summary, last, engine->reach);
    for (uint32_t i = 0; i < engine->words; i++)
        if (engine->gathered[i] & ~engine->reach[i])
            return false;
    return true;
}

/* The token of an event outside blocks, after its edges were gathered. */
static uint64_t unary_token(summaries *engine, uint32_t thread)
{
    uint64_t last = ser_conflicts_thread(&engine->conflicts, thread)->last;
    if (last && !is_alive(engine, last))
        last = 0;
    if (!engine->gathered_any)
        return last;
    if (last && !ser_summary_flatten(&engine->summary, last))
        last = 0;
    bool covered = last && last_covers_gathered(engine, last);
    if (!covered && last)
        ser_summary_add_reach(&engine->summary, last, engine->gathered);
    uint64_t token =
        covered ? last : ser_summary_add_ended(&engine->summary, thread, engine->gathered);
    memset(engine->gathered, 0, engine->words * sizeof *engine->gathered);
    engine->gathered_any = false;
    return token;
}

static void mark(void *summary, uint64_t token)
{
    ser_summary_mark(summary, token);
}

static void collect_nodes(summaries *engine)
{
    ser_conflicts_visit(&engine->conflicts, mark, &engine->summary);
    ser_summary_collect(&engine->summary);
}

/* Not inlined, so that the loop over events stays small. */
__attribute__((noinline)) static void process(summaries *engine, const ser_event *event)
{
    ser_conflicts *conflicts = &engine->conflicts;
    uint32_t thread = event->thread;
    if (ser_summary_collect_due(&engine->summary, conflicts->variables.count))
        collect_nodes(engine);
    engine->token = *ser_vector_slot(&engine->open_blocks, thread);
    if (event->flags & SER_EVENT_OPENS)
        open_block(engine, thread);

    ser_conflicts_enter(conflicts, &POLICY, engine, thread);
    ser_conflicts_gather(conflicts, &POLICY, engine, event);
    uint64_t token = engine->token ? engine->token : unary_token(engine, thread);
    ser_conflicts_record(conflicts, &POLICY, engine, event, engine->feeding.number, token);
    if (event->flags & SER_EVENT_CLOSES)
        close_block(engine, thread);
    *ser_vector_slot(&engine->is_inside, thread) =
        engine->open_blocks.items[thread] && !ser_conflicts_thread(conflicts, thread)->pending;
}

/* Most events are accesses in the middle of a block: they need less than others. */
static inline bool is_plain_access(const summaries *engine, const ser_event *event)
{
    return ser_op_is_access((ser_op)event->op) && event->thread < engine->is_inside.count &&
           engine->is_inside.items[event->thread] && !(event->flags & SER_EVENT_CLOSES);
}

/* Most events are accesses: a branch that skips the others would cost more mispredictions than it
 * saves prefetches. */
static inline void prefetch(const summaries *engine, const ser_event *event)
{
    size_t known = event->object < engine->conflicts.variables.count;
    __builtin_prefetch(&engine->conflicts.variables.items[known * event->object]);
}

static bool feed(void *state, const ser_event *events, size_t count, uint64_t first)
{
    summaries *engine = state;
    for (size_t i = 0; i < count && !engine->feeding.stopped; i++) {
        prefetch(engine, &events[i + LOOK_AHEAD < count ? i + LOOK_AHEAD : i]);
        engine->feeding.number = first + i;
        if (is_plain_access(engine, &events[i])) {
            engine->token = engine->open_blocks.items[events[i].thread];
            ser_conflicts_access(&engine->conflicts, &POLICY, engine, &events[i], engine->token);
        } else if (ser_op_takes_part((ser_op)events[i].op)) {
            process(engine, &events[i]);
        }
    }
    return !engine->feeding.stopped;
}

static void *create(const ser_engine_config *config)
{
    summaries *engine = ser_alloc(1, sizeof *engine);
    engine->feeding.config = *config;
    ser_vector_reserve(&engine->conflicts.variables, 1); /* an address for prefetch */
    return engine;
}

static void destroy(void *state)
{
    summaries *engine = state;
    if (!engine)
        return;
    ser_conflicts_fini(&engine->conflicts);
    ser_summary_fini(&engine->summary);
    ser_vector_free(&engine->open_blocks);
    ser_vector_free(&engine->is_inside);
    free(engine->reach);
    free(engine->gathered);
    free(engine);
}

const ser_engine ser_engine_summaries = {
    .name = "summaries",
    .create = create,
    .feed = feed,
    .destroy = destroy,
};
