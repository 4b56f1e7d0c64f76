/* SPDX-License-Identifier: MIT */
#include "session/run/polling.h"

#include <string.h>

#include "base/hash.h"

enum { A_LOOP = 3 }; /* visits of a place, whatever other calls do */

/* For a condition, or at a barrier. */
static bool lets_others_in(ser_op op)
{
    return ser_op_waits(op) || op == SER_OP_ARRIVE;
}

static bool waits_between(const ser_run *run, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i && i < to; i = ser_run_next(run, i))
        if (lets_others_in((ser_op)run->events[i].op))
            return true;
    return false;
}

static bool is_plain_write(const ser_event *event)
{
    return !ser_op_reads((ser_op)event->op);
}

/* Which functions are open, as a walk through a thread's events sees it: one hash for each depth.
 */
typedef SER_VECTOR(uint64_t) open_calls;

static uint64_t innermost(const open_calls *calls)
{
    return calls->count ? calls->items[calls->count - 1] : 0;
}

static void follow_call(open_calls *calls, const ser_event *event)
{
    if (ser_op_calls((ser_op)event->op))
        ser_vector_push(calls, ser_hash_mix(innermost(calls), event->object + UINT64_C(1)));
    else if (ser_op_returns((ser_op)event->op) && calls->count)
        calls->count--;
}

/* The functions that are open between the block and an access of it. */
static uint64_t find_path(const ser_run *run, uint32_t begin, uint32_t access)
{
    open_calls calls = {0};
    for (uint32_t i = begin; i && i < access; i = ser_run_next(run, i))
        follow_call(&calls, &run->events[i]);
    uint64_t path = innermost(&calls);
    ser_vector_free(&calls);
    return path;
}

/* How often the block accesses the same variable at the same place, called in the same way. */
static unsigned count_visits(const ser_run *run, uint32_t begin, uint32_t access)
{
    unsigned visits = 0;
    const ser_event *wanted = &run->events[access];
    uint32_t block = run->block_of[begin];
    uint64_t path = find_path(run, begin, access);
    open_calls calls = {0};
    for (uint32_t i = begin; i && run->block_of[i] == block; i = ser_run_next(run, i)) {
        const ser_event *event = &run->events[i];
        follow_call(&calls, event);
        visits += ser_op_is_access((ser_op)event->op) && event->object == wanted->object &&
                  event->site == wanted->site && innermost(&calls) == path;
    }
    ser_vector_free(&calls);
    return visits;
}

/* A place that calls of a function come to. */
typedef struct visited {
    const char *function, *location;
} visited;

/* How often a call, with what it calls, comes there. */
static unsigned visits_of_call(const ser_run *run, uint32_t call, const visited *place)
{
    unsigned visits = 0, depth = 0;
    for (uint32_t i = call; i; i = ser_run_next(run, i)) {
        const ser_event *event = &run->events[i];
        if (ser_op_calls((ser_op)event->op))
            depth++;
        else if (ser_op_returns((ser_op)event->op) && --depth == 0)
            return visits;
        else if (ser_op_is_access((ser_op)event->op) && event->site != SER_NO_SITE)
            visits += strcmp(ser_symbols_location(run->symbols, event->site), place->location) == 0;
    }
    return visits;
}

/* Does a call of the function come there, but only once? */
static bool has_single_visit(const ser_run *run, const visited *place)
{
    for (uint32_t i = 1; run && i <= run->count; i++) {
        const ser_event *event = &run->events[i];
        if (ser_op_calls((ser_op)event->op) &&
            strcmp(ser_symbols_name(run->symbols, SER_SPACE_FUNCTION, event->object),
                   place->function) == 0 &&
            visits_of_call(run, i, place) == 1)
            return true;
    }
    return false;
}

static bool is_loop(const ser_run *run, uint32_t begin, uint32_t event, const ser_run *first)
{
    unsigned visits = count_visits(run, begin, event);
    const ser_event *call = &run->events[begin], *access = &run->events[event];
    if (visits >= A_LOOP)
        return true;
    if (visits < 2 || !ser_op_calls((ser_op)call->op) || access->site == SER_NO_SITE)
        return false;
    const visited place = {ser_symbols_name(run->symbols, SER_SPACE_FUNCTION, call->object),
                           ser_symbols_location(run->symbols, access->site)};
    return has_single_visit(run, &place) || has_single_visit(first, &place);
}

/* A read where read-modify-writes are made, too, is a compare-exchange that failed. */
static bool is_failed_exchange(const ser_run *run, const ser_event *access)
{
    if (access->op != SER_OP_READ || access->site == SER_NO_SITE)
        return false;
    for (uint32_t i = 1; i <= run->count; i++)
        if (run->events[i].op == SER_OP_RMW && run->events[i].site == access->site)
            return true;
    return false;
}

bool ser_is_polling(const ser_run *run, uint32_t begin, const ser_witness_facts *facts,
                    const ser_run *first_run)
{
    if (ser_op_begins((ser_op)run->events[begin].op) || facts->path.count < 2)
        return false;
    uint32_t from = facts->path.items[0], to = facts->path.items[facts->path.count - 1];
    const ser_event *first = &run->events[from], *last = &run->events[to];
    if (waits_between(run, from, to))
        return true;
    if (first->object != last->object || is_plain_write(first) || is_plain_write(last))
        return false;
    bool is_same_place =
        first->site == last->site && find_path(run, begin, from) == find_path(run, begin, to);
    return (is_same_place && is_loop(run, begin, from, first_run)) ||
           is_failed_exchange(run, first) || is_failed_exchange(run, last);
}
