/* SPDX-License-Identifier: MIT */
/*
 * A mutant hands its events on to an engine after changing some of them, or
 * changes what the engine reports. An ignored event becomes a call, which
 * conflicts with nothing but its own thread's events.
 */
#include "self_test.h"

#include <inttypes.h>
#include <stdio.h>

#include "compare.h"
#include "prepare.h"

enum { MOST_TRACES = 20000 };

typedef struct mutant {
    const char *name;
    const char *engine; /* that it is made from; NULL: the default one */
    ser_op ignored;
    ser_op instead; /* what an ignored event becomes */
    int late;       /* added to the event it reports */
    int beside;     /* added to the block it reports */
    int shorter;    /* taken from the length of the cycle it gives */
    bool forgets_ends, repeats;
} mutant;

static const mutant mutants[] = {
    {.name = "ignores joins", .ignored = SER_OP_JOIN, .instead = SER_OP_CALL},
    {.name = "ignores forks", .ignored = SER_OP_FORK, .instead = SER_OP_CALL},
    {.name = "ignores reads", .ignored = SER_OP_READ, .instead = SER_OP_CALL},
    {.name = "takes reads for writes", .ignored = SER_OP_READ, .instead = SER_OP_WRITE},
    {.name = "takes rmw for a read", .ignored = SER_OP_RMW, .instead = SER_OP_READ},
    {.name = "ignores releases", .ignored = SER_OP_RELEASE, .instead = SER_OP_CALL},
    {.name = "ignores shared releases", .ignored = SER_OP_SHARED_RELEASE, .instead = SER_OP_CALL},
    {.name = "takes shared acquires for exclusive",
     .ignored = SER_OP_SHARED_ACQUIRE,
     .instead = SER_OP_ACQUIRE},
    {.name = "ignores failed tries", .ignored = SER_OP_TRY_FAILED, .instead = SER_OP_CALL},
    {.name = "ignores notify", .ignored = SER_OP_NOTIFY, .instead = SER_OP_CALL},
    {.name = "takes notifyall for notify", .ignored = SER_OP_NOTIFY_ALL, .instead = SER_OP_NOTIFY},
    {.name = "ignores arrivals", .ignored = SER_OP_ARRIVE, .instead = SER_OP_CALL},
    {.name = "ignores posts", .ignored = SER_OP_POST, .instead = SER_OP_CALL},
    {.name = "drops calls from program order", .ignored = SER_OP_CALL, .instead = SER_OP_SKIP},
    {.name = "reports one event late", .late = 1},
    {.name = "reports another block", .beside = 1},
    {.name = "gives an incomplete cycle", .engine = "velodrome", .shorter = 1},
    {.name = "forgets to end blocks", .forgets_ends = true},
    {.name = "reports twice", .repeats = true},
};

typedef struct mutant_state {
    ser_engine_config config;
    void *inner;
} mutant_state;

/* The mutant under test: the callback table has no room for it. */
static const mutant *current;

static const ser_engine *current_base(void)
{
    return current->engine ? ser_engine_by_name(current->engine) : ser_engines[0];
}

static bool report_mutated(void *context, const ser_violation *violation)
{
    mutant_state *state = context;
    ser_violation changed = *violation;
    changed.event += (uint64_t)current->late;
    changed.block += (uint64_t)current->beside;
    if (changed.cycle)
        changed.cycle_length -= (size_t)current->shorter;
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
    state->inner = current_base()->create(&inner);
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
        goes_on = current_base()->feed(state->inner, &event, 1, first + i);
    }
    return goes_on;
}

static void destroy(void *context)
{
    mutant_state *state = context;
    current_base()->destroy(state->inner);
    free(state);
}

static const ser_engine mutant_engine = {
    .name = "mutant",
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
