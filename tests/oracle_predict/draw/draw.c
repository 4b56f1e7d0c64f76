/* SPDX-License-Identifier: MIT */
#include "draw.h"

#include "draw_reads.h"
#include "draw_values.h"
#include "operations.h"
#include "program_trace.h"
#include "random.h"
#include "script.h"

enum { VARIABLES = 4 };

/* In most traces blocks are marked; the other ways to find them are tried, too. */
static const char *choose_atomic(uint64_t seed)
{
    static const char *const modes[] = {"locks", "functions", "auto"};
    random_source random = {~seed};
    return random_chance(&random, 85) ? "markers" : modes[random_below(&random, 3)];
}

/* Most traces are short: there the right answers are cheap, and most mistakes show.
 * Tiny ones are looked at exhaustively. */
static void choose_length(trace_limits *limits, uint64_t seed)
{
    static const struct {
        uint32_t low, high;
    } lengths[] = {{4, 8}, {8, 12}, {8, 14}, {10, 16}, {10, 16}, {12, 18}, {14, 20}, {18, 24}};
    size_t at = seed / PROFILE_COUNT % (sizeof lengths / sizeof *lengths);
    limits->events_low = lengths[at].low;
    limits->events_high = lengths[at].high;
}

/* A thread ends where it uses what was freed, so that few traces have more than a few frees. */
static void thin_frees(event_list *raw, random_source *random)
{
    static const uint32_t percents[] = {0, 0, 15, 15, 40, 100};
    uint32_t percent = percents[random_below(random, 6)];
    for (size_t i = 0; i < raw->count; i++)
        if (raw->items[i].op == SER_OP_FREE && !random_chance(random, percent))
            raw->items[i].op = SER_OP_WRITE;
}

static bool may_join(const ser_event *event, const ser_event *next)
{
    return event->thread == next->thread && event->op == next->op && is_access(event);
}

/* One more access, of another variable perhaps, behind an access. */
static void widen(event_list *raw, size_t at, random_source *random)
{
    ser_event more = raw->items[at];
    more.object = random_below(random, VARIABLES);
    ser_vector_push(raw, more);
    memmove(raw->items + at + 2, raw->items + at + 1, (raw->count - at - 2) * sizeof more);
    raw->items[at + 1] = more;
}

static void join_accesses(event_list *raw, random_source *random)
{
    size_t most = raw->count + raw->count / 3;
    for (size_t i = 0; i < raw->count; i++)
        if (is_access(&raw->items[i]) && raw->count < most && random_chance(random, 25))
            widen(raw, i, random);
    for (size_t i = 0; i + 1 < raw->count; i++)
        if (may_join(&raw->items[i], &raw->items[i + 1]) && random_chance(random, 75))
            raw->items[i].flags |= SER_EVENT_JOINED;
}

/* Few in most traces; with many, hardly any other interleaving is left. */
static void make_late(event_list *raw, random_source *random)
{
    static const uint32_t percents[] = {5, 5, 15, 40};
    uint32_t percent = percents[random_below(random, 4)];
    for (size_t i = 0; i < raw->count; i++)
        if (is_access(&raw->items[i]) && random_chance(random, percent))
            raw->items[i].flags |= SER_EVENT_LATE;
}

static const char *draw_program(event_list *raw, uint64_t seed)
{
    script program;
    size_t blocks[SCRIPT_BLOCKS];
    write_script(&program, seed);
    record_script(&program, seed, raw, blocks);
    return "markers";
}

const char *draw_trace(event_list *raw, const draw_limits *limits, uint64_t seed)
{
    trace_limits chosen = limits->trace;
    if (limits->programs)
        return draw_program(raw, seed);
    random_source random = {seed ^ UINT64_C(0x64726177)};
    if (limits->any_profile)
        chosen.profile = (trace_profile)(seed % PROFILE_COUNT);
    if (limits->any_length)
        choose_length(&chosen, seed);
    if (random_chance(&random, 25))
        random_trace(raw, &chosen, seed);
    else
        program_trace(raw, &chosen, seed);
    thin_frees(raw, &random);
    if (limits->joined || random_chance(&random, 25))
        join_accesses(raw, &random);
    if (limits->late || random_chance(&random, 25))
        make_late(raw, &random);
    if (limits->reads)
        draw_reads(raw, seed);
    if (limits->values)
        draw_values(raw, seed);
    if (limits->values && random_chance(&random, 60))
        draw_flows(raw, seed);
    return choose_atomic(seed);
}
