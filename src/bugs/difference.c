/* SPDX-License-Identifier: MIT */
/*
 * Threads of two runs are compared event by event: each by its operation and its place, since
 * numbers of variables and places are those of one trace. The first event in the order of the bad
 * run that is not as its counterpart says where the runs part.
 */
#include <string.h>

#include "bugs/failures.h"

typedef struct comparison {
    const ser_run *good, *bad;
    uint32_t *counterpart; /* by thread of the bad run: that of the good one, plus one; 0: none */
} comparison;

static const char *place(const ser_run *run, const ser_event *event)
{
    return ser_symbols_shown_location(run->symbols, event->site);
}

static const char *thread_of(const ser_run *run, uint32_t event)
{
    return ser_symbols_shown_name(run->symbols, SER_SPACE_THREAD, run->events[event].thread);
}

static const char *variable_of(const ser_run *run, const ser_event *event)
{
    return ser_symbols_shown_name(run->symbols, SER_SPACE_VARIABLE, event->object);
}

/* The event of the good run at the same point of the same thread; 0 if it has none. */
static uint32_t find_counterpart(const comparison *work, uint32_t event)
{
    uint32_t thread = work->counterpart[work->bad->events[event].thread];
    uint32_t eid = work->bad->eid[event];
    if (!thread || eid > work->good->threads.items[thread - 1].events.count)
        return 0;
    return ser_run_at(work->good, thread - 1, eid);
}

static bool is_same_step(const comparison *work, uint32_t bad, uint32_t good)
{
    const ser_event *here = &work->bad->events[bad], *there = &work->good->events[good];
    return here->op == there->op && strcmp(place(work->bad, here), place(work->good, there)) == 0;
}

/* Addresses differ as soon as threads allocate in another order, and tell nothing. */
static bool looks_like_address(uint64_t value)
{
    static const uint64_t least = (uint64_t)1 << 32, most = (uint64_t)1 << 47;
    return value >= least && value < most;
}

static bool reads_another_value(const ser_event *here, const ser_event *there)
{
    return ser_op_reads((ser_op)here->op) && here->flags & SER_EVENT_HAS_VALUE &&
           there->flags & SER_EVENT_HAS_VALUE && here->value != there->value &&
           !(looks_like_address(here->value) && looks_like_address(there->value));
}

static char *copy(const char *text)
{
    return ser_copy_text(text, strlen(text));
}

static void note_read(const comparison *work, uint32_t bad, uint32_t good, ser_difference *found)
{
    const ser_event *here = &work->bad->events[bad];
    uint32_t writer = work->bad->couple[bad];
    *found = (ser_difference){
        .thread = copy(thread_of(work->bad, bad)),
        .location = copy(place(work->bad, here)),
        .variable = copy(variable_of(work->bad, here)),
        .value = here->value,
        .expected = work->good->events[good].value,
        .writer = copy(writer ? thread_of(work->bad, writer) : ""),
        .written_at = copy(writer ? place(work->bad, &work->bad->events[writer]) : ""),
        .expected_location = copy(place(work->good, &work->good->events[good])),
    };
    uint32_t expected = work->good->couple[good];
    if (expected && work->good->events[expected].thread != work->good->events[good].thread) {
        found->expected_writer = copy(thread_of(work->good, expected));
        found->expected_written_at = copy(place(work->good, &work->good->events[expected]));
    }
}

static void note_step(const comparison *work, uint32_t bad, uint32_t good, ser_difference *found)
{
    *found = (ser_difference){
        .thread = copy(thread_of(work->bad, bad)),
        .location = copy(place(work->bad, &work->bad->events[bad])),
        .variable = copy(""),
        .writer = copy(""),
        .written_at = copy(""),
        .expected_location = copy(good ? place(work->good, &work->good->events[good]) : ""),
    };
}

static bool find(const comparison *work, ser_difference *found)
{
    for (uint32_t bad = 1; bad <= work->bad->count; bad++) {
        if (!work->bad->eid[bad])
            continue;
        uint32_t good = find_counterpart(work, bad);
        if (!good || !is_same_step(work, bad, good))
            note_step(work, bad, good, found);
        else if (reads_another_value(&work->bad->events[bad], &work->good->events[good]))
            note_read(work, bad, good, found);
        else
            continue;
        return true;
    }
    return false;
}

bool ser_find_difference(const ser_run *good, const ser_run *bad, ser_difference *difference)
{
    comparison work = {.good = good,
                       .bad = bad,
                       .counterpart = ser_alloc(bad->threads.count + 1, sizeof(uint32_t))};
    for (uint32_t i = 0; i < bad->threads.count; i++) {
        uint32_t thread;
        if (bad->threads.items[i].number != SER_NO_OBJECT &&
            ser_run_find_thread(good, bad->threads.items[i].number, &thread))
            work.counterpart[i] = thread + 1;
    }
    bool found = find(&work, difference);
    free(work.counterpart);
    return found;
}

void ser_difference_fini(ser_difference *difference)
{
    free(difference->thread);
    free(difference->location);
    free(difference->variable);
    free(difference->plain);
    free(difference->writer);
    free(difference->written_at);
    free(difference->expected_writer);
    free(difference->expected_written_at);
    free(difference->expected_location);
    *difference = (ser_difference){0};
}
