/* SPDX-License-Identifier: MIT */
/*
 * A mutant hands its events on to the default engine after changing some of
 * them, or changes what the engine reports. An ignored event becomes a call,
 * which conflicts with nothing but its own thread's events.
 */
#include "self_test.h"

#include <inttypes.h>
#include <stdio.h>

#include "compare.h"
#include "prepare.h"

enum { MOST_TRACES = 20000 };

typedef struct mutant {
    const char *name;
    ser_op ignored; /* SER_OP_COUNT: none */
    ser_op instead; /* what an ignored event becomes */
    int late;       /* added to the event it reports */
    int beside;     /* added to the block it reports */
    bool forgets_ends, repeats;
} mutant;

static const mutant mutants[] = {
    {"ignores joins", SER_OP_JOIN, SER_OP_CALL, 0, 0, false, false},
    {"ignores forks", SER_OP_FORK, SER_OP_CALL, 0, 0, false, false},
    {"ignores reads", SER_OP_READ, SER_OP_CALL, 0, 0, false, false},
    {"ignores releases", SER_OP_RELEASE, SER_OP_CALL, 0, 0, false, false},
    {"ignores shared releases", SER_OP_SHARED_RELEASE, SER_OP_CALL, 0, 0, false, false},
    {"takes shared acquires for exclusive", SER_OP_SHARED_ACQUIRE, SER_OP_ACQUIRE, 0, 0, false,
     false},
    {"takes rmw for a read", SER_OP_RMW, SER_OP_READ, 0, 0, false, false},
    {"takes reads for writes", SER_OP_READ, SER_OP_WRITE, 0, 0, false, false},
    {"ignores failed tries", SER_OP_TRY_FAILED, SER_OP_CALL, 0, 0, false, false},
    {"ignores notify", SER_OP_NOTIFY, SER_OP_CALL, 0, 0, false, false},
    {"takes notifyall for notify", SER_OP_NOTIFY_ALL, SER_OP_NOTIFY, 0, 0, false, false},
    {"ignores arrivals", SER_OP_ARRIVE, SER_OP_CALL, 0, 0, false, false},
    {"ignores posts", SER_OP_POST, SER_OP_CALL, 0, 0, false, false},
    {"drops calls from program order", SER_OP_CALL, SER_OP_SKIP, 0, 0, false, false},
    {"reports one event late", SER_OP_COUNT, SER_OP_COUNT, 1, 0, false, false},
    {"reports another block", SER_OP_COUNT, SER_OP_COUNT, 0, 1, false, false},
    {"forgets to end blocks", SER_OP_COUNT, SER_OP_COUNT, 0, 0, true, false},
    {"reports twice", SER_OP_COUNT, SER_OP_COUNT, 0, 0, false, true},
};

typedef struct mutant_state {
    ser_engine_config config;
    void *inner;
} mutant_state;

/* The mutant under test: the callback table has no room for it. */
static const mutant *current;

static bool report_mutated(void *context, const ser_violation *violation)
{
    mutant_state *state = context;
    ser_violation changed = *violation;
    changed.event += (uint64_t)current->late;
    changed.block += (uint64_t)current->beside;
    bool goes_on = state->config.report(state->config.context, &changed);
    if (goes_on && current->repeats)
        goes_on = state->config.report(state->config.context, &changed);
    return goes_on;
}

static void *create(const ser_engine_config *config)
{
    mutant_state *state = ser_alloc(1, sizeof *state);
    state->config = *config;
    ser_engine_config inner = {report_mutated, state};
    state->inner = ser_engines[0]->create(&inner);
    return state;
}

static bool feed(void *context, const ser_event *events, size_t count, uint64_t first)
{
    mutant_state *state = context;
    bool goes_on = true;
    for (size_t i = 0; i < count && goes_on; i++) {
        ser_event event = events[i];
        if (event.op == current->ignored)
            event.op = (uint8_t)current->instead;
        if (current->forgets_ends)
            event.flags &= (uint8_t)~SER_EVENT_CLOSES;
        goes_on = ser_engines[0]->feed(state->inner, &event, 1, first + i);
    }
    return goes_on;
}

static void destroy(void *context)
{
    mutant_state *state = context;
    ser_engines[0]->destroy(state->inner);
    free(state);
}

static const ser_engine mutant_engine = {
    .name = "mutant",
    .summary = "wrong on purpose",
    .create = create,
    .feed = feed,
    .destroy = destroy,
};

static bool is_caught_by(uint64_t seed)
{
    trace_limits limits = {2, 6, 4, 40, PROFILE_ALL, false};
    event_list raw = {0}, marked = {0};
    difference found;
    ser_error error;
    bool caught = false;
    random_trace(&raw, &limits, seed);
    if (prepare_trace(&marked, &raw, "markers", &error)) {
        expectation right;
        expectation_init(&right, &marked, false);
        caught = engine_differs(&mutant_engine, &right, seed, &found);
        expectation_fini(&right);
    }
    ser_vector_free(&raw);
    ser_vector_free(&marked);
    return caught;
}

static bool is_caught(const mutant *m)
{
    current = m;
    for (uint64_t seed = 1; seed <= MOST_TRACES; seed++) {
        if (is_caught_by(seed)) {
            printf("an engine that %s: caught by trace %" PRIu64 "\n", m->name, seed);
            return true;
        }
    }
    printf("an engine that %s: NOT caught by %d traces\n", m->name, MOST_TRACES);
    return false;
}

bool self_test(void)
{
    bool all = true;
    for (size_t i = 0; i < sizeof mutants / sizeof *mutants; i++)
        all &= is_caught(&mutants[i]);
    return all;
}
