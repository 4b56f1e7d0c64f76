/* SPDX-License-Identifier: MIT */
#include "witness/checker/flows.h"

enum { UNKNOWN = 1, OUTSIDE = SER_FLOW_RAN | SER_FLOW_LEAVES | SER_FLOW_RETURNS };

/* Of a read: is its variable its thread's own (0: not asked yet)? */
enum { OWN = 1, NOT_OWN = 2 };

/* What other threads do outside, seen from one. */
enum { SILENT = 1, WHEN_JOINED = 2, MEANWHILE = 3 };

static const ser_event *event_of(const ser_checker_flows *flows, uint32_t number)
{
    return &flows->observed->events[number];
}

static bool is_skip(const ser_event *event)
{
    return ser_checked_op(event) == SER_OP_SKIP;
}

static bool is_marked(const ser_event *event)
{
    return is_skip(event) && event->flow & OUTSIDE;
}

static bool elides_before(const ser_event *event)
{
    ser_op op = ser_checked_op(event);
    return (op == SER_OP_SKIP || op == SER_OP_CALL || op == SER_OP_RETURN) &&
           event->flags & SER_EVENT_HAS_VALUE && event->value > 0;
}

static bool writes(const ser_event *event)
{
    ser_op op = ser_checked_op(event);
    return op == SER_OP_WRITE || op == SER_OP_RMW;
}

static bool meets(const ser_event *event)
{
    ser_op op = ser_checked_op(event);
    return op == SER_OP_FORK || op == SER_OP_ARRIVE;
}

static void find_away(ser_checker_flows *flows)
{
    uint32_t *depth = ser_alloc(flows->observed->threads.count + 1, sizeof *depth);
    for (uint32_t number = 1; number <= flows->observed->count; number++) {
        const ser_event *event = event_of(flows, number);
        if (event->thread >= flows->observed->threads.count)
            continue;
        uint32_t *inside = &depth[event->thread];
        if (is_marked(event) && event->flow & SER_FLOW_RETURNS && *inside)
            --*inside;
        if (is_marked(event) && event->flow & SER_FLOW_LEAVES)
            ++*inside;
        flows->away[number] = *inside > 0;
    }
    free(depth);
}

void ser_checker_flows_init(ser_checker_flows *flows, const ser_observed *observed,
                            const bool *is_torn)
{
    size_t events = (size_t)observed->count + 1;
    *flows = (ser_checker_flows){.observed = observed, .is_torn = is_torn};
    flows->away = ser_alloc(events, sizeof *flows->away);
    flows->limits = ser_alloc(events, sizeof *flows->limits);
    flows->own = ser_alloc(events, sizeof *flows->own);
    flows->others = ser_alloc(observed->threads.count + 1, sizeof *flows->others);
    for (uint32_t number = 1; number <= observed->count; number++) {
        flows->limits[number] = UNKNOWN;
        flows->elides |= elides_before(event_of(flows, number));
    }
    find_away(flows);
}

void ser_checker_flows_fini(ser_checker_flows *flows)
{
    free(flows->away);
    free(flows->limits);
    free(flows->own);
    free(flows->others);
}

/* --- other threads ------------------------------------------------------------ */

/* The fork in `starter` without which the thread would not run; 0: there is none. */
static uint32_t fork_in(const ser_observed *observed, uint32_t thread, uint32_t starter)
{
    for (size_t i = 0; i < observed->threads.count; i++) {
        uint32_t fork = observed->threads.items[thread].fork;
        if (!fork || observed->events[fork].thread == starter)
            return fork;
        thread = observed->events[fork].thread;
    }
    return 0;
}

static uint32_t find_join(const ser_observed *observed, uint32_t thread)
{
    for (uint32_t number = observed->count; number > 0; number--)
        if (ser_checked_op(&observed->events[number]) == SER_OP_JOIN &&
            observed->events[number].object == thread)
            return number;
    return 0;
}

static uint8_t watch_others(const ser_checker_flows *flows, uint32_t thread)
{
    const ser_observed *observed = flows->observed;
    uint32_t join = find_join(observed, thread);
    uint8_t worst = SILENT;
    for (uint32_t number = 1; number <= observed->count && worst < MEANWHILE; number++) {
        const ser_event *event = event_of(flows, number);
        if (event->thread == thread || (!is_marked(event) && !flows->away[number]))
            continue;
        uint32_t fork = fork_in(observed, thread, event->thread);
        if (fork && number < fork)
            continue;
        bool joined = join && observed->events[join].thread == event->thread && number > join;
        worst = joined ? WHEN_JOINED : MEANWHILE;
    }
    return worst;
}

static uint8_t others_of(ser_checker_flows *flows, uint32_t thread)
{
    if (!flows->others[thread])
        flows->others[thread] = watch_others(flows, thread);
    return flows->others[thread];
}

/* --- limits ------------------------------------------------------------------- */

/* Where the walk behind a read is. */
typedef struct walk {
    bool stored; /* the thread has written something since the read */
    bool seen;   /* a thread may have read it by now */
} walk;

/* Must the event, the first of a step, not happen? */
static bool is_beyond(ser_checker_flows *flows, const walk *state, const ser_event *event)
{
    return state->seen || elides_before(event) || (flows->elides && meets(event)) ||
           (writes(event) && others_of(flows, event->thread) == MEANWHILE);
}

