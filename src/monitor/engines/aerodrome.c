/* SPDX-License-Identifier: MIT */
/*
 * aerodrome.c - AeroDrome: Algorithm 1 of "Atomicity Checking in Linear Time
 * using Vector Clocks" (Mathur and Viswanathan, ASPLOS 2020).
 *
 * Every event gets a vector clock (clocks.h): what happens before it. If the clock of an event in
 * an open block is to be joined with one that contains the block's begin, there is a cycle. When a
 * block ends, all clocks that contain its begin are joined with the block's clock; the same test is
 * made there for open blocks of other threads. So a cycle is found at the latest when all its
 * transactions but one have ended.
 *
 * Different from the paper's text: which clocks an event is joined with comes from conflicts.h,
 * which keeps the reads since the last write (each is seen by one write, so the amortised cost of a
 * write is that of one clock, as with the reduction of section 4.3) and handles joins of threads
 * without events. Events outside blocks need no times of their own: they end at once, so no test
 * for their begin is ever made.
 *
 * The main function is feed. Cost: O(threads) per event, and at the end of a block for each clock
 * that contains its begin.
 */
#include "base/interrupt.h"
#include "monitor/conflicts/conflicts.h"
#include "monitor/engines/clocks.h"
#include "monitor/engines/feeding.h"

typedef struct block {
    uint64_t first; /* number of its first event */
    bool reported;
} block;

typedef struct aerodrome {
    ser_feeding feeding;
    ser_conflicts conflicts;
    ser_clocks clocks;
    SER_VECTOR(block) blocks; /* by thread: the one it opened last */
    uint32_t thread;          /* of the current event */
} aerodrome;

static inline bool is_alive(void *owner, uint64_t token)
{
    return ser_clocks_alive(&((aerodrome *)owner)->clocks, token);
}

static inline uint32_t thread_of(void *owner, uint64_t token)
{
    return ser_clocks_thread(&((aerodrome *)owner)->clocks, token);
}

static inline void keep(void *owner, uint64_t token)
{
    ser_clocks_keep(&((aerodrome *)owner)->clocks, token);
}

static inline void drop(void *owner, uint64_t token)
{
    ser_clocks_drop(&((aerodrome *)owner)->clocks, token);
}

/* The open block of the thread lies on a cycle. */
static void report(void *owner, uint32_t thread)
{
    aerodrome *engine = owner;
    block *violated = &engine->blocks.items[thread];
    if (violated->reported || engine->feeding.stopped)
        return;
    violated->reported = true;
    ser_violation violation = {engine->feeding.number, thread, violated->first, NULL, 0};
    ser_feeding_report(&engine->feeding, &violation);
}

/* checkAndGet of the paper. Events of the same thread are in the clock already. */
static inline void edge(void *owner, uint64_t token, ser_edge_kind kind, uint32_t object)
{
    (void)kind, (void)object;
    aerodrome *engine = owner;
    if (ser_clocks_thread(&engine->clocks, token) == engine->thread)
        return;
    engine->feeding.stopped |= ser_should_stop();
    if (ser_clocks_contains(&engine->clocks, token, engine->thread))
        report(engine, engine->thread);
    else
        ser_clocks_join(&engine->clocks, engine->thread, token);
}

static const ser_token_policy POLICY = {is_alive, thread_of, keep, drop, edge};

static void open_block(aerodrome *engine)
{
    *ser_vector_slot(&engine->blocks, engine->thread) = (block){.first = engine->feeding.number};
    ser_clocks_begin(&engine->clocks, engine->thread);
}

static inline void process(void *state, const ser_event *event)
{
    aerodrome *engine = state;
    engine->thread = event->thread;
    if (event->thread >= engine->clocks.threads)
        ser_clocks_admit(&engine->clocks, event->thread);
    if (event->flags & SER_EVENT_OPENS)
        open_block(engine);
    ser_conflicts_enter(&engine->conflicts, &POLICY, engine, event->thread);
    ser_conflicts_gather(&engine->conflicts, &POLICY, engine, event);
    ser_conflicts_record(&engine->conflicts, &POLICY, engine, event, engine->feeding.number,
                         ser_clocks_token(&engine->clocks, event->thread));
    if (event->flags & SER_EVENT_CLOSES)
        ser_clocks_end(&engine->clocks, event->thread, report, engine);
}

static bool feed(void *state, const ser_event *events, size_t count, uint64_t first)
{
    aerodrome *engine = state;
    return ser_feeding_each(&engine->feeding, events, count, first, process, engine);
}

static void *create(const ser_engine_config *config)
{
    aerodrome *engine = ser_alloc(1, sizeof *engine);
    engine->feeding.config = *config;
    return engine;
}

static void destroy(void *state)
{
    aerodrome *engine = state;
    if (!engine)
        return;
    ser_conflicts_fini(&engine->conflicts);
    ser_clocks_fini(&engine->clocks);
    ser_vector_free(&engine->blocks);
    free(engine);
}

const ser_engine ser_engine_aerodrome = {
    .name = "aerodrome",
    .create = create,
    .feed = feed,
    .destroy = destroy,
};
