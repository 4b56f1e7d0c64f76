/* SPDX-License-Identifier: MIT */
#include "draw.h"

#include "program_trace.h"
#include "random.h"

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

const char *draw_trace(event_list *raw, const draw_limits *limits, uint64_t seed)
{
    trace_limits chosen = limits->trace;
    random_source random = {seed ^ UINT64_C(0x64726177)};
    if (limits->any_profile)
        chosen.profile = (trace_profile)(seed % PROFILE_COUNT);
    if (limits->any_length)
        choose_length(&chosen, seed);
    if (random_chance(&random, 25))
        random_trace(raw, &chosen, seed);
    else
        program_trace(raw, &chosen, seed);
    return choose_atomic(seed);
}