static void pass(const ser_checker_flows *flows, walk *state, uint32_t number)
{
    const ser_event *event = event_of(flows, number);
    state->stored |= writes(event);
    if (is_skip(event))
        state->seen |= elides_before(event) || (is_marked(event) && state->stored);
    else
        state->seen |= flows->away[number] && state->stored;
}

static uint32_t find_limit(ser_checker_flows *flows, uint32_t last)
{
    const ser_observed *observed = flows->observed;
    uint32_t thread = event_of(flows, last)->thread;
    walk state = {0};
    pass(flows, &state, last);
    if (state.stored && others_of(flows, thread) == MEANWHILE)
        return SER_LIMIT_NEXT;
    for (uint32_t number = last + 1; number <= observed->count; number++) {
        const ser_event *event = event_of(flows, number);
        if (event->thread != thread)
            continue;
        if (!is_skip(event) && !ser_observed_is_joined(observed, number - 1) &&
            is_beyond(flows, &state, event))
            return number;
        pass(flows, &state, number);
    }
    bool ends = state.seen || flows->elides || others_of(flows, thread) != SILENT;
    return ends ? SER_LIMIT_END : SER_LIMIT_NONE;
}

/* Does only the thread of the read access its variable, and does that get only values which
 * do not depend on others? */
static bool is_own(const ser_checker_flows *flows, uint32_t read)
{
    const ser_event *wanted = event_of(flows, read);
    for (uint32_t number = 1; number <= flows->observed->count; number++) {
        const ser_event *event = event_of(flows, number);
        ser_op op = ser_checked_op(event);
        bool accesses = op == SER_OP_READ || op == SER_OP_WRITE || op == SER_OP_RMW;
        if (!accesses || event->object != wanted->object)
            continue;
        bool is_fixed = event->op == SER_OP_WRITE && event->flow & SER_FLOW_FIXED;
        if (event->thread != wanted->thread || (writes(event) && !is_fixed))
            return false;
    }
    return true;
}

/* The same, remembered. It is not remembered as a limit: a read that reaches a branch, and was
 * followed there with another value, may have none by its data. */
static bool has_no_limit(ser_checker_flows *flows, uint32_t read)
{
    if (!flows->own[read])
        flows->own[read] = !flows->is_torn[read] && is_own(flows, read) ? OWN : NOT_OWN;
    return flows->own[read] == OWN;
}

uint32_t ser_checker_flows_limit(ser_checker_flows *flows, uint32_t read, uint32_t last)
{
    if (has_no_limit(flows, read))
        return SER_LIMIT_NONE;
    if (!(event_of(flows, read)->flow & SER_FLOW_DATA) || flows->is_torn[read])
        return SER_LIMIT_NEXT;
    return ser_checker_flows_limit_of_data(flows, read, last);
}

uint32_t ser_checker_flows_limit_of_data(ser_checker_flows *flows, uint32_t read, uint32_t last)
{
    if (flows->limits[read] == UNKNOWN)
        flows->limits[read] = find_limit(flows, last);
    return flows->limits[read];
}

bool ser_checker_flows_writes(ser_checker_flows *flows, uint32_t first, uint32_t last)
{
    for (uint32_t number = first; number <= last; number++)
        if (!(event_of(flows, number)->flow & SER_FLOW_MODIFIES))
            return false;
    return others_of(flows, event_of(flows, first)->thread) != MEANWHILE;
}

/* Does "^1" count it? */
static bool is_counted(const ser_event *event)
{
    switch (event->op) {
    case SER_OP_RELEASE:
    case SER_OP_SHARED_RELEASE:
    case SER_OP_ACQUIRE:
    case SER_OP_SHARED_ACQUIRE:
    case SER_OP_WRITE:
        return true;
    default:
        return false;
    }
}

/* Did the thread do nothing between these two of its events that the trace does not show? */
static bool is_whole(const ser_checker_flows *flows, uint32_t from, uint32_t to)
{
    enum { FARTHEST = 1000 };
    bool is_missing = to - from > FARTHEST;
    for (uint32_t number = from + 1; number <= to && !is_missing; number++) {
        const ser_event *event = event_of(flows, number);
        is_missing = event->thread == event_of(flows, from)->thread &&
                     (elides_before(event) || is_marked(event));
    }
    return !is_missing;
}

uint32_t ser_checker_flows_delay(ser_checker_flows *flows, uint32_t read, const ser_symbols *texts)
{
    const ser_observed *observed = flows->observed;
    const ser_event *event = event_of(flows, read);
    uint32_t text = event->op == SER_OP_READ ? ser_event_guards(event) : 0;
    const char *says = text ? ser_symbols_guards(texts, text) : "";
    unsigned long left = *says == '^' ? strtoul(says + 1, NULL, 10) : 0;
    uint32_t last = read, counted = 0, next = observed->next[read];
    if (ser_observed_is_joined(observed, read))
        return SER_LIMIT_NEXT;
    for (; left && next && is_whole(flows, last, next); next = observed->next[next]) {
        bool counts = is_counted(event_of(flows, next));
        if ((!counts && event_of(flows, next)->op != SER_OP_READ) ||
            ser_observed_is_joined(observed, next))
            break;
        last = next;
        counted = counts ? next : counted;
        left -= counts;
    }
    if (!counted)
        return SER_LIMIT_NEXT;
    uint32_t as_data = ser_checker_flows_limit_of_data(flows, read, read);
    next = observed->next[counted] ? observed->next[counted] : SER_LIMIT_END;
    return next < as_data ? next : as_data;
}
