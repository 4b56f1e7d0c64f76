/* SPDX-License-Identifier: MIT */
/*
 * engine.h - the interface of every monitor: a table of functions.
 *
 * An engine takes the events of a well-formed trace with marked blocks, in
 * order, in batches of any size, and reports events at which the observed run
 * stops being conflict serializable. Engines do not depend on file formats and can be fed from a
 * live stream.
 */
#ifndef SER_MONITOR_ENGINE_H
#define SER_MONITOR_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/event.h"

/* A transaction as engines name it: a thread and its events first..last (of that
 * thread). It is a block, or one event outside any block, or such an event or
 * block together with later events outside blocks that no other thread's event
 * comes directly before. */
typedef struct ser_transaction {
    uint32_t thread;
    uint64_t first;
    uint64_t last; /* the last event seen so far */
} ser_transaction;

typedef struct ser_violation {
    uint64_t event;  /* the event at which the engine reports */
    uint32_t thread; /* the thread of the violated block */
    uint64_t block;  /* the number of the violated block's first event */
    /* The cycle, starting with the violated block; each transaction has an edge
     * to the next and the last one to the first. NULL if the engine detects cycles but does not
     * compute them. Valid during the callback. */
    const ser_transaction *cycle;
    size_t cycle_length;
} ser_violation;

typedef struct ser_engine_config {
    /* Called for every violation; false ends the analysis. */
    bool (*report)(void *context, const ser_violation *violation);
    void *context;
} ser_engine_config;

typedef struct ser_engine {
    const char *name;
    void *(*create)(const ser_engine_config *config);
    /*
     * Takes the next events; first is the number of events[0]. If report returns true, the edge
     * that closed the cycle is not added, and the same block is not reported again. Returns false
     * once report did, or when the analysis must stop (interrupt.h): one event may take long if
     * thousands of blocks are open.
     */
    bool (*feed)(void *state, const ser_event *events, size_t count, uint64_t first);
    void (*destroy)(void *state);
} ser_engine;

/* The engines, the default one first, and what the help says about each. Feeds the command line,
 * its help and manual page, the public monitor and the oracle. */
#define SER_ENGINES(X)                                                                             \
    X(summaries, "exact, and fast whatever the number of variables")                               \
    X(velodrome, "exact, the graph of transactions")                                               \
    X(aerodrome, "vector clocks, misses cycles in which two blocks are still open")

#define SER_X(name, help) extern const ser_engine ser_engine_##name;
SER_ENGINES(SER_X)
#undef SER_X

/* All engines, the default one first; NULL-terminated. */
extern const ser_engine *const ser_engines[];

/* The engine with that name, or NULL. */
const ser_engine *ser_engine_by_name(const char *name);

#endif
