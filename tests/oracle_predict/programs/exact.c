/* SPDX-License-Identifier: MIT */
/*
 * Two machines side by side: that of the trace says what may happen, with no read that ever stops
 * its thread, and the interpreter what the thread does.
 */
#include "exact.h"

#include <string.h>

#include "interpreter.h"
#include "state_set.h"

enum { MOST_STATES = 150000 };

typedef struct position {
    avp_state order;
    script_state state;
    script_path path;
    uint8_t stopped; /* bits of threads: one has left its recorded path */
} position;

typedef struct search {
    const script *s;
    const sample *trace;
    exchange_rule rule;
    avp_world world;
    size_t begin;       /* the block's first event */
    size_t last;        /* its last access; 0: none */
    uint32_t *outcomes; /* by event: of the branches behind it */
    state_set seen;
} search;

static bool is_same(const ser_event *a, const ser_event *b)
{
    return a->op == b->op && a->object == b->object;
}

/* Does it differ in nothing but whether the exchange succeeds? */
static bool only_compares(const search *at, const position *p, const ser_event *recorded,
                          const ser_event *now)
{
    uint8_t kind = next_instruction(at->s, &p->state, now->thread)->kind;
    return kind == SCRIPT_COMPARE_EXCHANGE && recorded->object == now->object &&
           (recorded->op == SER_OP_RMW || recorded->op == SER_OP_READ);
}

/* Does it write, as far as the rule lets it? */
static bool writes(const search *at, const position *p, size_t event, const ser_event *now)
{
    uint8_t kind = next_instruction(at->s, &p->state, now->thread)->kind;
    if (kind != SCRIPT_COMPARE_EXCHANGE || at->rule == EXCHANGE_BY_DATA)
        return now->op != SER_OP_READ;
    return now->op == SER_OP_RMW && at->trace->events.items[event - 1].op == SER_OP_RMW &&
           !avp_breaks(&at->world, &p->order, event);
}

/* The event happens. True if the block is violated. */
static bool step(const search *at, position *p, size_t event, const ser_event *now)
{
    const ser_event *recorded = &at->trace->events.items[event - 1];
    bool violates = false;
    if (avp_is_access(&at->world, event)) {
        violates = follow_access(&p->path, now, writes(at, p, event, now),
                                 at->world.facts.transaction[event] == at->begin);
    }
    avp_step(&at->world, &p->order, event);
    if (make_event(at->s, &p->state, now->thread, SIZE_MAX) != at->outcomes[event] ||
        !is_same(recorded, now))
        p->stopped |= (uint8_t)(1u << now->thread);
    return violates;
}

static bool is_new(search *at, const position *p)
{
    uint8_t key[sizeof p->order.at + sizeof p->state + sizeof p->path + 1];
    memcpy(key, p->order.at, sizeof p->order.at);
    memcpy(key + sizeof p->order.at, &p->state, sizeof p->state);
    memcpy(key + sizeof p->order.at + sizeof p->state, &p->path, sizeof p->path);
    key[sizeof key - 1] = p->stopped;
    return state_set_add(&at->seen, key, sizeof key);
}

static script_answer explore(search *at, const position *p)
{
    if (!at->last || avp_executed(&at->world, &p->order, at->last) || !is_new(at, p))
        return SCRIPT_NONE;
    if (at->seen.count > MOST_STATES)
        return SCRIPT_TOO_LARGE;
    for (size_t thread = 0; thread < at->world.threads; thread++) {
        size_t event = p->stopped >> thread & 1 ? 0 : avp_next(&at->world, &p->order, thread);
        if (!event)
            continue;
        ser_event now = next_event(at->s, &p->state, thread);
        const ser_event *recorded = &at->trace->events.items[event - 1];
        if (!is_same(recorded, &now) && !only_compares(at, p, recorded, &now))
            continue;
        position next = *p;
        if (step(at, &next, event, &now))
            return SCRIPT_VIOLATION;
        script_answer answer = explore(at, &next);
        if (answer != SCRIPT_NONE)
            return answer;
    }
    return SCRIPT_NONE;
}

/* A thread that has left its path does not end. */
static void let_go_on(ser_reads *reads, const event_list *events, exchange_rule rule)
{
    ser_reads_init(reads, (uint32_t)events->count);
    for (size_t i = 1; i <= events->count; i++) {
        const ser_event *event = &events->items[i - 1];
        bool updates = event->op == SER_OP_RMW;
        if (updates && rule == EXCHANGE_BY_MODEL && !(event->flow & SER_FLOW_MODIFIES))
            continue;
        reads->rules.items[i].limit = SER_LIMIT_NONE;
        reads->writes_anyway.items[i] = updates;
    }
}

static void find_last(search *at)
{
    for (size_t i = 1; i <= at->trace->events.count; i++)
        if (at->world.facts.transaction[i] == at->begin && avp_is_access(&at->world, i))
            at->last = i;
}

/* Executes the trace. */
static void find_outcomes(search *at)
{
    script_state state;
    start_script(at->s, &state);
    for (size_t i = 1; i <= at->trace->events.count; i++)
        if (at->trace->events.items[i - 1].op != SER_OP_SKIP)
            at->outcomes[i] =
                make_event(at->s, &state, at->trace->events.items[i - 1].thread, SIZE_MAX);
}

script_answer search_exact(const script *s, const sample *trace, size_t block, exchange_rule rule)
{
    search at = {.s = s, .trace = trace, .rule = rule, .begin = trace->world.blocks[block].begin};
    ser_reads reads;
    position start;
    let_go_on(&reads, &trace->events, rule);
    avp_world_init(&at.world, trace->events.items, trace->events.count, &reads);
    find_last(&at);
    at.outcomes = ser_alloc(trace->events.count + 1, sizeof *at.outcomes);
    find_outcomes(&at);
    memset(&start, 0, sizeof start);
    start_script(s, &start.state);
    state_set_init(&at.seen);
    script_answer answer = explore(&at, &start);
    state_set_fini(&at.seen);
    free(at.outcomes);
    avp_world_fini(&at.world);
    ser_reads_fini(&reads);
    return answer;
}
