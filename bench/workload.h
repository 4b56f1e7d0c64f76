/* SPDX-License-Identifier: MIT */
/*
 * workload.h - made-up programs whose runs are serializable, event by event.
 *
 * Threads run transactions of a few dozen types, as real programs run the same
 * few functions: a type is a fixed sequence of steps, each with its own location,
 * and only the variables and locks differ from run to run. Each variable is
 * guarded by one lock (its number modulo the number of locks). A transaction
 * acquires one to three locks in ascending order, reads and writes variables
 * that they guard, and releases them; so nothing deadlocks, every run is strictly
 * two-phase locked, and no monitor can stop early. Threads are interleaved at
 * random: after a burst of random length another one goes on.
 *
 * Planted violations are not observed, so that no monitor stops at them either.
 *
 * Memory: O(threads + locks + locations), whatever the number of events.
 */
#ifndef SER_BENCH_WORKLOAD_H
#define SER_BENCH_WORKLOAD_H

#include "trace/event.h"

typedef enum workload_shape {
    SHAPE_TWO_PHASE,   /* as above */
    SHAPE_OPEN_MAIN,   /* the main thread's block wrote every variable and stays open */
    SHAPE_READ_SHARED, /* long blocks read the same variables; the main thread writes */
    SHAPE_NESTED,      /* blocks and re-entrant sections within blocks */
    SHAPE_UNARY,       /* half of the types are no blocks */
    SHAPE_COUNT
} workload_shape;

extern const char *const workload_shape_names[SHAPE_COUNT];

typedef struct workload_options {
    uint32_t threads, variables, locks;
    uint64_t events; /* in all, give or take a transaction */
    uint64_t seed;
    uint32_t locations;
    uint32_t burst; /* mean number of events until another thread goes on */
    workload_shape shape;
    uint32_t planted; /* violations, spread over the run: a block reads and writes a variable of its
                         own without a lock, and then another thread writes it */
} workload_options;

/* Takes one event; its site is a number below options.locations. */
typedef void (*workload_sink)(void *context, const ser_event *event);

void workload_run(const workload_options *options, workload_sink sink, void *context);

#endif
